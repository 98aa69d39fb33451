// A puzzle without reloading the page: what a form or a link leads to is fetched and merged, cards travel.
import "./arrows.js";
import { choose } from "./choosing.js";
import { remember, move } from "./motion.js";

const main = () => document.getElementById("main");
const table = () => document.getElementById("table");
let latest = 0;

async function go(address, options = {}) {
  const number = (latest += 1);
  table().classList.add("is-sending");
  const answer = await fetch(address, options).catch(() => null);
  if (number !== latest) return;
  const text = await answer?.text();
  const page = text && new DOMParser().parseFromString(text, "text/html");
  // Away, or something that is no puzzle: the browser shows what there is to show.
  if (!page?.getElementById("table")) return options.body ? document.getElementById("play").submit() : location.assign(address);
  const before = remember();
  Idiomorph.morph(main(), page.getElementById("main"), { morphStyle: "outerHTML" });
  document.title = page.title;
  move(before);
  if (answer.ok) history.pushState(null, "", answer.url);
  settle();
  const said = document.getElementById("verdict") ?? (table().contains(document.activeElement) ? null : document.getElementById("prompt"));
  said?.focus({ preventScroll: true });
  document.querySelector("#verdict, .refusal")?.scrollIntoView({ block: "nearest", behavior: "smooth" });
}

function settle() {
  table().classList.remove("is-sending");
  choose(table());
}

addEventListener("submit", (event) => {
  if (event.target.id !== "play") return;
  event.preventDefault();
  if (table().matches(".is-sending")) return; // a double click
  const fields = new URLSearchParams(new FormData(event.target, event.submitter));
  go(event.target.action, { method: "POST", body: fields });
});
addEventListener("click", (event) => {
  const link = event.target.closest?.("#table a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || !link.pathname.startsWith("/puzzles/")) return;
  event.preventDefault();
  go(link.href);
});
addEventListener("popstate", () => location.reload());
settle();
