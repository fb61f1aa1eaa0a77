// @ts-check
// How a question is asked elsewhere, and which square of a grid it is about, in words.

import { byId, element } from "./dom.js";
import { places } from "./grid.js";
import * as jobs from "./jobs.js";

/** @typedef {import("./types").LiveReply} LiveReply */
/** @typedef {import("./types").AllActionFormsReply} Forms */

/** Shows how the same is asked on the command line.
 * @param {{ name: string, cell: number, contest: number }} now
 * @param {Partial<LiveReply>} reply */
const command = (now, reply) => {
  const named = now.name || "question.toml", verb = "arsenal" in reply ? "balance" : "odds";
  const cells = reply.grid ? `, cell ${now.cell + 1}` : "";
  byId("command").replaceChildren(now.name ? "In the terminal: " : "Saved, in the terminal: ", element("code", {}, `enfilade ${verb} ${/^[\w./-]+$/.test(named) ? named : `"${named}"`}`), cells);
};

/** Which square the answer above a grid is of.
 * @param {import("./types").GridNumbersView} drawn
 * @param {number} cell */
export const place = (drawn, cell) => {
  const steps = places(drawn, cell);
  return `At ${drawn.axes.map((one, i) => `${one.label} ${one.words[steps[i]]}`).join(", ")}:`;
};

/** A file of weapons has no contest: its job is its prices, and what is printed stands where nothing is said.
 * @param {{ name: string, cell: number, contest: number }} now
 * @param {Partial<LiveReply>} reply */
export const showKind = (now, reply) => {
  const arsenal = "arsenal" in reply, { system, action } = reply.contests?.[now.contest] || {};
  jobs.turned(JSON.stringify([now.name, now.contest, arsenal ? reply.arsenal : [system, action]]), reply.text);
  command(now, reply);
  byId("odds-title").textContent = arsenal ? "Prices" : "Odds";
  byId("simulate").textContent = arsenal ? "Price all of them" : "Simulate";
  byId("jobs-title").textContent = arsenal ? "Prices" : "Simulate and print";
  byId("desk").dataset.kind = arsenal ? "arsenal" : "question";
  if (!arsenal) return;
  byId("jobs").open = true;
  byId("form").querySelectorAll("tbody[data-path]").forEach((row, i) => {
    const price = row.querySelector("[data-path$='.price'] input");
    if (price) price.placeholder = reply.printed?.[i] ?? "?";
  });
};

/** The action of a contest, and its game.
 * @param {Forms} forms */
export const actionOf = (forms, contest) => {
  const system = forms.systems.find((one) => one.id === contest?.system) || (forms.systems.filter((one) => one.file).length === 1 && !contest?.system && forms.systems.find((one) => one.file));
  return { system, action: system && system.actions.find((one) => one.name === contest?.action) };
};

/** An arsenal has a form as actions have: of its rulebook.
 * @param {Forms} forms
 * @param {LiveReply} reply */
const arsenalOf = (forms, reply) => {
  const system = forms.systems.find((one) => one.arsenal && (one.id === reply.arsenal || (one.file && !reply.arsenal)));
  byId("about").textContent = system ? `${system.title}: what its weapons should cost.` : "";
  byId("contest-row").hidden = true;
  return system?.arsenal;
};

/** Shows what is asked, above its form, and gives its fields.
 * @param {Forms} forms
 * @param {{ contest: number }} now
 * @param {LiveReply} reply */
export const showHead = (forms, now, reply) => {
  if ("arsenal" in reply) return arsenalOf(forms, reply);
  const { system, action } = actionOf(forms, reply.contests?.[now.contest]);
  byId("about").textContent = action ? `${system.title}: ${action.about}` : "";
  const several = (reply.contests || []).length > 1;
  byId("contest-row").hidden = !several;
  if (several) byId("contest").replaceChildren(...reply.contests.map((one, i) => element("option", { value: i, selected: i === now.contest }, one.name || `${one.system || ""} ${one.action || ""} ${i + 1}`)));
  return action;
};
