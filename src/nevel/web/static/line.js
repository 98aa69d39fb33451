// The line to the server, over which frames come. It is asked whether it still lives and opened again when it doesn't;
// within three seconds the page says in words how it stands.
const LOOK_EVERY = 500;
// Milliseconds without a word from the server: then it is asked; then the person is told; then another line is opened.
const ASK_AFTER = 1500;
const TELL_AFTER = 2500;
const GIVE_UP_AFTER = 5000; // a handshake has as long
const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;
const NO_TABLE = 4404;

const words = document.getElementById("connection");
let about; // what to open, and whom to tell
let socket, retry;
let tries = 0, began = 0, heard = 0, isOpened = false, isAsked = false;
let trouble = "", lateAnswers = 0;

// `address()` is where the socket is; `hear(data)` is told of every frame, `welcome()` of a line that is back.
export function startLine(given) {
  about = given;
  connect();
  setInterval(look, LOOK_EVERY);
  addEventListener("online", reconnect);
  addEventListener("offline", () => {
    worry();
    ask(); // a server on this machine still answers, and all is well
  });
  addEventListener("visibilitychange", wakeUp);
}

// Whoever is somebody else now, or has missed something, takes a new line.
export function reconnect() {
  drop();
  connect();
}

// A request that isn't answered is told of here, too: to whoever waits it is one and the same line.
export function tellLate(isLate) {
  lateAnswers += isLate ? 1 : -1;
  say();
}

// Something the server is told and doesn't answer.
export function note(text) {
  if (socket.readyState === WebSocket.OPEN) socket.send(text);
}

function connect() {
  clearTimeout(retry);
  isOpened = isAsked = false;
  began = heard = Date.now();
  socket = new WebSocket(about.address());
  socket.onopen = () => (isOpened = true);
  socket.onmessage = ({ data }) => {
    heard = Date.now();
    isAsked = false;
    if (tries) {
      about.welcome();
      dispatchEvent(new Event("line-back"));
    }
    tries = 0;
    trouble = "";
    say();
    if (data.startsWith("<")) about.hear(data);
    document.documentElement.dataset.live = "yes";
  };
  socket.onclose = ({ code }) => (code === NO_TABLE ? location.reload() : lose());
}

function drop() {
  socket.onclose = socket.onmessage = null;
  socket.close();
}

// Tries again: soon at first, then more seldom, and never all pages at the same moment. What a handshake took counts.
function lose() {
  const spent = isOpened ? 0 : Date.now() - began;
  drop();
  tries += 1;
  delete document.documentElement.dataset.live;
  worry();
  const wait = Math.min(FIRST_WAIT * 2 ** tries, LONGEST_WAIT) * (0.5 + Math.random());
  retry = setTimeout(connect, Math.max(FIRST_WAIT * Math.random(), wait - spent));
}

function look() {
  if (document.hidden || socket.readyState > WebSocket.OPEN) return;
  const silence = Date.now() - heard;
  if (silence >= GIVE_UP_AFTER) lose();
  else if (silence >= TELL_AFTER) worry();
  else if (silence >= ASK_AFTER) ask();
}

function ask() {
  if (isAsked || socket.readyState !== WebSocket.OPEN) return;
  isAsked = true;
  socket.send("ping");
}

// A tab that comes back doesn't wait for its dead line to be noticed, nor takes a long sleep for a dead line.
function wakeUp() {
  if (document.visibilityState !== "visible") return;
  if (socket.readyState > WebSocket.OPEN) return connect();
  heard = Math.max(heard, Date.now() - ASK_AFTER);
  look();
}

function worry() {
  trouble = !navigator.onLine ? "offline" : tries ? "lost" : "silent";
  say();
}

function say() {
  const text = words.dataset[trouble || (lateAnswers > 0 ? "late" : "")] ?? "";
  if (words.textContent !== text) words.textContent = text;
}
