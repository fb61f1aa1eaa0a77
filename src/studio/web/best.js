// @ts-check
// Which of many named things is best at which range, and which of them is never worth taking: all of a list along a
// number, in one grid.

import { newest } from "./requests.js";
import { button, byId, element } from "./dom.js";
import { at, axis, put } from "./form_paths.js";

/** @typedef {{ way: (string | number)[], label: string, names: string[] }} Named */
/** @typedef {{ way: (string | number)[], label: string, bound: number[], preset: number }} Counted */

/** @type {import("./requests.js").Door<import("./types").LiveReply>} */
const solved = newest("/api/odds");
/** Squares of a grid, values along the number, and names that are written out. */
const SQUARES = 1900, VALUES = 8, SHOWN = 12, WIDE = 60, SAME = 1e-9, TRIES = 4;

/** Measures that count what is paid for. */
const PER = /\bper 100\b/;
/** What the desk lends: the question, its form and fields, and what loads a name into it. */
let desk = null;
/** The grid that stands there, with the names down and the values across. */
let found = null;

/** Fields of a group and of its tables that are of a kind, each with the way to it.
 * @returns {{ way: (string | number)[], field: any }[]} */
const fieldsOf = (forms, group, kinds, before = [], depth = 0) => forms.groups[group].flatMap((field) => {
  const way = [...before, field.name, ...(field.kind === "tables" ? [0] : [])];
  const inner = ["table", "tables"].includes(field.kind) && depth < 2 ? fieldsOf(forms, field.fields, kinds, way, depth + 1) : [];
  return [...(kinds.includes(field.kind) ? [{ way, field }] : []), ...inner];
});

/** The lists that a thing can be chosen from.
 * @returns {Named[]} */
const lists = ({ forms, fields }) => fieldsOf(forms, fields, ["name", "row"])
  .map(({ way, field }) => ({ way, label: field.label, names: forms.names[field.names].names })).filter(({ names }) => names.length > 1 && names.length <= SQUARES);

/** The numbers along which they may be compared, a range first.
 * @returns {Counted[]} */
const numbers = ({ forms, fields, form }) => {
  const far = (one) => (/^(range|distance)$/.test(String(one.way.at(-1))) ? 0 : /range|distance/i.test(one.label) ? 1 : 2);
  return fieldsOf(forms, fields, ["int"]).map(({ way, field }) => ({ way, label: field.label, bound: field.bound, preset: Number(at(form, way) ?? field.preset ?? 0) || 0 }))
    .filter(({ way }) => !Array.isArray(at(form, way))).sort((a, b) => far(a) - far(b));
};

/** Values from end to end of a number, or about the one that stands there where it has no end in sight.
 * @param {Counted} one
 * @param {number} most */
const proposed = ({ bound: [low, high], preset }, most) => {
  const [from, to] = high - low <= WIDE ? [low, high] : [Math.max(low, 0), Math.min(high, Math.max(2 * preset, 24))];
  const count = Math.max(2, Math.min(VALUES, most, to - from + 1));
  return [...new Set(Array.from({ length: count }, (_, i) => Math.round(from + ((to - from) * i) / (count - 1))))];
};

/** Values as they are typed, between commas; null where one is no number. */
const typed = (text) => {
  const all = text.split(/[,;\s]+/).filter(Boolean).map(Number);
  return all.length && all.every(Number.isInteger) ? all.slice(0, 40) : null;
};

/** The entries of a list that faults are about, by their places: `contest[0].weapon[5]`. */
const faulty = (faults, way) => {
  const places = (faults ?? []).map((fault) => /^(.*)\[(\d+)\]$/.exec(fault.path ?? "")).filter(Boolean);
  return places.filter(([, path]) => path.split(".").at(-1) === way.at(-1)).map(([, , place]) => Number(place));
};

/** The answer with as many names as the rules take; what they refuse is left out, with the reason. */
const answered = async (list, number, values) => {
  const { question, form } = desk.now();
  let names = list.names, own = null, reply = null, left = "";
  for (let tries = 0; tries < TRIES; tries++) {
    own = put(form, list.way, names);
    if (number) own = put(own, number.way, values);
    try { reply = await solved({ ...question, form: own, cell: 0, patient: true }); } catch { /* it was told */ }
    const wrong = faulty(reply?.faults, list.way);
    if (reply?.grid || !wrong.length || wrong.length >= names.length) break;
    left = `${list.names.length - names.length + wrong.length} are left out: ${reply.faults[0].problem}.`;
    names = names.filter((_, i) => !wrong.includes(i));
  }
  return { own, reply, names, left };
};

