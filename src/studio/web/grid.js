// @ts-check
// A grid: one axis as a curve, two as a heat map of buttons; of more, two are drawn and the others chosen.

import { drawn, button, element } from "./dom.js";
import { axis, put } from "./form_paths.js";

/** @typedef {import("./types").GridNumbersView} GridNumbersView */
/** @typedef {import("./types").AxisView} Axis */
/** @typedef {import("./types").MeasureColumn} Measure */

/** @param {Measure} measure
 * @param {number | null} value */
const shown = (measure, value) => (value === null || value === undefined ? "–" : measure.share ? (100 * value).toFixed(value > 0 && value < 0.0995 ? 1 : 0) : String(Number(value.toPrecision(3))));

/** Where the cell with these places on the axes stands.
 * @param {Axis[]} axes
 * @param {number[]} places */
const cellAt = (axes, places) => axes.reduce((cell, axis, i) => cell * axis.words.length + places[i], 0);

/** @type {{ measure: string | null, places: number[], from?: number[] }} */
let picked = { measure: null, places: [] };

/** Which measure is looked at, and where on the axes that are not drawn. */
export const view = () => picked;

/** Looks at these; what is no view is passed over. */
export const look = (seen) => {
  const places = Array.isArray(seen?.places) ? seen.places : [];
  picked = { measure: seen?.measure ?? null, places: places.map((place) => (Number.isInteger(place) && place > 0 ? place : 0)) };
};

/** Squares of an axis that are drawn at a time. */
const PART = 40;

/** The part of a long axis that is looked at, where it begins, and a choice of the others.
 * @param {Axis} axis
 * @param {number} i */
const part = (axis, i, again) => {
  const all = axis.words.length;
  if (all <= PART) return { axis, from: 0, choose: null };
  const from = PART * Math.floor(Math.min(picked.from?.[i] ?? 0, all - 1) / PART);
  const starts = Array.from({ length: Math.ceil(all / PART) }, (_, k) => k * PART);
  const last = (start) => Math.min(start + PART, all);
  const choose = element("select", { "aria-label": `Part of ${axis.label}` }, ...starts.map((start) => element("option", { value: start, selected: start === from }, `${start + 1} to ${last(start)} of ${all}: ${axis.words[start]} …`)));
  choose.addEventListener("input", () => { (picked.from ??= [])[i] = Number(choose.value); again(); });
  return { axis: { ...axis, words: axis.words.slice(from, last(from)) }, from, choose: element("label", {}, `${axis.label} `, choose) };
};

/** @param {Axis} axis */
const title = (axis) => (axis.unit ? `${axis.label}, ${axis.unit}` : axis.label);

/** @param {Axis} axis
 * @param {Measure} measure
 * @param {number[]} cells */
const curve = (axis, measure, cells, load, pinned, chosen, looked) => {
  const [wide, high, left, below, above] = [560, 254, 44, 34, 26];
  const values = cells.map((cell) => measure.values[cell]);
  const own = [...values, ...(pinned ? cells.map((cell) => pinned.values[cell]) : [])];
  const most = measure.share ? 1 : own.reduce((most, v) => Math.max(most, v ?? 0), 1e-9);
  const x = (i) => left + (wide - left - 12) * (cells.length > 1 ? i / (cells.length - 1) : 0.5);
  const y = (v) => above + (high - below - above) * (1 - v / most);
  const points = (all) => all.map((v, i) => (v === null || v === undefined ? null : `${x(i)},${y(v)}`)).filter(Boolean).join(" ");
  const picture = drawn("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": `${measure.label} over ${title(axis)}` });
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    const line = y(part * most);
    picture.append(drawn("line", { x1: left, x2: wide - 12, y1: line, y2: line, class: "rule" }),
      drawn("text", { x: left - 6, y: line + 4, "text-anchor": "end" }, measure.share ? `${100 * part}` : String(Number((part * most).toPrecision(2)))));
  }
  picture.append(drawn("text", { x: 2, y: 11, class: "axis" }, measure.share ? `${measure.label}, %` : measure.label));
  const every = Math.ceil(axis.words.length / 12);
  axis.words.forEach((text, i) => { if (i % every === 0) picture.append(drawn("text", { x: x(i), y: high - 12, "text-anchor": "middle" }, text.length > 9 ? `${text.slice(0, 8)}…` : text)); });
  if (pinned) picture.append(drawn("polyline", { points: points(cells.map((cell) => pinned.values[cell])), class: "curve pinned" }));
  picture.append(drawn("polyline", { points: points(values), class: "curve" }));
  values.forEach((v, i) => { if (v !== null) picture.append(drawn("circle", { cx: x(i), cy: y(v), r: 3.5, class: "dot" })); });
  const squares = looked.axis.words.map((word, i) => {
    const cell = cells[i + looked.from];
    return button(`${word}: ${shown(measure, measure.values[cell])}`, () => load(cell), { class: "step", "aria-pressed": cell === chosen && "true" });
  });
  return element("div", {}, element("figure", {}, picture, element("figcaption", {}, pinned ? `${title(axis)}; the grey line is A` : title(axis))), element("div", { class: "row wrap", role: "group", "aria-label": "Load one value into the form" }, ...squares));
};

