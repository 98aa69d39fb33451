// The first tap chooses a card, the second says where it goes; what may be chosen next is shown at once.
// A card has `data-targets="a:3;b:-10"`: where it may go, each with the steps to there for the `.target-note` of the
// element with that `data-target`, where numbers go up, or down with `data-falls`; and `data-dooms`, the targets where it
// can only lose, each with a sentence.

export function choose(table) {
  const chosen = table.querySelector(".hand input:checked");
  const targets = read(chosen?.dataset.targets, ";");
  const dooms = read(chosen?.dataset.dooms, "\n"); // sentences, which have semicolons
  table.classList.toggle("choosing", Boolean(chosen));
  for (const target of table.querySelectorAll("[data-target]")) {
    const note = targets.get(target.dataset.target);
    const label = target.querySelector(".target-note");
    target.classList.toggle("is-target", note !== undefined);
    nameDistance(target, note);
    if (!label) continue;
    label.textContent = note === undefined ? "" : signed("falls" in target.dataset ? -note : +note);
    label.classList.toggle("is-negative", Number(note) < 0);
    label.classList.toggle("is-doom", dooms.has(target.dataset.target));
  }
  const warning = table.querySelector("#doom");
  if (warning) {
    const text = [...new Set(dooms.values())].join(" ") || table.querySelector("button[data-doom]")?.dataset.doom || "";
    warning.textContent = text;
    warning.hidden = !text;
  }
}

// How far it is belongs to what the place is called, as long as that card is chosen.
function nameDistance(target, note) {
  const name = target.dataset.name ?? target.getAttribute("aria-label");
  if (note === undefined) {
    if (target.dataset.name === undefined) return;
    target.setAttribute("aria-label", name);
    delete target.dataset.name;
  } else {
    target.dataset.name = name;
    target.setAttribute("aria-label", `${name}, ${signed("falls" in target.dataset ? -note : +note)}`);
  }
}

const signed = (steps) => (steps > 0 ? `+${steps}` : String(steps).replace("-", "−"));

function read(text, between) {
  return new Map((text || "").split(between).filter(Boolean).map((pair) => [pair.slice(0, pair.indexOf(":")), pair.slice(pair.indexOf(":") + 1)]));
}

addEventListener("change", (event) => {
  const table = event.target.closest("#table");
  if (table && event.target.closest(".hand")) choose(table);
});
// Enter on a card would press the form's first button; where the card goes is chosen by itself.
addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches?.(".hand input")) event.preventDefault();
});
// A chosen card tapped again is laid back; a key doesn't tap.
addEventListener("click", (event) => {
  const input = event.target.closest?.(".hand input");
  if (!input) return;
  if (input.dataset.was === "1" && event.detail) {
    input.checked = false;
    choose(input.closest("#table"));
  }
  for (const other of document.querySelectorAll(".hand input")) other.dataset.was = other.checked ? "1" : "";
});
