// Fair dealing: one's own part of the shuffle. The page draws it, promises it by its hash once the server has shown that of
// its secret, and shows it when the table is locked. docs/fairness.md says what that is good for.
import { insist } from "./insist.js";
import { digest, readChain } from "./shuffle.js";

const BYTES = 16;
const PLACE = "part of the shuffle ";
const KEPT = 50; // parts this browser remembers; games are seldom proved later
const underWay = new Set();

// What a table tells of its shuffle to who sits there; a page has it while the table waits.
export function followShuffle() {
  const told = document.getElementById("shuffling")?.dataset.view;
  if (told) takePart(JSON.parse(told), location.search);
}

// Opens no cards before this page has seen what the server committed itself to.
export async function startWithPart(table) {
  const answer = await fetch(`/api/tables/${table}`);
  await takePart((await answer.json()).view, "");
  const view = await ask(table, "start", {}, "");
  if (view) await takePart(view, "");
}

export const canTakePart = () => Boolean(globalThis.crypto?.subtle);

async function takePart({ table, you, commitment, shuffle }, query) {
  if (!canTakePart() || !commitment || !shuffle || you.chair === null) return;
  if (shuffle.is_locked) await showParts(table, commitment, shuffle, query);
  else await promise(table, you.chair, commitment, shuffle.promises[you.chair], query);
}

async function promise(table, chair, commitment, promised, query) {
  const before = recall(table, chair);
  const own = before ?? note(table, chair, { part: draw(), commitment });
  if (own?.commitment !== commitment) return;
  const hash = await digest(own.part);
  // What stands there otherwise comes from another device of theirs: the last to come has it, and none takes it back.
  if (promised !== hash && !(before && promised)) await ask(table, "promise", { promise: hash, chair }, query);
}

// All parts this browser has at the table: somebody may have several chairs.
async function showParts(table, commitment, { chain, parts }, query) {
  const { head, promises } = await readChain(chain);
  for (const chair of Object.keys(promises).filter((chair) => !(chair in parts))) {
    const own = recall(table, chair);
    // Once it is shown, nothing else may be arranged any more: so the part isn't shown for two chains.
    if (own?.commitment !== commitment || (own.head ?? head) !== head) continue;
    if ((await digest(own.part)) !== promises[chair] || !note(table, chair, { ...own, head })) continue;
    await ask(table, "contribute", { part: own.part, chair: Number(chair) }, query);
  }
}

// The view there is then; null where it was refused, as when the cards are dealt already, or asked just now.
async function ask(table, command, fields, query) {
  const what = [table, command, fields.chair].join(" ");
  if (underWay.has(what)) return null;
  underWay.add(what);
  try {
    const body = JSON.stringify({ ...fields, command_id: crypto.randomUUID() });
    const answer = await insist(`/api/tables/${table}/${command}${query}`, body);
    return answer.ok ? (await answer.json()).view : null;
  } finally {
    underWay.delete(what);
  }
}

const draw = () => [...crypto.getRandomValues(new Uint8Array(BYTES))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// What this browser knows of its part at a table: the part, what the server had committed itself to, and the end of the
// chain for which it was shown. A page that is loaded again has it still.
export function recall(table, chair) {
  try {
    return JSON.parse(localStorage.getItem(`${PLACE}${table} ${chair}`));
  } catch {
    return null;
  }
}

// Null where the browser keeps nothing: a part that is lost with the page had better not be promised.
function note(table, chair, own) {
  try {
    forget();
    localStorage.setItem(`${PLACE}${table} ${chair}`, JSON.stringify({ at: Date.now(), ...own }));
    return own;
  } catch {
    return null;
  }
}

function forget() {
  const places = Object.keys(localStorage).filter((place) => place.startsWith(PLACE));
  const at = (place) => JSON.parse(localStorage.getItem(place)).at;
  places.sort((one, other) => at(other) - at(one));
  for (const place of places.slice(KEPT)) localStorage.removeItem(place);
}