/** A word as short as there is room for, told apart from others by its end. */
const short = (text, letters) => {
  if (text.length <= letters) return text;
  const end = Math.floor(((letters - 1) * 2) / 3);
  return `${text.slice(0, letters - 1 - end)}…${text.slice(-end)}`;
};

/** Two colours of the style, mixed. */
const mixed = (from, to, part) => `color-mix(in srgb, var(--${from}), var(--${to}) ${Math.round(100 * part)}%)`;

/** Up to which share of the largest value the ink for light squares is read best; up to the second share one ink is, by day and
 * by night; from there on the ink for dark squares. So every square has a contrast of 4.5 at least. */
const LIGHT = { heat: { to: 0.5215, middle: 0.5655, ink: "#000" }, below: { to: 0.965, middle: 1, ink: "#fff" }, above: { to: 0.685, middle: 0.705, ink: "#fff" } };

/** Gives a square the colour that the pictures have for this share of the largest value, or of the largest difference. */
const ink = (made, share, differs) => {
  const size = Math.max(0, Math.min(1, Math.abs(share))), side = share < 0 ? "below" : "above", at = Math.min(9, Math.floor(10 * size));
  made.style.setProperty("--square", differs ? mixed("even", side, size) : mixed(`heat-${at}`, `heat-${at + 1}`, 10 * size - at));
  const light = LIGHT[differs ? side : "heat"];
  made.style.setProperty("--on-square", size <= light.to ? "var(--on-light)" : size <= light.middle ? light.ink : "var(--on-dark)");
};

/** @param {Axis} down
 * @param {Axis} across
 * @param {Measure} measure */
const map = (down, across, measure, cellOf, load, pinned, chosen) => {
  const values = measure.values.filter((v) => v !== null);
  const gapOf = (cell) => (pinned && typeof measure.values[cell] === "number" && typeof pinned.values[cell] === "number" ? measure.values[cell] - pinned.values[cell] : null);
  // Differences have a scale of their own: beside whole values the largest would be pale.
  const largest = (all) => all.reduce((most, one) => Math.max(most, one), measure.share ? 0.01 : 1e-9);
  const most = largest(pinned ? measure.values.map((_, cell) => Math.abs(gapOf(cell) ?? 0)) : values.map(Math.abs));
  const square = (i, k) => {
    const cell = cellOf(i, k), value = measure.values[cell], gap = gapOf(cell);
    const text = gap === null ? shown(measure, value) : `${gap > 0 ? "+" : gap < 0 ? "−" : ""}${shown(measure, Math.abs(gap))}`;
    const made = button(text, () => load(cell), { class: "square", "aria-pressed": cell === chosen && "true", "aria-label": `${down.label} ${down.words[i]}, ${across.label} ${across.words[k]}: ${text}; load into the form` });
    ink(made, (gap === null ? value ?? 0 : gap) / most, gap !== null);
    if (gap !== null && gap < 0) made.classList.add("less");
    return element("td", {}, made);
  };
  const head = element("tr", {}, element("td", {}), ...across.words.map((text) => element("th", { scope: "col", title: text }, short(text, 12))));
  const rows = down.words.map((text, i) => element("tr", {}, element("th", { scope: "row", title: text }, short(text, 26)), ...across.words.map((_, k) => square(i, k))));
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `${measure.label} as a map` }, element("table", { class: "heat" }, element("caption", {}, `${title(down)} down, ${title(across)} across`), element("thead", {}, head), element("tbody", {}, ...rows)));
};

