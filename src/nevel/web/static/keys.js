// Which keys there are, over the page one is on; fetched when somebody asks for the first time.
const dialog = document.createElement("dialog");
dialog.className = "over";
dialog.setAttribute("aria-labelledby", "keys-title");
document.body.append(dialog);

export async function showKeys(address) {
  if (!dialog.firstChild) {
    const answer = await fetch(address);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    dialog.append(page.getElementById("keys"));
  }
  if (!document.querySelector("dialog[open]")) dialog.showModal();
}

dialog.addEventListener("click", (event) => {
  if (event.target !== dialog && !event.target.closest("#close-keys")) return;
  event.preventDefault();
  dialog.close();
});
