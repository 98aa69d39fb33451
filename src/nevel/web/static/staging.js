// What happened is staged on the board, step by step (docs/stagings.md), and frames that come meanwhile wait for their turn.
// Whoever presses a key or the board has seen enough: the staging ends at once, and everything that waits is shown.
import { pace } from "./comfort.js";
import { follow, readLists } from "./following.js";
import { isCalm, move, remember } from "./motion.js";
import { play, playEvent } from "./sound.js";
import { Stage } from "./stage.js";

const LASTS = { light: 280, usual: 600, heavy: 1200 };
const MOST = 6000; // milliseconds all steps of a scene take, but for those that wait for somebody
const BETWEEN = 350; // milliseconds from one scene to the next
const NEXT_ROUND = 20000; // milliseconds after which the next round is shown anyway; with a clock that runs:
const NEXT_ROUND_ON_TIME = 4000;
const LONG = 1000; // milliseconds from which on a staging is one that bots wait for
const BACKLOG = 3; // frames that may wait; with more, a page would fall behind the table
const waiting = []; // frames that came during a staging, each with what shows it
let current = null; // what is staged now

// A frame has come. `show` puts it in the place of the present one, at once or when what is staged is over.
export function arrive(frame, show) {
  const list = frame.querySelector("[data-staging]");
  list?.remove(); // it is no part of the page, whether it is played or not
  waiting.push({ frame, show, list });
  if (!current) showNext();
  else if (waiting.length > BACKLOG && !current.isForPeople) finish();
}

// Whether a line of the story is staged now, with sounds of its own.
export const isHeardLater = ({ id }) => Boolean(current?.steps.some(({ line, sound }) => sound && line.name === id));

// End what is staged: everything is as it will be, and what waited is shown.
export function finish() {
  if (!current) return;
  const { frame, show, stage, isShown } = current;
  current.isOver = true;
  current = null;
  stage.clear();
  if (!isShown) show(frame);
  while (waiting.length) {
    const next = waiting.shift();
    next.show(next.frame);
  }
  tellIdle();
}

function showNext() {
  while (!current && waiting.length) {
    const { frame, show, list } = waiting.shift();
    const steps = waiting.length < BACKLOG ? stepsOf(frame, list) : [];
    const isForPeople = steps.some((step) => step.do === "next-round"); // who play on meanwhile don't end it
    if (steps.length) run({ frame, show, steps, stage: new Stage(), isForPeople, isShown: false, isOver: false });
    else change(frame, show);
  }
  if (!current) tellIdle();
}

const table = () => document.getElementById("table");
const tellIdle = () => dispatchEvent(new Event("shown"));

// The new board takes the place of the old one: cards travel from where they were to where they are.
function change(frame, show, isStaged) {
  const places = remember();
  show(frame);
  move(places, isStaged);
}

async function run(staging) {
  current = staging;
  const { frame, show, steps, stage } = staging;
  const lengths = lengthsOf(steps);
  if (steps.some((step) => step.do === "next-round") || groupsOf(steps).reduce((sum, [step]) => sum + lengths(step), 0) > LONG) {
    dispatchEvent(new Event("showing"));
  }
  const change_at = steps.findLastIndex((step) => step.is_before) + 1;
  if (change_at && !mayHold()) steps.splice(0, change_at);
  else await playAll(staging, steps.splice(0, change_at), lengths);
  if (staging.isOver) return;
  stage.clear();
  staging.isShown = true;
  stage.prepare(steps);
  change(frame, show, (element) => stage.moves(element));
  stage.begin();
  await playAll(staging, steps, lengths);
  if (staging.isOver) return;
  stage.clear();
  current = null;
  showNext();
}

// Nobody is kept from a move: who is asked, and hasn't answered yet, is shown what there is to decide at once.
const mayHold = () => !table().matches(".is-yours:not(.is-sending)");

async function playAll(staging, steps, lengths) {
  for (const group of groupsOf(steps)) {
    if (staging.stage.changeScene(group[0].scene)) await staging.stage.pause(BETWEEN * pace());
    if (staging.isOver) return;
    for (const step of group) {
      tell(step.line, staging.frame);
      if (step.sound) play(step.sound);
    }
    await Promise.all(group.map((step) => {
      if (step.do === "next-round") return staging.stage.waitForPeople(limitOf(staging.frame));
      return staging.stage.play(step, lengths(step)).catch(() => {}); // it was ended before
    }));
    if (staging.isOver) return;
  }
}

