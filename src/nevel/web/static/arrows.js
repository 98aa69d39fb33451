// Arrow keys lead from one thing that may be done to the next one in that direction, as the eye would go; from the question too.
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const MAY_BE_DONE = "#play :is(button.is-target, button[name=move], .hand input):not(:disabled)";
const ASIDE = 3; // what lies straight ahead is nearer than what lies aside

addEventListener("keydown", (event) => {
  const way = WAYS[event.key];
  const from = document.activeElement;
  if (!way || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !from.closest("#play") || from.matches("select, textarea")) return;
  const to = nextOne(from, way);
  if (!to && from.type !== "radio") return; // the page scrolls, as ever
  event.preventDefault(); // by themselves radio buttons would go round
  if (!to) return;
  to.focus();
  if (to.type !== "radio") return;
  to.checked = true;
  to.dispatchEvent(new Event("change", { bubbles: true }));
});

function nextOne(from, [x, y]) {
  const all = [...document.querySelectorAll(MAY_BE_DONE)].filter((one) => one !== from && one.checkVisibility());
  const here = from.getBoundingClientRect();
  let nearest = null, least = Infinity;
  for (const one of all) {
    const there = one.getBoundingClientRect();
    // How far its middle lies in that direction, and how far it lies beside the way there.
    const ahead = x * (there.left + there.right - here.left - here.right) + y * (there.top + there.bottom - here.top - here.bottom);
    const aside = x ? apart(here.top, here.bottom, there.top, there.bottom) : apart(here.left, here.right, there.left, there.right);
    if (ahead > 4 && ahead / 2 + ASIDE * aside < least) [nearest, least] = [one, ahead / 2 + ASIDE * aside];
  }
  return nearest ?? (from.id === "prompt" ? all[0] : null);
}

const apart = (from, to, start, end) => Math.max(0, start - to, from - end);
