// On every page: small comforts. Nothing here is needed to play.
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.querySelector("span").textContent = button.dataset.done;
  });
}
if ("serviceWorker" in navigator && isSecureContext) navigator.serviceWorker.register("/worker.js");