const limitOf = (frame) => (frame.matches(".is-yours") && frame.querySelector("[data-deadline]") ? NEXT_ROUND_ON_TIME : NEXT_ROUND);

// Steps that begin together. Nothing is played in two scenes at once.
function groupsOf(steps) {
  const groups = [];
  for (const step of steps) {
    if (step.is_together && groups.length && groups.at(-1)[0].scene === step.scene) groups.at(-1).push(step);
    else groups.push([step]);
  }
  return groups;
}

// How long a step takes: as it weighs, at the pace somebody likes; shorter where there are many in its scene.
function lengthsOf(steps) {
  const usual = (step) => (step.do === "next-round" ? 0 : LASTS[step.weight ?? "usual"]);
  const all = {};
  for (const group of groupsOf(steps)) all[group[0].scene] = (all[group[0].scene] ?? 0) + Math.max(...group.map(usual));
  return (step) => usual(step) * pace() * Math.min(1, MOST / all[step.scene]);
}

// What a frame has to stage after the one that is shown; nothing if something was missed between.
function stepsOf(frame, list) {
  if (!list || isCalm() || !follows(frame)) return [];
  return [...list.children].flatMap((item) => {
    const line = { name: item.dataset.line, sentence: item.textContent };
    return JSON.parse(item.dataset.steps).map((step) => ({ ...step, line }));
  });
}

// Changes follow what they say they follow, a whole page the version before it, and in a replay a moment the one before.
function follows({ dataset }) {
  const shown = table().dataset;
  if (dataset.at) return Number(dataset.at) === Number(shown.at) + 1 && dataset.whose === shown.whose;
  return dataset.after === undefined ? Number(dataset.version) === Number(shown.version) + 1 : dataset.after === shown.version;
}

// The story tells what is staged while it is staged, and what happened before it.
function tell(line, frame) {
  const list = document.getElementById("told");
  if (!list || document.getElementById(line.name)) return;
  const read = readLists();
  const lines = [...frame.querySelectorAll("li[id^=told-]")];
  const news = lines.slice(0, lines.findIndex(({ id }) => id === line.name) + 1).filter(({ id }) => !document.getElementById(id));
  for (const item of news) {
    list.append(item.cloneNode(true));
    if (!isHeardLater(item)) playEvent(item.dataset.event);
  }
  follow(read);
}

// ---- seen enough

// The wait for the people goes on to the next round; anything else ends at once.
const skip = () => (current.stage.goOn ? current.stage.goOn() : finish());

const isTyping = ({ target }) => target.matches?.("textarea, select, input:not([type=radio], [type=checkbox], [type=range])");
// A press before the new board is shown would be one on the old: it only ends the staging.
const isHeld = ({ target }) => !current.isShown && target.closest?.("#play");

// What is disabled on the old board is never told of a click: a press there ends with the finger's rising.
let isPressed = false, isSwallowed = false;
addEventListener("pointerdown", (event) => {
  isPressed = isSwallowed = false;
  if (!current) return;
  if (isHeld(event)) {
    event.stopPropagation();
    isPressed = true;
  } else if (current.isShown) skip();
}, true);
addEventListener("pointerup", () => {
  if (!isPressed || !current) return;
  isPressed = false;
  isSwallowed = true;
  skip();
}, true);
addEventListener("click", (event) => {
  if (isSwallowed) {
    isSwallowed = false;
    event.stopPropagation();
    event.preventDefault();
  }
  if (!current) return;
  if (isHeld(event)) {
    event.stopPropagation();
    event.preventDefault();
  }
  skip();
}, true);
addEventListener("keydown", (event) => {
  if (!current || isTyping(event) || ["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
  if (isHeld(event) && ["Enter", " "].includes(event.key)) {
    event.stopPropagation();
    event.preventDefault();
  }
  skip();
}, true);
addEventListener("visibilitychange", () => {
  if (document.hidden) finish();
});
