// How fast somebody likes to be shown what happens. It is kept with the browser.
const KEY = "pace";
const RATES = { slow: 1.6, normal: 1, quick: 0.5 };

export const chosenPace = () => (localStorage.getItem(KEY) in RATES ? localStorage.getItem(KEY) : "normal");
// How many times as long as usual everything takes.
export const pace = () => RATES[chosenPace()];

for (const choice of document.querySelectorAll("select[data-pace]")) {
  choice.closest("[hidden]")?.removeAttribute("hidden");
  choice.value = chosenPace();
  choice.addEventListener("change", () => localStorage.setItem(KEY, choice.value));
}
