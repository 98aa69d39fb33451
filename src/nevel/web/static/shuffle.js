// Fair dealing: a page checks on its own that the cards were drawn as docs/fairness.md says.
const bytes = (text) => new TextEncoder().encode(text);
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => new Uint8Array((text.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
const digest = async (data) => hex(await crypto.subtle.digest("SHA-256", data));

// Checks the record of a game that is over, once somebody wants to see the proof. Only over HTTPS, or on the same machine,
// do browsers offer what it takes; elsewhere there is `nevel verify`.
export async function showProof() {
  const proof = document.getElementById("proof");
  if (!proof || proof.textContent || !globalThis.crypto?.subtle) return;
  const answer = await fetch(proof.dataset.record + location.search).catch(() => null);
  if (!answer?.ok) return;
  const isFair = await check(await answer.json()).catch(() => false);
  proof.textContent = isFair ? proof.dataset.fair : proof.dataset.wrong;
}

// What `nevel verify` checks too, but for playing the game again, which takes its rules.
export async function check(record) {
  const { commitment, secret, chain, name, brought = 0 } = record.table;
  const parts = record.table.parts ?? {};
  if ((await digest(unhex(secret))) !== commitment) return false;
  if (!chain[0].startsWith(`opened ${name} ${commitment} ${record.game} ${record.seats} `)) return false;
  let head = "";
  const promises = {};
  for (const line of chain) {
    head = await digest(bytes(`${head}\n${line}`));
    const [kind, chair, text] = line.split(" ");
    if (["seated", "bot", "empty", "promised"].includes(kind)) delete promises[chair];
    if (kind === "promised") promises[chair] = text;
  }
  const added = Object.keys(parts).sort((one, other) => one - other);
  for (const chair of added) if ((await digest(bytes(parts[chair]))) !== promises[chair]) return false;
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
