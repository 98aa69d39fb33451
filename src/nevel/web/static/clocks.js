// Clocks count down by the server's time.
let skew = 0;

export function countDown(table) {
  skew = Number(table.dataset.now) - Date.now();
}

function tick() {
  for (const clock of document.querySelectorAll("[data-deadline]")) {
    const left = Math.max(0, Math.round((Number(clock.dataset.deadline) - Date.now() - skew) / 1000));
    const text = left >= 86400 ? `${Math.floor(left / 86400)} d ${Math.floor((left % 86400) / 3600)} h` : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("is-short", left <= 10);
  }
}
setInterval(tick, 500);
