// A table, live: frames come over a socket, forms are sent without leaving the page.
import "./arrows.js";
import { stayAwake } from "./awake.js";
import { choose } from "./choosing.js";
import { countDown } from "./clocks.js";
import { goAlong, seated, tellChanges } from "./company.js";
import "./drag.js";
import { follow, readLists } from "./following.js";
import { guide } from "./guide.js";
import { insist } from "./insist.js";
import { note, reconnect, startLine, tellLate } from "./line.js";
import { rest } from "./motion.js";
import { pointOut } from "./more.js";
import { offerCopies } from "./nevel.js";
import { followShuffle, recall } from "./part.js";
import { showProof } from "./shuffle.js";
import { meetPeople } from "./somebody.js";
import { listen, sound } from "./sound.js";
import "./speaking.js";
import { arrive, finish, isHeardLater } from "./staging.js";

const LATE = 600;
const connection = document.getElementById("connection");
const toasts = document.getElementById("toasts");
const favicon = document.getElementById("favicon");
const plainSign = favicon.getAttribute("href");
const table = () => document.getElementById("table");
const waiting = new Set(); // what was asked and not answered yet
const pressed = new Set(); // the buttons that asked it, marked as long
let sent = -1; // the row that shows the last move; Infinity until the server says which it is
let late; // the timer of a move that is on its way; an animation that waits would have a layer of its own at every move

// ---- frames

const MERGING = {
  morphStyle: "outerHTML",
  callbacks: {
    // Most of a frame is as it was, which a browser sees quicker than a script.
    beforeNodeMorphed: (old, fresh) => !old.isEqualNode(fresh),
    // What somebody opened, chose or typed stays as it is.
    beforeAttributeUpdated: (name, element) => !(name === "open" && element.tagName === "DETAILS"),
  },
};

// A frame is either whole, or the fragments of it that changed, each with an id, after the version that is shown here.
function merge(frame) {
  // What somebody is typing stays; anything else with the focus is brought up to date like the rest.
  const merging = { ...MERGING, ignoreActiveValue: Boolean(document.activeElement?.matches("input, select, textarea")) };
  if (frame.dataset.after === undefined) return Idiomorph.morph(table(), frame, merging);
  delete frame.dataset.after;
  // What stays in something that changed is only named.
  for (const named of frame.querySelectorAll("template[data-keep]")) {
    named.replaceWith(document.getElementById(named.dataset.keep).cloneNode(true));
  }
  for (const { name } of [...table().attributes]) if (!frame.hasAttribute(name)) table().removeAttribute(name);
  for (const { name, value } of frame.attributes) if (table().getAttribute(name) !== value) table().setAttribute(name, value);
  for (const fragment of [...frame.children]) {
    if (fragment.dataset.add) add(document.getElementById(fragment.dataset.add), fragment);
    else Idiomorph.morph(document.getElementById(fragment.id), fragment, merging);
  }
}

function add(list, { children, dataset }) {
  list.append(...[...children].filter(({ id }) => !document.getElementById(id)));
  while (list.children.length > dataset.most) list.firstElementChild.remove();
}

const parse = (html) => new DOMParser().parseFromString(html, "text/html").body.firstElementChild;

function show(frame) {
  frame.querySelector("[data-staging]")?.remove(); // it was staged, or there is no time for it
  // Something was missed: whoever comes anew is sent everything.
  if (frame.dataset.after !== undefined && frame.dataset.after !== table().dataset.version) return reconnect();
  const heardBefore = listen(table());
  const hadFocus = table().contains(document.activeElement);
  const chosen = table().querySelector(".hand input:checked")?.id;
  const typed = document.getElementById("say-text")?.value;
  const said = new Set(messages().map((message) => message.id));
  const read = readLists();
  const seatedBefore = seated();
  merge(frame);
  // A card that was chosen stays chosen while others say something, and so does what was typed.
  if (chosen && document.getElementById(chosen)) document.getElementById(chosen).checked = true;
  if (typed && document.getElementById("say-text")) document.getElementById("say-text").value = typed;
  settle(); // all that changes the page comes before what measures it
  follow(read);
  sound(table(), heardBefore, isHeardLater);
  if (isLive()) tellChanges(seatedBefore);
  goAlong(isLive());
  if (isLive()) for (const message of messages()) if (!said.has(message.id)) overhear(message);
  if (table().dataset.you !== role) {
    if (/^open-player/.test(role) && !/-player/.test(table().dataset.you) && !isLeaving) tell(connection.dataset.stood);
    isLeaving = false;
    lookBeside();
  }
  // What had the focus may be gone with the move, or can't have it any more: then it is on what is asked next, or on how it ended.
  if (hadFocus && !table().contains(document.querySelector(":focus:enabled, :focus:not(button, input)"))) {
    document.getElementById("prompt")?.focus({ preventScroll: true });
    document.getElementById("result-title")?.focus();
  }
  guide(table());
}

