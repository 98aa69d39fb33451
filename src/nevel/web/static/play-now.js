// “Play now” with a part of the shuffle of one's own; without a script the server deals at once.
import { canTakePart, startWithPart } from "./part.js";

addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches(".play-now") || event.defaultPrevented || !canTakePart()) return;
  event.preventDefault();
  const fields = new URLSearchParams(new FormData(form));
  fields.set("start", "false");
  const answer = await fetch(form.action, { method: "POST", body: fields, headers: { accept: "application/json" } }).catch(() => null);
  if (!answer?.ok) return form.submit(); // the browser, or the page it gets, says what is wrong
  const { go } = await answer.json();
  // Whatever goes wrong from here on, there is a table, with a button that starts.
  await startWithPart(go.split("/").pop()).catch(() => {});
  location.assign(go);
});
