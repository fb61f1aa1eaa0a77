// @ts-check
// A grid with more squares than are answered while one types: a sample of it at once, evenly chosen along every axis.

import { newest } from "./requests.js";
import { axesOf } from "./form.js";
import { put } from "./form_paths.js";
import { grouped } from "./work.js";

/** Squares of a sample: as many as can be looked at. */
const SQUARES = 240;

/** @type {import("./requests.js").Door<import("./types").LiveReply>} */
const solved = newest("/api/odds");

/** So many of these, from the first to the last. */
const spread = (all, count) => [...new Set(Array.from({ length: count }, (_, i) => all[Math.round((i * (all.length - 1)) / Math.max(1, count - 1))]))];

/** How many of each axis are taken: the longest are shortened first. */
export const shares = (lengths) => {
  const taken = [...lengths];
  while (taken.reduce((all, one) => all * one, 1) > SQUARES) {
    const longest = taken.indexOf(Math.max(...taken));
    if (taken[longest] <= 2) break;
    taken[longest] = Math.max(2, Math.floor(taken[longest] * 0.8));
  }
  return taken;
};

/** The form with fewer values along its axes, and how many of how many each has. */
const thinned = (fields, values) => {
  const axes = axesOf(fields, values), taken = shares(axes.map((axis) => axis.values.length));
  const form = axes.reduce((all, axis, i) => put(all, axis.way, spread(axis.values, taken[i])), values);
  return { form, said: axes.map((axis, i) => `${taken[i]} of ${grouped(axis.values.length)} of ${axis.label}`).join(", ") };
};

/** The grid of a sample of a question with this form; null where there is none. */
export const of = async (question, fields, values) => {
  if (!values || fields === undefined) return null;
  const { form, said } = thinned(fields, values);
  let reply = null;
  try { reply = await solved({ ...question, form, cell: 0, patient: true }); } catch { /* it was told */ }
  if (!reply?.grid) return null;
  return { form, text: reply.text, grid: { ...reply.grid, remarks: [`A sample: ${said}. Work it out for all squares.`, ...reply.grid.remarks] } };
};