/** Draws a grid into a place, if there is one; `load` is called with a cell, and the `chosen` one is marked.
 * @param {any} place
 * @param {GridNumbersView | null} grid
 * @param {GridNumbersView | null} pinned */
export const draw = (place, grid, pinned, load, chosen) => {
  if (!grid || !grid.measures.length) { place.replaceChildren(); return; }
  const again = () => draw(place, grid, pinned, load, chosen);
  const measure = grid.measures.find((one) => one.name === picked.measure) || grid.measures.find((one) => one.name === grid.headline) || grid.measures[0];
  const axes = grid.axes, several = axes.map((axis) => axis.words.length > 1);
  const free = axes.map((_, i) => i).filter((i) => several[i]).slice(0, 2);
  picked.places = axes.map((axis, i) => Math.min(picked.places[i] || 0, axis.words.length - 1));
  const select = element("select", { "aria-label": "Measure" }, ...grid.measures.map((one) => element("option", { value: one.name, selected: one === measure }, one.share ? `${one.label} %` : one.label)));
  select.addEventListener("input", () => { picked.measure = select.value; again(); });
  const others = axes.map((axis, i) => {
    if (free.includes(i) || !several[i]) return null;
    const choose = element("select", { "aria-label": axis.label }, ...axis.words.map((text, k) => element("option", { value: k, selected: k === picked.places[i] }, text)));
    choose.addEventListener("input", () => { picked.places[i] = Number(choose.value); again(); });
    return element("label", {}, `${axis.label} `, choose);
  });
  const like = pinned && pinned.axes.length === axes.length && pinned.axes.every((axis, i) => axis.words.length === axes[i].words.length);
  const before = like ? pinned.measures.find((one) => one.name === measure.name) : null;
  const at = (...places) => cellAt(axes, axes.map((_, i) => (free.includes(i) ? places[free.indexOf(i)] : picked.places[i])));
  const parts = (free.length ? free : [0]).map((i) => part(axes[i], i, again)), [down, across] = parts;
  const picture = free.length < 2
    ? curve(axes[free[0] ?? 0], measure, axes[free[0] ?? 0].words.map((_, i) => at(i)), load, before, chosen, down)
    : map(down.axis, across.axis, measure, (i, k) => at(i + down.from, k + across.from), load, before, chosen);
  const called = (one) => one.getAttribute("aria-label") || one.textContent;
  const focused = place.contains(document.activeElement) && called(document.activeElement);
  place.replaceChildren(element("div", { class: "row wrap" }, element("h3", {}, before ? "The grid, now − A" : "The grid"), select, ...others.filter(Boolean), ...parts.map((one) => one.choose).filter(Boolean)), ...[grid.sought, ...(grid.remarks || [])].filter(Boolean).map((text) => element("p", { class: "quiet" }, text)), picture);
  // Whoever goes from square to square by the keyboard stays there.
  if (focused) [...place.querySelectorAll("select, button")].find((one) => called(one) === focused)?.focus();
};

/** The places of a cell on the axes of a grid.
 * @param {GridNumbersView} grid
 * @param {number} cell */
export const places = (grid, cell) => {
  const found = [];
  for (let i = grid.axes.length - 1; i >= 0; i--) {
    found[i] = cell % grid.axes[i].words.length;
    cell = Math.floor(cell / grid.axes[i].words.length);
  }
  return found;
};

/** The form that a grid was drawn of, with the values of one of its squares.
 * @param {{ grid: GridNumbersView, form: any }} from
 * @param {number} cell */
export const formAt = (from, cell) => {
  const steps = places(from.grid, cell);
  return from.grid.axes.reduce((values, one, i) => {
    const way = axis(from.form, one.path);
    return way ? put(values, way, one.values[steps[i]]) : values;
  }, from.form);
};
