// What screen readers are told of the game: a sentence an event, of a count its outcome, and as much as somebody likes.
// What happens quickly is told together, so that nothing is still being read when the next question comes.
const KEY = "verbosity";
const LEVELS = ["all", "short", "turn"];
const TOGETHER = 900; // milliseconds
const FEW = 3; // events that are told one by one
const region = document.getElementById("spoken");
const choice = document.querySelector("select[data-verbosity]");
// The events that say what came out of a count: a game's folder names them (web/sounds.json).
const OUTCOMES = (document.getElementById("sound")?.dataset.sounds || "").match(/[\w-]+(?=:milestone)/g) ?? [];
let waiting = [], known = new Set(), timer, prompted = "";

const verbosity = () => (LEVELS.includes(localStorage.getItem(KEY)) ? localStorage.getItem(KEY) : "short");

if (choice) {
  choice.value = verbosity();
  choice.closest("[hidden]").hidden = false;
  choice.addEventListener("change", () => localStorage.setItem(KEY, choice.value));
}

const lines = () => [...document.querySelectorAll("#story li")];

// A frame is shown, and what is staged of it is over.
function listen() {
  waiting.push(...lines().filter((line) => !known.has(line.id)));
  known = new Set(lines().map((line) => line.id));
  timer ??= setTimeout(tell, TOGETHER);
}

if (region) {
  known = new Set(lines().map((line) => line.id)); // it is read with the page
  prompted = document.getElementById("prompt")?.textContent ?? "";
  addEventListener("shown", listen);
}

function tell() {
  timer = undefined;
  const how = verbosity();
  const sentences = how === "all" || waiting.length <= FEW ? waiting.map((line) => line.textContent) : summary(waiting);
  if (how === "turn") sentences.length = 0;
  waiting = [];
  const prompt = document.getElementById("prompt");
  const isNew = prompt && prompt.textContent !== prompted;
  prompted = prompt?.textContent ?? "";
  // What has the focus is read by itself.
  if (isNew && document.activeElement !== prompt && (how === "all" || prompt.closest(".is-yours"))) sentences.push(prompted);
  if (sentences.length) region.textContent = sentences.join(" ");
}

// Of many events: what came out of them, the newest, and how many there are besides.
function summary(lines) {
  const outcome = lines.map((line) => line.dataset.event).reverse().find((event) => OUTCOMES.includes(event));
  const told = lines.filter((line, i) => line.dataset.event === outcome || i === lines.length - 1);
  const besides = region.dataset.besides.replace("{count}", lines.length - told.length);
  return [...told.map((line) => line.textContent), ...(lines.length > told.length ? [besides] : [])];
}
