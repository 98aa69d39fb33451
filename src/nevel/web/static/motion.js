// Cards travel from where they were to where they go. Never in the way of the next click.
const LASTS = 260;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// Whether nothing shall move: somebody asked for that, or doesn't look.
export const isCalm = () => calm.matches || document.hidden;

// What may leave the table with the next frame, and which way.
const WAYS = { up: "0 -100%", down: "0 100%", left: "-100% 0", right: "100% 0" };
let leaving = [];

// Whoever presses has seen enough of what still moves: it arrives, and the next move has the machine to itself.
export function rest() {
  for (const animation of document.getAnimations()) {
    if (animation.effect.getComputedTiming().endTime !== Infinity) animation.finish();
  }
}

// Where everything with a name of its own is now.
export function remember() {
  const places = new Map();
  leaving = [];
  if (isCalm()) return places;
  for (const element of document.querySelectorAll("#table [data-leaves]")) leaving.push([element, element.cloneNode(true), element.parentElement]);
  for (const element of document.querySelectorAll("#table [data-card]")) places.set(element.dataset.card, element.getBoundingClientRect());
  for (const element of document.querySelectorAll("#table [data-place]")) places.set(`@${element.dataset.place}`, element.getBoundingClientRect());
  return places;
}

// Let what has moved travel from its old place; what is new comes from where it says (`data-from`). What `isStaged` is
// left alone.
export function move(places, isStaged = () => false) {
  // All is measured before anything is set in motion, or the page would be laid out anew for every card.
  const cards = places.size ? [...document.querySelectorAll("#table [data-card]")].filter((element) => !isStaged(element)) : [];
  const ways = cards.map((element) => wayOf(element, places));
  leave();
  for (const way of ways) if (way) travel(...way);
}

function wayOf(element, places) {
  const from = places.get(element.dataset.card) ?? places.get(`@${element.dataset.from}`);
  if (!from) return null;
  const to = element.getBoundingClientRect();
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  if (Math.hypot(x, y) < 4 || !to.width) return null;
  // It grows out of a smaller place, but is never larger than it was or will be: a place can be as wide as the table.
  const scale = places.has(element.dataset.card) ? from.width / to.width : Math.min(1, from.width / to.width);
  const first = { translate: `${x}px ${y}px` }, last = { translate: "0 0" };
  if (Math.abs(scale - 1) > 0.05) Object.assign(first, { scale }), Object.assign(last, { scale: 1 });
  return [element, first, last];
}

function travel(element, first, last) {
  // Above what it passes. Not a part of the motion: that has only what a browser can move without drawing it anew.
  element.style.zIndex = 5;
  // Nothing is left of it: an element that is as the next frame has it needs no merging.
  const arrive = () => element.removeAttribute("style");
  element.animate([first, last], { duration: LASTS, easing: "cubic-bezier(.2,.8,.3,1)" }).finished.then(arrive, arrive);
}

// What has left its place fades away in the direction it went. It is only a picture of it: nothing to press or to read.
function leave() {
  for (const [element, picture, place] of leaving) {
    if (element.isConnected && element.matches("[data-leaves]")) continue;
    if (!place.isConnected || document.querySelector(`#table [data-card="${picture.dataset.card}"]`)) continue;
    const way = WAYS[picture.dataset.leaves];
    for (const name of ["id", "name", "value", "data-card", "data-leaves"]) picture.removeAttribute(name);
    picture.classList.remove("is-target");
    picture.inert = true;
    picture.ariaHidden = "true";
    place.append(picture);
    picture.animate([{ translate: "0 0", opacity: 1 }, { translate: way, opacity: 0 }], { duration: LASTS, easing: "ease-in" }).finished.finally(() => picture.remove());
  }
  leaving = [];
}
