// How fast somebody likes to be shown what happens, and how loud. Both are kept with the browser.
const RATES = { slow: 1.6, normal: 1, quick: 0.5 };
const LOUD = 60; // the volume somebody has who asks for sound
const read = (name, usual) => localStorage.getItem(name) ?? usual;

export const chosenPace = () => (read("pace") in RATES ? read("pace") : "normal");
// How many times as long as usual everything takes.
export const pace = () => RATES[chosenPace()];

// From 0 to 1; silent until sound is asked for.
export const volume = () => Math.min(100, Math.max(0, Number(read("volume", read("sound") === "on" ? LOUD : 0)) || 0)) / 100;

function setVolume(percent) {
  if (!percent && volume()) localStorage.setItem("volume before", Math.round(volume() * 100));
  localStorage.setItem("volume", percent);
  show();
  dispatchEvent(new Event("volume"));
}

const all = (name) => document.querySelectorAll(name);

function show() {
  for (const slider of all("[data-volume]")) slider.value = volume() * 100;
  for (const button of all("[data-mute]")) button.setAttribute("aria-pressed", String(!volume()));
  for (const choice of all("[data-pace]")) choice.value = chosenPace();
  for (const use of all("#sound > summary use")) use.setAttribute("href", use.getAttribute("href").replace(/#.*/, volume() ? "#sound-on" : "#sound-off"));
}

for (const hidden of all("[data-comfort]")) hidden.hidden = false;
show();
addEventListener("input", ({ target }) => target.matches?.("[data-volume]") && setVolume(Number(target.value)));
addEventListener("change", ({ target }) => target.matches?.("[data-pace]") && localStorage.setItem("pace", target.value));
addEventListener("click", ({ target }) => {
  if (target.closest?.("[data-mute]")) setVolume(volume() ? 0 : Number(read("volume before", LOUD)));
  const menu = document.getElementById("sound");
  if (menu?.open && !menu.contains(target)) menu.open = false;
});
addEventListener("keydown", (event) => {
  const menu = document.getElementById("sound");
  if (event.key !== "Escape" || !menu?.open) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
