// A third way besides taps and keys: a card is dragged to where it goes. Dropped anywhere else it does nothing.
import { choose } from "./choosing.js";

const FAR = 6; // pixels a mouse moves before it drags
const HOLD = 220; // milliseconds a finger rests before it drags; one that moves at once scrolls
const EDGE = 48; // pixels from the top or bottom where the page comes along
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let held = null; // what a pointer is on: { id, kind, pointer, x, y, timer, ghost, wasChosen }

addEventListener("pointerdown", (event) => {
  if (held) return drop(null);
  const source = event.isPrimary && event.button === 0 && event.target.closest?.("#table [data-drag]");
  if (!source || source.closest(".is-sending") || source.matches(".is-idle")) return;
  held = { id: source.id, kind: source.dataset.drag, pointer: event.pointerId, x: event.clientX, y: event.clientY, isFinger: event.pointerType !== "mouse" };
  if (held.isFinger) held.timer = setTimeout(lift, HOLD);
});

addEventListener("pointermove", (event) => {
  if (event.pointerId !== held?.pointer) return;
  const far = Math.hypot(event.clientX - held.x, event.clientY - held.y) > FAR;
  if (!held.ghost && far && held.isFinger) return drop(null); // it scrolls
  if (!held.ghost && far) lift();
  if (!held?.ghost) return;
  held.hasMoved ||= far;
  held.ghost.style.translate = `${event.clientX - held.x}px ${event.clientY - held.y}px`;
  if (event.clientY < EDGE) scrollBy(0, -10);
  else if (event.clientY > innerHeight - EDGE) scrollBy(0, 10);
  const over = targetAt(event);
  for (const element of document.querySelectorAll(".is-over")) element.classList.toggle("is-over", element === over);
  over?.classList.add("is-over");
});

addEventListener("pointerup", (event) => {
  if (event.pointerId === held?.pointer) drop(held.ghost ? targetAt(event) : null);
});
addEventListener("pointercancel", (event) => event.pointerId === held?.pointer && drop(null));
addEventListener("keydown", (event) => event.key === "Escape" && held && drop(null));
// While something is dragged nothing scrolls, is selected, or opens a menu.
addEventListener("touchmove", (event) => held?.ghost && event.preventDefault(), { passive: false });
addEventListener("contextmenu", (event) => held?.isFinger && event.preventDefault());
addEventListener("dragstart", (event) => event.target.closest?.("[data-drag]") && event.preventDefault());

function lift() {
  const source = document.getElementById(held.id);
  if (!source) return (held = null);
  const box = source.getBoundingClientRect();
  const ghost = source.cloneNode(true);
  for (const element of [ghost, ...ghost.querySelectorAll("[id], [name], [data-card]")]) for (const name of ["id", "name", "data-card", "data-drag", "for"]) element.removeAttribute(name);
  for (const input of ghost.querySelectorAll("input")) input.remove(); // it is only a picture
  ghost.classList.add("dragged");
  ghost.inert = true;
  ghost.ariaHidden = "true";
  Object.assign(ghost.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` });
  const shell = document.createElement("div"); // the looks of a card are those of its game
  shell.className = document.getElementById("table").className;
  shell.classList.add("drags");
  shell.append(ghost);
  document.body.append(shell);
  held.ghost = ghost;
  document.documentElement.classList.add("is-dragging");
  const input = source.querySelector("input");
  if (input) {
    held.wasChosen = input.checked;
    input.checked = true;
    choose(source.closest("#table"));
  }
}

function targetAt({ clientX, clientY }) {
  const target = document.elementFromPoint(clientX, clientY)?.closest(`[data-drop="${held.kind}"]`);
  return target?.matches(".is-target:not(:disabled)") ? target : null;
}

function drop(target) {
  const { id, timer, ghost, wasChosen, hasMoved } = held;
  held = null;
  clearTimeout(timer);
  if (!ghost) return;
  document.documentElement.classList.remove("is-dragging");
  for (const element of document.querySelectorAll(".is-over")) element.classList.remove("is-over");
  const layBack = () => {
    const input = document.getElementById(id)?.querySelector("input");
    if (!input || wasChosen) return;
    input.checked = false;
    choose(input.closest("#table"));
  };
  if (!hasMoved) {
    ghost.parentElement.remove();
    return layBack(); // a slow tap: its click does what it always does
  }
  // The click that ends a drag isn't one.
  const ignore = (event) => (event.preventDefault(), event.stopPropagation());
  addEventListener("click", ignore, { capture: true, once: true });
  setTimeout(() => {
    removeEventListener("click", ignore, { capture: true });
    if (target?.isConnected && document.getElementById(id)) target.click();
    else layBack();
  });
  if (target || calm.matches) return ghost.parentElement.remove();
  ghost.animate([{}, { translate: "0 0" }], { duration: 180, easing: "ease-out" }).finished.finally(() => ghost.parentElement.remove());
}
