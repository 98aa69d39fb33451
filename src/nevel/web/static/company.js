// Who comes, goes and comes back at a table, and that it is played again: told in a sentence, without interrupting.
const SHOWN = 6000;
const news = document.getElementById("news");
const CHANGES = { "empty person": "joined", "bot person": "joined", "person empty": "left", "person bot": "replaced", "person stood-in": "replaced", "stood-in person": "returned" };
let timer;

// Who sits where, as the page shows it.
export const seated = () =>
  [...document.querySelectorAll("#table .players .player")].map((player) => ({
    kind: player.className.match(/kind-([\w-]+)/)[1],
    name: player.querySelector(".who strong").textContent,
    isYou: player.matches(".is-you"),
  }));

export function tellChanges(before) {
  const sentences = seated().flatMap((now, seat) => {
    const was = before[seat];
    const what = CHANGES[`${was?.kind} ${now.kind}`];
    if (!what || now.isYou || was.isYou) return [];
    // Whoever went is called something else by now.
    return news.dataset[what].replace("{player}", what === "left" || what === "replaced" ? was.name : now.name);
  });
  if (document.getElementById("rematch")?.dataset.ready && !news.dataset.isAgain) {
    news.dataset.isAgain = "yes";
    sentences.push(news.dataset.rematch);
  }
  if (!sentences.length) return;
  news.textContent = sentences.join(" ");
  clearTimeout(timer);
  timer = setTimeout(() => (news.textContent = ""), SHOWN);
}

// A screen goes along to the next game whenever it looks; whoever watches, when it is set up while they are here.
export function goAlong(isHere) {
  const next = document.getElementById("next");
  if (next && (isHere || document.getElementById("table").matches(".role-screen"))) location.assign(next.href);
}