// What others say while the talk is out of sight, as on a phone, is shown where one looks. It is read aloud in its own place.
const isLive = () => Boolean(document.documentElement.dataset.live);
const messages = () => [...document.querySelectorAll("#said li")];
function overhear(message) {
  const { top, bottom } = document.getElementById("said").getBoundingClientRect();
  if (!message.querySelector(".somebody") || (top < innerHeight && bottom > 0)) return;
  tell(message.textContent).ariaHidden = "true";
}

function settle() {
  document.title = `${table().dataset.title} · Nevel`; // a tab in the back says whose turn it is, and shows it
  const sign = table().matches(".is-yours") ? favicon.dataset.yours : plainSign;
  if (favicon.getAttribute("href") !== sign) favicon.setAttribute("href", sign);
  const isSending = Number(table().dataset.seq) < sent;
  table().classList.toggle("is-sending", isSending);
  // A frame on something else may have taken the mark away.
  for (const button of pressed) isSending || button.form?.id !== "play" ? mark(button) : unmark(button);
  clearTimeout(late);
  if (isSending) late = setTimeout(() => table().classList.add("is-late"), LATE);
  else table().classList.remove("is-late");
  choose(table());
  pointOut();
  countDown(table());
  followShuffle();
  comeAsHere();
  stayAwake(table().dataset.phase === "playing");
}

// Frames are the same for all who see the same, so they don't know by which link somebody came.
function comeAsHere() {
  if (!location.search) return;
  for (const link of table().querySelectorAll("a[data-here]")) {
    const there = new URL(link.href);
    for (const [name, value] of new URLSearchParams(location.search)) if (!there.searchParams.has(name)) there.searchParams.set(name, value);
    link.href = there.href;
  }
}

// What stands beside the frame is one person's own: it is fetched again when they have become somebody else here.
let role = table().dataset.you;
let isLeaving = false; // by their own wish
async function lookBeside() {
  const hasBegun = /^open/.test(role) && !/^open/.test(table().dataset.you);
  role = table().dataset.you;
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const beside = document.getElementById("beside");
  // The links are open while people come; once they play, the table has the page to itself.
  const keepOpen = (name, element) => hasBegun || !(name === "open" && element.tagName === "DETAILS");
  Idiomorph.morph(beside, page.getElementById("beside"), { morphStyle: "outerHTML", callbacks: { beforeAttributeUpdated: keepOpen } });
  offerCopies();
  document.querySelector(".me span").textContent = page.querySelector(".me span").textContent;
}
meetPeople(() => {
  reconnect();
  lookBeside(); // when somebody is removed, the invitation is renewed
});

