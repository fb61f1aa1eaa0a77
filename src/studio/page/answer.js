// @ts-check
// An answer as people read it: a sentence, one stacked bar, the law, at least so many; beside a pinned
// one, what has changed.

import { button, element } from "./dom.js";

/** @typedef {import("./types").AnswerView} AnswerView */

/** Gives an element a colour of the pictures, by day and by night, and what is read on it. */
const inked = (made, inks) => {
  ["--day", "--on-day", "--night", "--on-night"].forEach((name, i) => inks && made.style.setProperty(name, inks[i]));
  return made;
};

const bar = (share, inks) => {
  const inner = inked(element("span", { class: inks ? "bar ink" : "bar" }), inks);
  inner.style.inlineSize = `${100 * Math.max(0, Math.min(1, share))}%`;
  return element("td", { class: "scale", "aria-hidden": "true" }, inner);
};

/** How much larger a number is than the pinned one. */
const change = (now, then, share) => {
  if (typeof now !== "number" || typeof then !== "number") return "";
  const gap = (now - then) * (share ? 100 : 1);
  if (Math.abs(gap) < 5e-5) return "=";
  const digits = Math.abs(gap) >= 10 ? 1 : Math.abs(gap) >= 0.1 ? 2 : 4;
  return `${gap > 0 ? "+" : "−"}${Math.abs(gap).toFixed(digits)} ${gap > 0 ? "▲" : "▼"}`;
};

/** @param {AnswerView} told
 * @param {AnswerView | null} [pinned] */
const stack = (told, pinned) => {
  if (!told.stack.length) return null;
  const parts = told.stack.map((one) => {
    const part = inked(element("span", { class: "part ink", title: `${one.label}: ${one.about}` }, one.share >= 0.07 ? `${one.label} ${one.shown}` : ""), one.inks);
    part.style.flexGrow = String(one.share);
    return part;
  });
  const then = new Map((pinned?.stack || []).map((one) => [one.label, one.share]));
  // What does not happen has no place beside the bar, unless it did before.
  const key = told.stack.map((one) => (one.share > 0 || then.get(one.label) > 0 ? element("li", {}, inked(element("span", { class: "swatch ink", "aria-hidden": "true" }), one.inks), `${one.label} ${one.shown} %`,
    pinned ? element("span", { class: "change" }, ` ${change(one.share, then.get(one.label) ?? 0, true)}`) : null) : null)).filter(Boolean);
  return element("div", {}, element("div", { class: "stack", "aria-hidden": "true" }, ...parts), element("ul", { class: "key" }, ...key));
};

/** Heads of columns of numbers. */
const NUMBERS = ["value", "chance", "B − A", "exact", "simulated"];

const table = (caption, heads, rows) => element("div", { class: "scroll" }, element("table", {}, element("caption", {}, caption),
  element("thead", {}, element("tr", {}, ...heads.map((head) => (head ? element("th", { scope: "col", class: NUMBERS.includes(head) && "n" }, head) : element("td", {}))))), element("tbody", {}, ...rows)));

/** A number that can be asked why it is so. */
const number = (one, why, wanted) => (why ? button(one.shown, () => why(wanted), { class: "why", title: "why?", "aria-label": `${one.shown}: why ${one.label}?` }) : one.shown);

/** What a measure means, where its name does not say it.
 * @param {import("./types").MeasureView} one */
const meaning = (one) => {
  const about = one.about === one.label ? "" : one.about;
  return about || one.rule ? element("small", {}, [about, one.rule && `(${one.rule})`].filter(Boolean).join(" ")) : null;
};

/** @param {AnswerView} told
 * @param {AnswerView | null} [pinned]
 * @param {any} [why] */
const law = (told, pinned, why) => {
  const then = new Map((pinned?.law.outcomes || []).map((one) => [one.label, one.share]));
  const most = Math.max(...told.law.outcomes.map((one) => one.share), 0.01);
  const rows = told.law.outcomes.map((one) => element("tr", {}, element("th", { scope: "row" }, one.label), element("td", { class: "n" }, number(one, one.share > 0 && why, { wanted: one.values })),
    pinned ? element("td", { class: "n change" }, change(one.share, then.get(one.label) ?? 0, true)) : null, bar(one.share / most, one.inks)));
  const rarer = told.law.rarer && element("p", { class: "quiet" }, `${told.law.rarer[0]} rarer outcomes, together ${told.law.rarer[1]}.`);
  const heads = ["outcome", "chance", ...(pinned ? ["B − A"] : []), ""];
  return element("details", { open: told.law.outcomes.length <= 12 && matchMedia("(min-width: 50rem)").matches }, element("summary", {}, "The law of the outcomes"), table("Every outcome, the worst first", heads, rows), rarer || null);
};

