// @ts-check
// An answer as people read it: a sentence, one stacked bar, the law, at least so many; beside a pinned
// one, what has changed.

import { button, element } from "./dom.js";

/** @typedef {import("./types").AnswerInWords} AnswerInWords */

/** Gives an element a colour of the pictures, by day and by night, and what is read on it. */
const inked = (made, inks) => {
  ["--day", "--on-day", "--night", "--on-night"].forEach((name, i) => inks && made.style.setProperty(name, inks[i]));
  return made;
};

/** A bar as long as its share, and below it a thin one as long as it was in A. */
const bar = (share, inks, then) => {
  const long = (made, of) => { made.style.inlineSize = `${100 * Math.max(0, Math.min(1, of))}%`; return made; };
  const inner = long(inked(element("span", { class: inks ? "bar ink" : "bar" }), inks), share);
  const before = typeof then === "number" ? long(element("span", { class: "bar before" }), then) : null;
  return element("td", { class: "scale", "aria-hidden": "true" }, inner, before);
};

/** How much more it is than in A: points of percents, or of a mean with its unit. */
const change = (now, then, share, unit = "") => {
  if (typeof now !== "number" || typeof then !== "number") return "";
  const gap = (now - then) * (share ? 100 : 1), size = Math.abs(gap);
  if (size < 5e-5) return "=";
  const digits = share ? (size >= 1 ? 0 : size >= 0.1 ? 1 : 2) : size >= 0.1 ? 1 : 2;
  return [`${gap > 0 ? "▲ +" : "▼ −"}${size.toFixed(digits)}`, share ? "points" : unit].filter(Boolean).join(" ");
};

/** The colour of a difference: more harm or less of a gain, less harm or more of a gain, or neither. */
const tone = (now, then, side) => {
  const gap = (now ?? 0) - (then ?? 0);
  if (Math.abs(gap) < 5e-7 || !["harm", "gain"].includes(side)) return "change";
  return (gap > 0) === (side === "harm") ? "change harm" : "change gain";
};

/** How wide a letter of the bar is, in pixels. */
const LETTER = 7.4;

/** The parts of a bar, and which of them have room for their words.
 * @param {AnswerInWords["stack"]} stack */
const stretches = (stack, beside = false, thin = false) => {
  const width = (document.getElementById("headline")?.clientWidth || 480) - (beside ? 38 : 2);
  const fits = stack.map((one) => !thin && one.share * width > LETTER * `${one.label} ${one.shown}`.length + 14);
  const parts = stack.map((one, i) => {
    const part = inked(element("span", { class: "part ink", title: `${one.label} ${(100 * one.share).toFixed(2)} %: ${one.about}` }, fits[i] ? `${one.label} ${one.shown}` : ""), one.inks);
    part.style.flexGrow = String(one.share);
    return part;
  });
  return { fits, bar: element("div", { class: thin ? "stack thin" : "stack", "aria-hidden": "true" }, ...parts) };
};

/** @param {AnswerInWords} told
 * @param {AnswerInWords | null} [pinned] */
const stack = (told, pinned) => {
  if (!told.stack.length) return null;
  const now = stretches(told.stack, Boolean(pinned?.stack.length)), before = pinned?.stack.length ? stretches(pinned.stack, true, true) : null;
  const then = new Map((pinned?.stack || []).map((one) => [one.label, one.share]));
  // What does not happen has no place beside the bar, unless it did before; nor has what the bar says itself.
  const key = told.stack.map((one, i) => {
    const own = one.share > 0 && (!now.fits[i] || pinned), gone = !one.share && then.get(one.label) > 0;
    if (!own && !gone) return null;
    const gap = pinned ? element("span", { class: tone(one.share, then.get(one.label), one.side) }, ` ${change(one.share, then.get(one.label) ?? 0, true)}`) : null;
    return element("li", {}, inked(element("span", { class: "swatch ink", "aria-hidden": "true" }), one.inks), `${one.label} ${one.shown} %`, gap);
  }).filter(Boolean);
  const line = (called, drawn) => element("div", { class: "side" }, element("span", { "aria-hidden": "true" }, called), drawn);
  const lines = before ? [line("now", now.bar), line("A", before.bar)] : [now.bar];
  return element("div", {}, ...lines, element("ul", { class: "key" }, ...key));
};

/** Heads of columns of numbers. */
const NUMBERS = ["value", "chance", "now − A", "exact", "simulated"];

const table = (caption, heads, rows) => element("div", { class: "scroll" }, element("table", {}, element("caption", {}, caption),
  element("thead", {}, element("tr", {}, ...heads.map((head) => (head ? element("th", { scope: "col", class: NUMBERS.includes(head) && "n" }, head) : element("td", {}))))), element("tbody", {}, ...rows)));

/** A number that can be asked why it is so. */
const number = (one, why, wanted) => (why ? button(one.shown, () => why(wanted), { class: "why", title: `${one.full}: why?`, "aria-label": `${one.shown}: why ${one.label}?` }) : element("span", { title: one.full }, one.shown));

/** What a measure means, where its name does not say it.
 * @param {import("./types").MeasureView} one */
const meaning = (one) => {
  const about = one.about === one.label ? "" : one.about;
  return about || one.rule ? element("small", {}, [about, one.rule && `(${one.rule})`].filter(Boolean).join(" ")) : null;
};

