// @ts-check
// Keeps the site for when there is no network, and offers to install it where a browser can.
"use strict";
{
  const root = document.currentScript?.dataset.root ?? "";
  if ("serviceWorker" in navigator && location.protocol.startsWith("http")) navigator.serviceWorker.register(`${root}worker.js`).catch(() => { /* the site works without */ });
  const install = /** @type {HTMLButtonElement | null} */ (document.getElementById("install"));
  addEventListener("beforeinstallprompt", (event) => {
    if (!install) return;
    event.preventDefault();
    install.hidden = false;
    install.onclick = () => { install.hidden = true; /** @type {any} */ (event).prompt(); };
  });
}
