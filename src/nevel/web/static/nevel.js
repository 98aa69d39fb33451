// On every page: small comforts. Nothing here is needed to play.
const MARGIN = 12;
const MENUS = "details.hinting[open]";
export function offerCopies() {
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
  for (const button of document.querySelectorAll("[data-share]")) button.hidden = !navigator.share;
}
offerCopies();
addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  // Away from this machine a clipboard needs HTTPS; the old way still works.
  if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
  else {
    field.select();
    document.execCommand("copy");
  }
  button.querySelector("span").textContent = button.dataset.done;
});
addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-share]");
  if (!button) return;
  try {
    await navigator.share({ title: button.dataset.title, url: document.getElementById(button.dataset.share).value });
  } catch {
    // They changed their mind; there is a button that copies, too.
  }
});
// What somebody opens is in sight, as far as it goes without losing what they pressed.
addEventListener("click", (event) => {
  const opened = event.target.closest?.("summary")?.parentElement;
  if (!opened) return;
  requestAnimationFrame(() => {
    if (!opened.open) return;
    const { bottom } = opened.lastElementChild.getBoundingClientRect();
    const beyond = bottom + MARGIN - innerHeight;
    if (beyond > 0) scrollBy({ top: Math.min(beyond, opened.getBoundingClientRect().top - MARGIN) });
  });
});
// Escape closes the menu one is in, or else whichever is open.
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  const menu = document.activeElement?.closest(MENUS) ?? document.querySelector(MENUS);
  if (!menu) return;
  event.preventDefault();
  menu.open = false;
  menu.querySelector("summary").focus();
});
// A file nobody would read isn't sent.
for (const input of document.querySelectorAll("input[data-most]")) {
  input.addEventListener("change", () => {
    input.setCustomValidity(input.files[0]?.size > Number(input.dataset.most) ? input.dataset.tooLarge : "");
    input.reportValidity();
  });
}
// A double click opens one table, not two.
addEventListener("submit", (event) => {
  if (event.target.matches("[data-live]")) return;
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "yes";
  event.submitter?.classList.add("is-pressed");
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  for (const button of document.querySelectorAll(".is-pressed")) button.classList.remove("is-pressed");
});
// A question mark shows which keys there are, over the page; without a script, and without an answer, they are a page.
const KEYS = "/keys";
const showKeys = () => import("./keys.js").then((keys) => keys.showKeys(KEYS)).catch(() => location.assign(KEYS));
addEventListener("keydown", (event) => {
  const isTyping = event.target.matches?.("textarea, select, input:not([type=radio], [type=checkbox], [type=range])");
  if (event.key === "?" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) showKeys();
});
addEventListener("click", (event) => {
  if (!event.target.closest?.(`a[href="${KEYS}"]`) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  showKeys();
});
// The page shown without a network stands at the address that was asked for: it goes there as soon as the server answers.
if (document.querySelector("[data-again]")) {
  const look = () => fetch("/healthz", { cache: "no-store" }).then(({ ok }) => ok && location.reload()).catch(() => {});
  addEventListener("online", look);
  setInterval(look, 3000);
}
if ("serviceWorker" in navigator && isSecureContext) navigator.serviceWorker.register("/worker.js");