/** @param {AnswerInWords} told
 * @param {AnswerInWords | null} [pinned]
 * @param {any} [why] */
const law = (told, pinned, why) => {
  const then = new Map((pinned?.law.outcomes || []).map((one) => [one.label, one.share]));
  const before = (one) => (pinned ? then.get(one.label) ?? 0 : undefined);
  const rows = told.law.outcomes.map((one) => element("tr", {}, element("th", { scope: "row" }, one.label), element("td", { class: "n" }, number(one, one.share > 0 && why, { wanted: one.values })),
    pinned ? element("td", { class: "n change" }, change(one.share, before(one), true)) : null, bar(one.share, one.inks, before(one))));
  const rarer = told.law.rarer && element("p", { class: "quiet" }, `${told.law.rarer[0]} rarer outcomes, together ${told.law.rarer[1]}.`);
  const heads = ["outcome", "chance", ...(pinned ? ["now − A"] : []), ""];
  return element("details", { open: told.law.outcomes.length <= 12 && matchMedia("(min-width: 50rem)").matches }, element("summary", {}, "The law of the outcomes"), table(`Every outcome, ${told.law.order}`, heads, rows), rarer || null);
};

/** Measures in groups of those that are one number: what is damaged is destroyed. Probabilities of nothing are last.
 * @param {AnswerInWords} told
 * @param {AnswerInWords | null} [pinned] */
const grouped = (told, pinned) => {
  const then = new Map((pinned?.measures || []).map((one) => [one.name, one.value]));
  const groups = new Map();
  for (const one of told.measures) {
    const key = one.share && one.value !== null ? `${one.value.toFixed(12)} ${then.get(one.name)?.toFixed(12)}` : one.name;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(one);
  }
  const never = (group) => Number(group[0].share && group[0].value === 0 && !then.get(group[0].name));
  return [...groups.values()].sort((a, b) => never(a) - never(b));
};

/** @param {AnswerInWords} told
 * @param {AnswerInWords | null} [pinned]
 * @param {any} [why]
 * @param {any} [make] */
const measures = (told, pinned, why, make) => {
  const then = new Map((pinned?.measures || []).map((one) => [one.name, one]));
  const rows = grouped(told, pinned).map((group) => {
    const [one] = group, before = then.get(one.name)?.value, side = group.find((known) => known.side)?.side;
    const names = group.flatMap((known, i) => [i ? ", " : "", element("span", { title: known.about }, known.label)]).filter(Boolean);
    const unit = /\d (.+)$/.exec(one.shown)?.[1] ?? "";
    return element("tr", {}, element("th", { scope: "row" }, ...names, group.length === 1 ? meaning(one) : null),
      element("td", { class: "n" }, number(one, one.value && why, { measure: one.name })), pinned ? element("td", { class: `n ${tone(one.value, before, side)}` }, change(one.value, before, one.share, unit)) : null,
      one.share ? bar(one.value, null, pinned ? before : undefined) : element("td", {}),
      make ? element("td", {}, button("make it …", () => make(one), { class: "why", "aria-label": `make it …: ${one.label}` })) : null);
  });
  const heads = ["measure", "value", ...(pinned ? ["now − A"] : []), "", ...(make ? [""] : [])];
  const wide = matchMedia("(min-width: 50rem)").matches;
  return element("details", { open: wide }, element("summary", {}, "Measures"), table("Means and chances", heads, rows));
};

/** @param {AnswerInWords} told */
const least = (told) => {
  const one = (field) => table(`At least so many: ${field.label}`, [field.unit || "at least", "chance", ""],
    field.steps.map(([n, p, shown]) => element("tr", {}, element("th", { scope: "row" }, String(n)), element("td", { class: "n", title: `${(100 * p).toPrecision(6)} %` }, shown), bar(p))));
  return told.least.length ? element("details", {}, element("summary", {}, "At least …"), ...told.least.map(one)) : null;
};

/** The answer; `why` is called with the values of an outcome, or the name of a measure, whose dice are to be shown,
 * and `make` with a measure that should have another value.
 * @param {AnswerInWords} told
 * @param {AnswerInWords | null} [pinned]
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
 * @param {AnswerInWords} told */
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
 * @param {AnswerInWords} told
 * @param {AnswerInWords | null} [pinned]
 * @param {string | null} [place] */
export const headline = (told, pinned, place) => [
  told.question ? element("p", { class: "asked" }, told.question) : null,
  place ? element("p", { class: "quiet" }, place) : null,
  element("p", { class: "sentence" }, told.sentence),
  stack(told, pinned),
].filter(Boolean);

/** The measures by which two answers differ, in one line.
 * @param {AnswerInWords} told
 * @param {AnswerInWords} pinned */
export const difference = (told, pinned) => {
  const then = new Map(pinned.measures.map((one) => [one.name, one]));
  const said = told.measures.filter((one) => Math.abs((one.value ?? 0) - (then.get(one.name)?.value ?? 0)) > 5e-7)
    .slice(0, 3).map((one) => `${one.label} ${change(one.value, then.get(one.name)?.value, one.share)}`);
  return said.length ? said.join(", ") : "the same as A";
};
