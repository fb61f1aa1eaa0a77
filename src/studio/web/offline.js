// @ts-check
// What is said while the studio does not answer.

import { onLine } from "./requests.js";
import { byId } from "./dom.js";

/** By what has happened. */
const OFFLINE = {
  gone: "The studio does not answer: it was ended. What you typed is kept here: start enfilade studio again. If it then has another address, copy the link here and open it there.",
  silent: "The studio has not answered for a while: what is shown may be old. It is asked again as soon as it answers. Where many windows of it are open, close some.",
  stranger: "The studio was started anew: open the address that it prints in this tab. What you typed is kept.",
};

/** `back` is called when it answers again. */
export const wire = (back) => onLine((state) => {
  const was = byId("offline").hidden;
  byId("offline").hidden = state === "here";
  byId("offline").textContent = OFFLINE[state] || "";
  if (state === "here" && !was) back();
});
