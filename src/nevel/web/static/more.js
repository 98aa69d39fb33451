// What may be pressed and isn't in sight, as on a very low screen or with very large letters, is pointed to: an arrow leads
// there. Only for eyes; the keyboard and screen readers go there by themselves.
const ANSWERS = "#table.is-yours:not(.is-sending) #play :is(.is-target, button[name=move]):not(:disabled, [data-hint])";
const HALF = 0.5; // what is in sight by half of it is seen
const cue = document.getElementById("more");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const away = new Set();

const watcher = new IntersectionObserver((entries) => {
  for (const { target, intersectionRatio } of entries) {
    if (intersectionRatio < HALF) away.add(target);
    else away.delete(target);
  }
  show();
}, { threshold: HALF });

// Look anew at what may be pressed now.
export function pointOut() {
  watcher.disconnect();
  away.clear();
  for (const answer of document.querySelectorAll(ANSWERS)) watcher.observe(answer);
  show();
}

const nearest = () => [...away].find((one) => one.isConnected && one.checkVisibility());

function show() {
  const next = nearest();
  cue.hidden = !next;
  if (next) cue.classList.toggle("is-up", next.getBoundingClientRect().top < innerHeight / 2);
}

cue.addEventListener("click", () => nearest()?.scrollIntoView({ block: "center", behavior: calm.matches ? "auto" : "smooth" }));
// A card that is chosen has places to go to.
addEventListener("change", ({ target }) => target.closest?.("#play") && pointOut());
