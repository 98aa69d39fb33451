// Cards travel from where they were to where they go. Never in the way of the next click.
const LASTS = 260;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// Where everything with a name of its own is now.
export function remember() {
  const places = new Map();
  if (calm.matches || document.hidden) return places;
  for (const element of document.querySelectorAll("#table [data-card]")) places.set(element.dataset.card, element.getBoundingClientRect());
  for (const element of document.querySelectorAll("#table [data-place]")) places.set(`@${element.dataset.place}`, element.getBoundingClientRect());
  return places;
}

// Let what has moved travel from its old place; what is new comes from where it says (`data-from`).
export function move(places) {
  if (!places.size) return;
  for (const element of document.querySelectorAll("#table [data-card]")) {
    const from = places.get(element.dataset.card) ?? places.get(`@${element.dataset.from}`);
    if (!from) continue;
    const to = element.getBoundingClientRect();
    const x = from.left + from.width / 2 - to.left - to.width / 2;
    const y = from.top + from.height / 2 - to.top - to.height / 2;
    if (Math.hypot(x, y) < 4 || !to.width) continue;
    element.animate([{ translate: `${x}px ${y}px`, scale: from.width / to.width, zIndex: 5 }, { translate: "0 0", scale: 1, zIndex: 5 }], { duration: LASTS, easing: "cubic-bezier(.2,.8,.3,1)" });
  }
}
