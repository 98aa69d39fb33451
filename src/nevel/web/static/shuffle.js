// Fair dealing: a page checks on its own that the cards were drawn as docs/fairness.md says.
const bytes = (text) => new TextEncoder().encode(text);
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => new Uint8Array((text.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
const hash = async (data) => hex(await crypto.subtle.digest("SHA-256", data));
export const digest = (text) => hash(bytes(text));

// Checks the record of a game that is over, once somebody wants to see the proof. Only over HTTPS, or on the same machine,
// do browsers offer what it takes; elsewhere there is `nevel verify`. `recall` knows what this browser had seen and added.
export async function showProof(recall) {
  const proof = document.getElementById("proof");
  if (!proof || proof.textContent || !globalThis.crypto?.subtle) return;
  const answer = await fetch(proof.dataset.record + location.search).catch(() => null);
  if (!answer?.ok) return;
  const record = await answer.json();
  const told = await judge(record, record.table.chairs.map((_, chair) => recall(record.table.name, chair))).catch(() => ["wrong"]);
  proof.textContent = told.map((name) => proof.dataset[name]).join(" ");
}

// What there is to say of a record: whether it is fair, and what became of the parts this browser had noted, by chair.
export async function judge(record, noted) {
  if (!(await check(record))) return ["wrong"];
  const { commitment, chain, parts = {} } = record.table;
  const { head, promises } = await readChain(chain);
  let told = ["fair"];
  for (const [chair, own] of noted.entries()) {
    if (!own) continue;
    // The server showed this browser another secret's hash, or another arrangement, before.
    if (own.commitment !== commitment || (own.head ?? head) !== head) return ["wrong"];
    if (promises[chair] !== (await digest(own.part))) continue; // promised by another device, or too late
    if (parts[chair] === own.part) told.push("added");
    else told.push("missing");
  }
  return [...new Set(told)];
}

// What `nevel verify` checks too, but for playing the game again, which takes its rules.
export async function check(record) {
  const { commitment, secret, chain, name, brought = 0 } = record.table;
  const parts = record.table.parts ?? {};
  if ((await hash(unhex(secret))) !== commitment) return false;
  if (!chain[0].startsWith(`opened ${name} ${commitment} ${record.game} ${record.seats} `)) return false;
  const { head, promises } = await readChain(chain);
  const added = Object.keys(parts).sort((one, other) => one - other);
  for (const chair of added) if ((await digest(parts[chair])) !== promises[chair]) return false;
  const context = [head, ...added.map((chair) => `${chair}:${[...parts[chair]].length}:${parts[chair]}`)].join("\n");
  const hmac = await crypto.subtle.importKey("raw", unhex(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const keyOf = async (number) => hex(await crypto.subtle.sign("HMAC", hmac, bytes(`${context}\n${number}`))).slice(0, 32);
  if (record.seed !== (await keyOf(0))) return false;
  // A move that drew something leaves the next key to the next move; one that didn't leaves its own.
  let number = 1;
  for (const { key } of record.moves.slice(brought)) {
    if (key !== (await keyOf(number)) && key !== (await keyOf((number += 1)))) return false;
  }
  return true;
}

// The last hash of a chain, each over the hash before and its line, and the parts that were promised and count, by chair.
export async function readChain(chain) {
  let head = "";
  const promises = {};
  for (const line of chain) {
    head = await digest(`${head}\n${line}`);
    const [kind, chair, text] = line.split(" ");
    if (["seated", "bot", "empty", "promised"].includes(kind)) delete promises[chair];
    if (kind === "promised") promises[chair] = text;
  }
  return { head, promises };
}
