// @ts-check
// The values of a number at which an answer changes: the columns of a table, the steps of a range.

import { newest } from "./requests.js";
import { axis, put } from "./form_paths.js";

/** How far is looked, and how many values are proposed. */
const FAR = 28, MOST = 6;

/** @type {import("./requests.js").Door<import("./types").LiveReply>} */
const solved = newest("/api/odds");

/** Values from the first of `range` on at which some measure is another than one before; null where every one is. */
export const of = async (question, form, way, { from, most }) => {
  const to = Math.min(most, from + FAR);
  let reply = null;
  try { reply = await solved({ ...question, form: put(form, way, { from, to }), cell: 0, patient: true }); } catch { /* it was told */ }
  const grid = reply?.grid;
  const at = grid ? grid.axes.findIndex((one) => String(axis(form, one.path)) === String(way) || one.path.split(".").at(-1) === way.at(-1)) : -1;
  if (at < 0 || grid.axes[at].values.length !== to - from + 1) return null;
  // Along this axis, the others at their first places.
  const stride = grid.axes.slice(at + 1).reduce((all, one) => all * one.words.length, 1);
  const differs = (i) => grid.measures.some(({ values }) => Math.abs((values[i * stride] ?? 0) - (values[(i - 1) * stride] ?? 0)) > 1e-12);
  const values = grid.axes[at].values.map(Number), kept = values.filter((_, i) => !i || differs(i));
  return kept.length > 1 && kept.length < values.length ? kept.slice(0, MOST) : null;
};
