// A replay, without reloading the page: moments are fetched and merged, what happened is staged, a link keeps the moment.
import { pace } from "./comfort.js";
import { arrive } from "./staging.js";

const PAUSE = 700; // milliseconds between what was staged and the next move
const table = () => document.getElementById("table");
const run = () => document.getElementById("run");
let running, latest = 0;

async function go(address, isNew = true) {
  const number = (latest += 1);
  const answer = await fetch(address);
  if (!answer.ok || number !== latest) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  arrive(page.getElementById("table"), show);
  if (isNew) history.replaceState(null, "", address);
}

function show(frame) {
  Idiomorph.morph(table(), frame, {
    morphStyle: "outerHTML",
    ignoreActiveValue: true,
    // What somebody opened stays open.
    callbacks: { beforeAttributeUpdated: (name, element) => !(name === "open" && element.tagName === "DETAILS") },
  });
  settle();
}

function settle() {
  run().hidden = false;
  run().setAttribute("aria-label", running ? run().dataset.pause : run().dataset.play);
  const here = document.querySelector("#story [aria-current]");
  const list = document.getElementById("story");
  if (here) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
  const slider = document.getElementById("at");
  slider.value = table().dataset.at;
  document.getElementById("whose").value = table().dataset.whose;
}

const to = (at) => go(table().dataset.address + at);

function stop() {
  clearTimeout(running);
  running = undefined;
  settle();
}

// The next move, a while after all that led to this moment was staged.
function goOn() {
  clearTimeout(running);
  running = setTimeout(() => {
    const { at, length } = table().dataset;
    if (Number(at) >= Number(length)) stop();
    else to(Number(at) + 1);
  }, PAUSE * pace());
}
addEventListener("shown", () => running && goOn());

addEventListener("click", (event) => {
  const link = event.target.closest?.(".steps a, #story a, #mist a");
  if (link && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    stop();
    go(link.href);
  }
  if (event.target.closest?.("#run")) {
    if (running) return stop();
    goOn();
    settle();
  }
});
addEventListener("input", (event) => {
  if (event.target.id === "at") to(event.target.value);
});
addEventListener("change", (event) => {
  if (event.target.id !== "whose") return;
  const address = new URL(location.href);
  if (event.target.value) address.searchParams.set("seat", event.target.value);
  else address.searchParams.delete("seat");
  address.searchParams.set("at", table().dataset.at);
  go(address.href);
});
addEventListener("keydown", (event) => {
  if (event.target.matches("input, select, textarea")) return;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step) to(Math.min(Math.max(Number(table().dataset.at) + step, 0), Number(table().dataset.length)));
});
settle();