/** All names at all values: a table of numbers for each measure; why it is not answered where it is not. */
const solve = async (list, number, values) => {
  const { own, reply, names, left } = await answered(list, number, values), grid = reply?.grid;
  if (!grid) return { why: reply?.faults?.[0]?.problem ?? "It takes too long: choose fewer values." };
  const place = (way) => grid.axes.findIndex((one) => String(axis(own, one.path)) === String(way) || one.path.split(".").at(-1) === way.at(-1));
  const down = place(list.way), across = number ? place(number.way) : -1;
  if (down < 0) return { why: "It has no numbers for these." };
  const stride = (i) => grid.axes.slice(i + 1).reduce((all, one) => all * one.words.length, 1);
  const columns = across < 0 ? [0] : grid.axes[across].words.map((_, k) => k * stride(across));
  const table = (measure) => names.map((_, i) => columns.map((from) => measure.values[i * stride(down) + from] ?? null));
  return { names: grid.axes[down].words, values: across < 0 ? ["everywhere"] : grid.axes[across].words, number: number?.label ?? "", list, chosen: names, left, measures: grid.measures.map((one) => ({ ...one, table: table(one) })), headline: grid.headline };
};

/** Which names are best in a column: those with the most, or the least. */
const bestAt = (table, column, sign) => {
  const known = table.map((row) => row[column]).filter((one) => one !== null), most = sign * Math.max(...known.map((one) => sign * one));
  return known.length ? table.map((_, i) => i).filter((i) => table[i][column] !== null && Math.abs(table[i][column] - most) <= SAME) : [];
};

/** For each name that is never worth taking, one that is as good everywhere and better somewhere. */
export const beaten = (table, sign = 1) => table.flatMap((row, i) => {
  const known = row.map((_, k) => k).filter((k) => row[k] !== null);
  const gap = (other, k) => sign * (table[other][k] - row[k]);
  const by = table.findIndex((other, j) => j !== i && known.length > 0 && known.every((k) => other[k] !== null && gap(j, k) >= -SAME) && known.some((k) => gap(j, k) > SAME));
  return by < 0 ? [] : [[i, by]];
});

const shown = (measure, value) => (value === null ? "–" : measure.share ? `${(100 * value).toFixed(0)} %` : String(Number(value.toPrecision(3))));

/** The best of each value, a row each. */
const ranking = (measure, sign) => {
  const rows = found.values.map((word, k) => {
    const best = bestAt(measure.table, k, sign), [first] = best, bar = element("span", { class: "bar" });
    if (first === undefined) return element("tr", {}, element("th", { scope: "row" }, word), element("td", {}, "–"), element("td", {}), element("td", {}));
    const value = measure.table[first][k];
    bar.style.inlineSize = `${100 * Math.min(1, measure.share ? value : value / Math.max(1e-9, ...measure.table.flat().map((one) => one ?? 0)))}%`;
    const names = best.slice(0, 3).flatMap((i, n) => [n ? ", " : "", button(found.names[i], () => { byId("best").close(); desk.load(found.list.way, found.chosen[i]); }, { class: "why", "aria-label": `Ask about ${found.names[i]}` })]);
    return element("tr", {}, element("th", { scope: "row" }, word), element("td", {}, ...names, best.length > 3 ? ` and ${best.length - 3} more` : null), element("td", { class: "n" }, shown(measure, value)), element("td", { class: "scale", "aria-hidden": "true" }, bar));
  });
  return element("table", { id: "best-table" }, element("caption", {}, `The best by ${measure.label}`),
    element("thead", {}, element("tr", {}, ...[found.number || "where", "best", measure.label, ""].map((head, i) => (head ? element("th", { scope: "col", class: i === 2 && "n" }, head) : element("td", {}))))), element("tbody", {}, ...rows));
};