/** @param {AnswerView} told
 * @param {AnswerView | null} [pinned]
 * @param {any} [why]
 * @param {any} [make] */
const measures = (told, pinned, why, make) => {
  const then = new Map((pinned?.measures || []).map((one) => [one.name, one]));
  const rows = told.measures.map((one) => element("tr", {}, element("th", { scope: "row" }, one.label, meaning(one)),
    element("td", { class: "n" }, number(one, one.value && why, { measure: one.name })), pinned ? element("td", { class: "n change" }, change(one.value, then.get(one.name)?.value, one.share)) : null,
    one.share ? bar(one.value) : element("td", {}), make ? element("td", {}, button("make it …", () => make(one), { class: "why", "aria-label": `make ${one.label} …` })) : null));
  const heads = ["measure", "value", ...(pinned ? ["B − A"] : []), "", ...(make ? [""] : [])];
  const wide = matchMedia("(min-width: 50rem)").matches;
  return element("details", { open: wide }, element("summary", {}, "Measures"), table("Means and chances", heads, rows));
};

/** @param {AnswerView} told */
const least = (told) => {
  const one = (field) => table(`At least so many: ${field.label}`, [field.unit || "at least", "chance", ""],
    field.steps.map(([n, p, shown]) => element("tr", {}, element("th", { scope: "row" }, String(n)), element("td", { class: "n" }, shown), bar(p))));
  return told.least.length ? element("details", {}, element("summary", {}, "At least …"), ...told.least.map(one)) : null;
};

/** The answer; `why` is called with the values of an outcome, or the name of a measure, whose dice are to be shown,
 * and `make` with a measure that should have another value.
 * @param {AnswerView} told
 * @param {AnswerView | null} [pinned]
 * @param {any} [why]
 * @param {any} [make] */
export const answer = (told, pinned, why, make) => {
  const notes = [told.unsettled, ...told.notes].filter(Boolean);
  return [
    measures(told, pinned, why, make), law(told, pinned, why), least(told),
    notes.length ? element("ul", { class: "notes" }, ...notes.map((note) => element("li", {}, note))) : null,
  ].filter(Boolean);
};

/** What a simulation found beside what is exact: the measures, each with half its 95 % interval. Where nothing is
 * exact, the whole answer.
 * @param {AnswerView} told */
export const simulated = (told) => {
  const known = told.measures.some((one) => one.exact !== null);
  const unit = (one) => (one.share ? `${one.label}, %` : one.label);
  const cell = (text) => element("td", { class: "n" }, text ?? "–");
  const rows = told.measures.map((one) => element("tr", {}, element("th", { scope: "row" }, unit(one)), known ? cell(one.exact) : null, cell(one.simulated)));
  const heads = ["measure", ...(known ? ["exact"] : []), "simulated"];
  return [element("h3", {}, `Simulated: ${told.trials} trials`), ...(known ? [] : headline(told, null)),
    table("± is half a 95 % interval", heads, rows), ...(known ? [] : [law(told, null, null)])];
};

/** The answer in one sentence and one bar; `place` says which square of a grid it is.
 * @param {AnswerView} told
 * @param {AnswerView | null} [pinned]
 * @param {string | null} [place] */
export const headline = (told, pinned, place) => [
  told.question ? element("p", { class: "asked" }, told.question) : null,
  place ? element("p", { class: "quiet" }, place) : null,
  element("p", { class: "sentence" }, told.sentence),
  stack(told, pinned),
].filter(Boolean);

/** The measures by which two answers differ, in one line.
 * @param {AnswerView} told
 * @param {AnswerView} pinned */
export const difference = (told, pinned) => {
  const then = new Map(pinned.measures.map((one) => [one.name, one]));
  const said = told.measures.filter((one) => Math.abs((one.value ?? 0) - (then.get(one.name)?.value ?? 0)) > 5e-7)
    .slice(0, 4).map((one) => `${one.label} ${change(one.value, then.get(one.name)?.value, one.share)}`);
  return said.length ? said.join(", ") : "the same as A";
};
