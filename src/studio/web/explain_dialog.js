// @ts-check
// How a number comes about: a roll that gave it, in a dialog.

import { byId } from "./dom.js";
import { rolls } from "./explain_roll.js";

let shown = null;

/** Tells a way that comes to what is `wanted`: the values of an outcome, or the name of a measure. */
export const open = (question, wanted) => {
  shown.open({ ...question, ...wanted });
  if (!byId("why").open) byId("why").showModal();
};

export const wire = () => {
  shown = rolls(byId("steps"), byId("outcome"));
  byId("why-close").addEventListener("click", () => byId("why").close());
  byId("again").addEventListener("click", () => shown.again());
};
