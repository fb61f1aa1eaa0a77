// @ts-check
// The questions that a designer asks again and again, a button each, about what stands there.

import * as best from "./best.js";
import { button, byId, element, say } from "./dom.js";
import * as jobs from "./jobs.js";
import * as sides from "./sides.js";
import * as wanted from "./wanted.js";

/** @typedef {import("./types").AnswerInWords} AnswerInWords */
/** @typedef {import("./types").MeasureView} MeasureView */

const HALF = 50;
let desk = null;

/** The measure that a question is about: the gravest harm that happens, or else the first chance, or the first number.
 * @param {AnswerInWords} told
 * @returns {MeasureView | undefined} */
const headOf = ({ measures }) => {
  const open = measures.filter((one) => one.share && one.value > 0 && one.value < 1);
  return open.find((one) => one.side === "harm") ?? open[0] ?? measures.find((one) => one.value) ?? measures[0];
};

/** Sets what is pinned, or else the variants, beside what stands there. */
const compared = () => {
  const now = desk.answered(), a = desk.pinned();
  if (!a || !now) { sides.open(); return; }
  const row = (name, one) => ({ name, note: one.told.sentence, told: one.told, of: "", ...one.from });
  sides.open([row("A", a), row("now", now)]);
};

/** Of prices: what others beat against every opponent, and what costs more than it can be worth. */
const neverBought = async () => {
  const found = await jobs.priced(desk.whole());
  if (!found) { say("There are no prices to judge by."); return; }
  const outbought = (found.units?.units ?? []).filter((one) => one.outbought !== null);
  const dear = found.weapons.filter((one) => one.price !== null && one.high !== null && one.price > one.high && !outbought.some(({ name }) => name === one.name));
  const percent = (factor) => `${(100 * (factor - 1)).toFixed(0)} %`;
  const lines = [...outbought.map((one) => element("li", {}, element("strong", {}, one.name), `: at even prices others are better by ${percent(one.outbought)} against every opponent`)),
    ...dear.map((one) => element("li", {}, element("strong", {}, one.name), `: it costs ${one.price}, and is worth at most ${Number(one.high.toPrecision(3))}`))];
  byId("never-bought").replaceChildren(element("h3", {}, "What is never worth taking"),
    lines.length ? element("ul", { class: "plain" }, ...lines) : element("p", {}, "Nothing: no price is above what its weapon can be worth, and none is beaten by others against every opponent."));
  byId("never-bought").scrollIntoView({ block: "nearest" });
};

/** Draws the buttons that fit what stands there.
 * @param {AnswerInWords | null | undefined} told */
export const draw = (told, arsenal = false) => {
  if (arsenal) {
    byId("designer").replaceChildren();
    byId("designer-prices").replaceChildren(button("What is never worth taking?", neverBought, { id: "ask-never-bought" }));
    return;
  }
  byId("designer-prices").replaceChildren();
  if (!told) return;
  const head = headOf(told), named = best.possible();
  const asked = [
    head && button("What matters most here?", () => wanted.open(head, { first: "steps" }), { id: "ask-matters" }),
    head?.share && button("Make it 50 %", () => wanted.open(head, { target: HALF }), { id: "ask-half", "aria-label": `Make it 50 %: ${head.label}` }),
    named && button("Which is best at which range?", () => best.open("Which is best at which range?", "best"), { id: "ask-best" }),
    named && button("What is never worth taking?", () => best.open("What is never worth taking?", "never"), { id: "ask-never" }),
    button(desk.pinned() ? "Compare A and this" : "Compare with others", compared, { id: "ask-compare" }),
  ];
  // A press that draws them anew would take the focus away.
  const focused = document.activeElement?.id;
  byId("designer").replaceChildren(...asked.filter(Boolean));
  if (focused?.startsWith("ask-")) byId(focused)?.focus();
};

/** `lent` gives what stands there, what is pinned, and loads a name. */
export const wire = (lent) => {
  desk = lent;
  best.wire(lent);
};