/** What is never worth taking, with what is better. */
const worthless = (measure, sign) => {
  const pairs = beaten(measure.table, sign), rest = pairs.length - SHOWN;
  const price = PER.test(measure.label) ? "for their points" : "at the same price";
  if (!pairs.length) return [element("p", { id: "never-said" }, "Each of them is worth taking somewhere: none is as good as another everywhere and worse somewhere.")];
  const line = ([i, by]) => element("li", {}, element("strong", {}, found.names[i]), `: ${found.names[by]} is as good everywhere, and better somewhere`);
  return [element("p", { id: "never-said" }, `${pairs.length} of ${found.names.length} are never worth taking ${price}:`), element("ul", { id: "never", class: "plain" }, ...pairs.slice(0, SHOWN).map(line), ...(rest > 0 ? [element("li", { class: "quiet" }, `and ${rest} more`)] : []))];
};

const show = () => {
  const place = byId("best-found");
  if (!found || found.why) { place.replaceChildren(element("p", { class: "alarm" }, found?.why ?? "")); return; }
  const measure = found.measures.find((one) => one.name === byId("best-measure").value) ?? found.measures[0];
  const sign = byId("best-sign").value === "least" ? -1 : 1;
  place.replaceChildren(ranking(measure, sign), element("h3", {}, "Never worth taking"), ...worthless(measure, sign), ...(found.left ? [element("p", { class: "quiet" }, found.left)] : []));
};

/** The measure to begin with: of what is worth taking, the one that counts points, where there is any. */
const usual = () => (byId("best").dataset.about === "never" && found.measures.find((one) => PER.test(one.label))?.name) || found.headline;

const search = async () => {
  const lent = desk.now(), all = lists(lent), counted = numbers(lent);
  const list = all[Number(byId("best-list").value)], number = counted[Number(byId("best-number").value)] ?? null;
  byId("best-found").replaceChildren(element("p", { class: "quiet", role: "status" }, "…"));
  const values = number ? typed(byId("best-values").value) : [0];
  found = values ? await solve(list, number, values) : { why: "The values are whole numbers, with commas between." };
  const before = byId("best-measure").value;
  byId("best-measure").replaceChildren(...(found.measures ?? []).map((one) => element("option", { value: one.name, selected: one.name === (before || usual()) }, one.label)));
  show();
};

/** Other values are proposed for another number. */
const propose = () => {
  const lent = desk.now(), all = lists(lent), number = numbers(lent)[Number(byId("best-number").value)];
  byId("best-values").value = number ? proposed(number, Math.floor(SQUARES / all[Number(byId("best-list").value)].names.length)).join(", ") : "";
  search();
};

/** Whether anything can be chosen from a list here. */
export const possible = () => { const lent = desk?.now(); return Boolean(lent?.form && lent.fields !== undefined && lists(lent).length); };

/** Opens the question, under one of its two names: what is best, or what is never worth taking.
 * @param {string} title
 * @param {"best" | "never"} about */
export const open = (title, about) => {
  byId("best").dataset.about = about;
  const lent = desk.now(), options = (all) => all.map(({ label }, i) => element("option", { value: i }, label));
  byId("best-title").textContent = title;
  byId("best-list").replaceChildren(...options(lists(lent)));
  byId("best-number").replaceChildren(...options(numbers(lent)), element("option", { value: "none" }, "nothing else"));
  byId("best-measure").replaceChildren();
  byId("best").showModal();
  propose();
};

const box = (id, label, made) => element("span", { class: "row" }, element("label", { for: id }, label), made);

/** `lent` gives the question with its form and fields, and loads a name. */
export const wire = (lent) => {
  desk = lent;
  const [list, number, values] = [element("select", { id: "best-list" }), element("select", { id: "best-number" }), element("input", { id: "best-values", autocomplete: "off", spellcheck: "false" })];
  const [measure, sign] = [element("select", { id: "best-measure" }), element("select", { id: "best-sign" }, element("option", {}, "most"), element("option", {}, "least"))];
  for (const one of [list, number]) one.addEventListener("input", propose);
  values.addEventListener("change", search);
  for (const one of [measure, sign]) one.addEventListener("input", show);
  document.body.append(element("dialog", { id: "best", "aria-labelledby": "best-title" },
    element("div", { class: "row spread" }, element("h2", { id: "best-title" }), button("Close", () => byId("best").close())),
    element("p", { class: "row" }, box("best-list", "Which", list), box("best-number", "along", number), box("best-values", "at", values)),
    element("p", { class: "row" }, box("best-sign", "Best is the", sign), box("best-measure", "of", measure)),
    element("div", { id: "best-found", class: "scroll", "aria-live": "polite" })));
};
