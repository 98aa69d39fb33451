// Sounds are few, soft, made here, and off until asked for. Each means one thing.
import { volume } from "./comfort.js";

const LOUDEST = 0.2; // of one note, at full volume
let air;

// Notes: a frequency in hertz, when it begins and how long it lasts in seconds.
const TUNES = {
  turn: [[660, 0, 0.14], [880, 0.12, 0.22]],
  step: [[220, 0, 0.06]],
  tick: [[880, 0, 0.03]],
  thud: [[98, 0, 0.16], [73, 0.02, 0.24]],
  "turn-over": [[523, 0, 0.05], [659, 0.06, 0.07]],
  rise: [[392, 0, 0.07], [523, 0.06, 0.12]],
  eat: [[330, 0, 0.05], [220, 0.07, 0.05], [165, 0.14, 0.09]],
  fog: [[147, 0, 0.5], [139, 0.1, 0.6]],
  flourish: [[440, 0, 0.08], [330, 0.07, 0.08], [554, 0.15, 0.18]],
  milestone: [[392, 0, 0.12], [494, 0.1, 0.2]],
  won: [[523, 0, 0.18], [659, 0.15, 0.18], [784, 0.3, 0.4]],
  lost: [[330, 0, 0.25], [262, 0.22, 0.45]],
};
// Which tune an event of this game has: its folder says so (web/sounds.json).
const MEANING = Object.fromEntries((document.getElementById("sound")?.dataset.sounds || "").split(" ").map((pair) => pair.split(":")));

export function play(name) {
  if (!volume()) return;
  air ??= new AudioContext();
  for (const [frequency, begin, length] of TUNES[name]) {
    const at = air.currentTime + begin;
    const note = air.createOscillator();
    const loudness = air.createGain();
    note.type = "sine";
    note.frequency.value = frequency;
    loudness.gain.setValueAtTime(0, at);
    loudness.gain.linearRampToValueAtTime(LOUDEST * volume(), at + 0.015);
    loudness.gain.exponentialRampToValueAtTime(0.0001, at + length);
    note.connect(loudness).connect(air.destination);
    note.start(at);
    note.stop(at + length);
  }
}

// The sound of an event, if it has one.
export function playEvent(kind) {
  if (MEANING[kind]) play(MEANING[kind]);
}

// What has been told, and whether the player was asked, before a frame.
export function listen(table) {
  return {
    told: new Set([...table.querySelectorAll("#story li")].map((line) => line.id)),
    isAsked: table.matches(".is-yours"),
    phase: table.dataset.phase,
  };
}

// What `isHeardLater` is staged with sounds of its own.
export function sound(table, before, isHeardLater) {
  // Whoever looks elsewhere is only called when it is their turn, or when it is over.
  if (table.dataset.phase === "over" && before.phase !== "over") return play(table.dataset.won === "1" ? "won" : "lost");
  if (table.matches(".is-yours") && !before.isAsked) play("turn");
  if (document.hidden) return;
  const news = [...table.querySelectorAll("#story li")].filter((line) => !before.told.has(line.id) && !isHeardLater(line));
  const meant = new Set(news.map((line) => MEANING[line.dataset.event]).filter(Boolean));
  for (const name of ["milestone", "flourish", "step"]) if (meant.has(name)) { play(name); break; }
}

// Whoever sets the volume hears it.
addEventListener("volume", () => play("turn"));