function socketAddress() {
  const query = new URLSearchParams(location.search);
  query.set("frames", "html");
  query.set("language", document.documentElement.lang);
  query.set("since", table().dataset.seq);
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}/api/tables/${table().dataset.table}/socket?${query}`;
}

// A screen that was hidden is let go by the browser.
addEventListener("visibilitychange", () => stayAwake(table().dataset.phase === "playing"));

// Bots wait for whoever is still shown what happened (`nevel.tables.thinking.audience`).
let isShowing = false;
addEventListener("showing", () => tellShowing(true));
addEventListener("shown", () => tellShowing(false));
function tellShowing(isNow) {
  if (isNow !== isShowing) note(isNow ? "showing" : "shown");
  isShowing = isNow;
}

addEventListener("toggle", ({ target }) => target.matches?.(".proof[open]") && showProof(recall), true);

// ---- forms

addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-live]")) return;
  event.preventDefault();
  const fields = new URLSearchParams(new FormData(form, event.submitter));
  if (event.submitter?.name === "move") fields.delete("card");
  send(form, fields, event.submitter);
});

// What is agreed is changed at once, one change after the other; what was chosen meanwhile is sent with what it follows.
let agreeing = false, agreed = null;
addEventListener("change", async ({ target }) => {
  const form = target.form;
  if (!form?.matches("[data-at-once]") || !form.reportValidity()) return;
  agreed = new URLSearchParams(new FormData(form));
  if (agreeing) return;
  agreeing = true;
  for (let seq = null; agreed; ) {
    const fields = agreed;
    agreed = null;
    if (seq !== null) fields.set("seq", seq);
    seq = await send(form, fields);
  }
  agreeing = false;
});

// The last move made here: the row shown then, and the promise that ends when the server has answered.
let lastMove = { shown: Infinity, answered: null };

async function send(form, fields, submitter) {
  const action = form.getAttribute("action").split("?")[0];
  const what = `${action} ${fields}`;
  if (waiting.has(what)) return null; // a double click
  waiting.add(what);
  // Whoever presses sees at once that it was felt, however far away the server is.
  mark(submitter);
  try {
    if (form.id !== "play") return await post(form, action, fields, submitter);
    // A frame can be quicker than the answer to the move it shows: what is pressed on seeing it waits for that answer.
    if (Number(table().dataset.seq) > lastMove.shown) await lastMove.answered;
    // Until the frame with a move is here, there is nothing more to decide.
    if (table().matches(".is-sending")) return unmark(submitter);
    const answered = makeMove(form, action, fields, submitter);
    lastMove = { shown: Number(table().dataset.seq), answered };
    return await answered;
  } finally {
    waiting.delete(what);
    // A move stays marked until it is shown.
    if (form.id !== "play" || !table().matches(".is-sending")) unmark(submitter);
  }
}

function mark(button) {
  if (!button) return;
  pressed.add(button);
  button.classList.add("is-pressed");
}

function unmark(button) {
  pressed.delete(button);
  button?.classList.remove("is-pressed");
  return null;
}

async function makeMove(form, action, fields, submitter) {
  const chosen = form.querySelector(".hand input:checked"); // the next one may be chosen before there is an answer
  sent = Infinity;
  finish();
  rest();
  settle();
  const seq = await post(form, action, fields, submitter);
  sent = seq ?? -1;
  if (seq !== null && chosen) chosen.checked = false;
  settle();
  return seq;
}

// The row that shows what was asked; null where it was refused, which the toast tells.
async function post(form, action, fields, submitter) {
  isLeaving = action.endsWith("/leave");
  fields.set("command_id", crypto.randomUUID?.() ?? String(Math.random()));
  const answer = await insist(action + location.search, fields, tellLate);
  const told = await answer.json();
  if (!answer.ok) {
    refuse(told, submitter);
    return null;
  }
  if (form.matches("[data-reset]")) form.reset();
  // Who sits down may have become somebody by it, and the socket was opened by nobody.
  if (action.endsWith("/sit")) reconnect();
  if (told.go && !told.go.startsWith(location.pathname)) location.assign(told.go);
  return told.seq;
}

function refuse(problem, element) {
  const rule = problem.clause && `/rules/${table().className.match(/table-([\w-]+)/)[1]}#${problem.clause}`;
  tell(problem.detail.replace(` (${problem.clause})`, ""), rule);
  element?.classList.remove("shake");
  void element?.offsetWidth;
  element?.classList.add("shake");
}

function tell(text, link) {
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.textContent = text;
  if (link) {
    const anchor = document.createElement("a");
    anchor.href = link;
    anchor.textContent = `§ ${link.split("#")[1]}`;
    toast.append(" ", anchor);
  }
  toasts.append(toast);
  setTimeout(() => toast.remove(), 6000);
  return toast;
}

settle();
goAlong(false);
guide(table());
follow();
startLine({ address: socketAddress, hear: (data) => arrive(parse(data), show), welcome: () => tell(connection.dataset.back) });
