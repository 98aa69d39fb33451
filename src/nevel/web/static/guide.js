// The first-game guide: points at the real table when a moment comes for the first time, until it is left.
const button = document.getElementById("guide-me");
const steps = document.getElementById("guide");
let bubble, waiting = [], from = null;

const key = (table) => `guide-${table.dataset.game}`;
const isOn = (table) => localStorage.getItem(key(table)) === "on";
const seen = (table) => new Set(JSON.parse(localStorage.getItem(`${key(table)}-seen`) || "[]"));

export function guide(table) {
  if (!steps) return;
  button.hidden = isOn(table) || !/-player/.test(table.dataset.you) || !table.querySelector("#play");
  if (!isOn(table)) return;
  const known = seen(table);
  const moments = new Set([...table.querySelectorAll("#story li")].map((line) => `event:${line.dataset.event}`));
  moments.add(`question:${table.dataset.question}`);
  waiting = [...steps.content.children].filter((step) => !known.has(step.dataset.name) && moments.has(step.dataset.when));
  if (!bubble) next(table);
  else if (bubble.isConnected) point(table, bubble.dataset.point);
}

function next(table) {
  const hadFocus = bubble?.contains(document.activeElement);
  bubble?.remove();
  bubble = undefined;
  unpoint();
  const step = waiting.shift();
  if (!step) return hadFocus ? giveBack() : undefined;
  const known = seen(table);
  known.add(step.dataset.name);
  localStorage.setItem(`${key(table)}-seen`, JSON.stringify([...known]));
  bubble = document.createElement("section");
  bubble.className = "panel guide";
  bubble.setAttribute("role", "dialog");
  bubble.tabIndex = -1;
  bubble.dataset.point = step.dataset.point;
  bubble.append(Object.assign(document.createElement("p"), { textContent: step.textContent }));
  const row = Object.assign(document.createElement("div"), { className: "row" });
  row.append(press(steps.dataset.next, "primary", () => next(table_())), press(steps.dataset.leave, "plain", leave));
  bubble.append(row);
  bubble.setAttribute("aria-label", step.textContent);
  // Before the table, which is what comes after it for whoever goes on by keyboard.
  table.before(bubble);
  takeFocus();
  point(table, step.dataset.point);
  table.querySelector(".is-pointed")?.scrollIntoView({ block: "nearest" });
  stepAside(table);
}

// It is read when it comes, but nobody is torn away from what they type.
function takeFocus() {
  const now = document.activeElement;
  if (now?.matches("input:not([type=radio]), textarea, select")) return;
  if (!now?.closest(".guide")) from = now;
  bubble.focus({ preventScroll: true });
}

function giveBack() {
  const to = from?.isConnected && from !== document.body ? from : document.getElementById("prompt");
  to?.focus({ preventScroll: true });
}

// The bubble never lies on what it speaks of.
function stepAside(table) {
  const box = table.querySelector(".is-pointed")?.getBoundingClientRect();
  bubble.classList.toggle("is-high", Boolean(box) && box.top + box.bottom > innerHeight);
}

const table_ = () => document.getElementById("table");

function press(text, look, act) {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: text, className: look });
  made.addEventListener("click", act);
  return made;
}

function point(table, name) {
  unpoint();
  table.querySelector(`[data-point~="${name}"]`)?.classList.add("is-pointed");
}

function unpoint() {
  for (const element of document.querySelectorAll(".is-pointed")) element.classList.remove("is-pointed");
}

function leave() {
  localStorage.setItem(key(table_()), "off");
  if (bubble?.contains(document.activeElement)) giveBack();
  bubble?.remove();
  bubble = undefined;
  unpoint();
  guide(table_());
}

addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || !bubble || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  leave();
});

button?.addEventListener("click", () => {
  const table = table_();
  localStorage.setItem(key(table), "on");
  localStorage.removeItem(`${key(table)}-seen`);
  guide(table);
});
