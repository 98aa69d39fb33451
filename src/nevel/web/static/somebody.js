// Somebody's page opens over the table, which goes on meanwhile; its buttons work there as they do on the page.
import { insist } from "./insist.js";
import { tellLate } from "./line.js";

const dialog = document.createElement("dialog");
dialog.className = "over";
dialog.setAttribute("aria-labelledby", "somebody-name");
let changed;

export function meetPeople(whenChanged) {
  changed = whenChanged;
  document.body.append(dialog);
}

async function open(address) {
  const answer = await fetch(address);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const somebody = page.getElementById("somebody");
  if (!somebody) return location.assign(address); // what is to be said instead
  dialog.replaceChildren(somebody);
  if (dialog.open) return;
  dialog.showModal();
  history.pushState({ somebody: true }, ""); // so that going back closes it, and stays at the table
}

dialog.addEventListener("close", () => history.state?.somebody && history.back());
addEventListener("popstate", () => dialog.open && dialog.close());

addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-somebody]");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    open(link.href).catch(() => location.assign(link.href));
  } else if (dialog.open && (event.target === dialog || event.target.closest?.("#back-to-table"))) {
    event.preventDefault();
    dialog.close();
  }
});

dialog.addEventListener("submit", async (event) => {
  const form = event.target;
  event.preventDefault();
  event.stopPropagation();
  if (form.dataset.sent) return; // a double click
  form.dataset.sent = "yes";
  event.submitter?.classList.add("is-pressed");
  try {
    const fields = new URLSearchParams(new FormData(form));
    fields.set("command_id", crypto.randomUUID?.() ?? String(Math.random()));
    const answer = await insist(form.action, fields, tellLate);
    const told = await answer.json();
    if (!answer.ok) return refuse(told.detail);
    if (told.go.includes("/somebody?")) await open(told.go);
    else dialog.close();
    changed();
  } catch {
    form.submit(); // the browser says what is wrong
  } finally {
    delete form.dataset.sent;
    event.submitter?.classList.remove("is-pressed");
  }
});

function refuse(text) {
  const refusal = document.createElement("p");
  refusal.className = "refusal";
  refusal.role = "alert";
  refusal.textContent = text;
  dialog.querySelector(".refusal")?.remove();
  dialog.querySelector("h1").after(refusal);
}
