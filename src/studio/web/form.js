// @ts-check
// The form of an action, made from its fields: a control for every kind, and nothing written by hand for
// any rulebook. The values are those of the file; what is not there has its default, greyed.

import { button, element } from "./dom.js";
import { nameBox } from "./name_picker.js";
import { blockOf, droppedBlock, fileButton, spread, told } from "./paste.js";
import { HEADS, filledEntries } from "./entries.js";
import { at, plain, put, steps } from "./form_paths.js";

const SLIDES = 200;
/** A field as it is drawn: with what is printed for it, where its row names that.
 * @typedef {Partial<import("./types").FormFieldDescription> & import("./types").FieldValuesDescription & { printed?: string, near?: boolean }} Field */

/** @type {import("./types").FormsDocument} */
let forms = null;
/** @type {any} */
let tell = () => {};
let values = {}, count = 0, beside = null;
/** Rows whose numbers are looked at: they stay so when the form is drawn again. */
const unfolded = new Set();

const isTable = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isRange = (value) => isTable(value) && ("from" in value || "to" in value);
/** @param {import("./types").FieldValuesDescription} field */
const depth = (field) => (field.kind === "list" ? 1 + depth(field.of) : field.kind === "entries" ? 1 : 0);
const nesting = (value) => (Array.isArray(value) ? 1 + Math.min(...value.map(nesting), 9) : 0);

/** Whether a value is several: a grid axis.
 * @param {Field} field */
const isAxis = (field, value) => {
  if (["table", "tables"].includes(field.kind)) return false;
  if (["int", "fraction"].includes(field.kind) && isRange(value)) return true;
  return field.kind !== "entries" && Array.isArray(value) && nesting(value) > depth(field);
};

/** What a player calls a value of a field.
 * @param {Field} field */
const word = (field, value) => {
  if (field.kind === "flag") return field.values ? field.values[Number(value)] : value ? "yes" : "no";
  if (field.kind === "choice") {
    const place = field.choices.indexOf(value);
    return (field.values && field.values[place]) || String(value).replace(/[_-]/g, " ");
  }
  return Array.isArray(value) ? value.map((one) => word(field.of || field, one)).join(", ") : isTable(value) ? Object.keys(value).join(", ") : String(value);
};

/** @param {Field} field */
const given = (field) => {
  if (field.printed) return field.printed;
  if (field.reckoned) return field.reckoned;
  if (field.preset === undefined) return field.required ? "needed" : "none";
  return word(field, field.preset) || "none";
};

const change = (way, value) => { values = put(values, way, value); tell(values, plain(way)); };
const redraw = (way, value) => { change(way, value); tell.redraw(); };

// --- One value ------------------------------------------------------------------------------

/** What a control is called: by its label, or where it has none of its own by what it is for. */
const named = (field, id, about) => ({ id, "aria-label": id ? null : field.label, "aria-describedby": about });

const number = (text) => (text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text.trim() || undefined);

/** @param {Field} field */
const numberBox = (field, way, value, id, about) => {
  const [low, high] = field.bound;
  const box = element("input", { ...named(field, id, about), type: "number", min: low, max: high, step: field.step || 1, placeholder: given(field), value: value ?? "" });
  const parts = [box];
  const set = (next) => change(way, next);
  if (high - low <= SLIDES) {
    const start = value ?? field.preset ?? low;
    const slider = element("input", { type: "range", min: low, max: high, step: field.step ? Math.min(0.5, Math.max(field.step, (high - low) / SLIDES)) : 1, value: start, "aria-label": `${field.label}, slider` });
    slider.addEventListener("input", () => { box.value = slider.value; set(Number(slider.value)); });
    box.addEventListener("input", () => { if (box.value) slider.value = box.value; });
    parts.push(slider);
  }
  box.addEventListener("input", () => set(number(box.value)));
  return parts;
};

/** @param {Field} field */
const choiceBox = (field, way, value, id, about) => {
  const none = element("option", { value: "" }, `${given(field)}${field.required ? "" : " (default)"}`);
  const options = field.choices.map((one, i) => element("option", { value: i, selected: one === value }, field.kind === "choice" ? word(field, one) : String(one)));
  const unknown = value !== undefined && !field.choices.includes(value) ? [element("option", { value: "?", selected: true }, String(value))] : [];
  const box = element("select", named(field, id, about), none, ...options, ...unknown);
  box.addEventListener("input", () => change(way, box.value === "" ? undefined : field.choices[Number(box.value)]));
  return [box];
};

/** @param {Field} field */
const flagBox = (field, way, value, id, about) => {
  const box = element("input", { ...named(field, id, about), type: "checkbox", checked: value ?? field.preset ?? false });
  const said = element("span", { class: "quiet" }, word(field, box.checked));
  box.addEventListener("input", () => { said.textContent = word(field, box.checked); change(way, box.checked); });
  return [box, said];
};

/** @param {Field} field */
const textBox = (field, way, value, id, about) => {
  // What is long, or has lines, has room.
  const long = String(value ?? "").length > 40;
  const box = element(long ? "textarea" : "input", { ...named(field, id, about), rows: long && 4, placeholder: given(field) });
  box.value = value ?? "";
  box.addEventListener("input", () => change(way, box.value || undefined));
  return [box];
};

/** @param {Field} field */
const namedBox = (field, way, value, id, about) => [nameBox({
  id, value, label: field.label, placeholder: given(field), describedby: about, names: forms.names[field.names].names,
  chosen: (name) => { if (name !== at(values, way)) change(way, name); },
})];

/** @param {Field} field */
const listBox = (field, way, value) => {
  const items = Array.isArray(value) ? value : [];
  const entry = { preset: undefined, label: `${field.label}, entry`, ...field.of };
  const rows = items.map((item, i) => element("div", { class: "row" },
    ...control(entry, [...way, i], item, null),
    button("×", () => redraw([...way, i], undefined), { "aria-label": `Remove entry ${i + 1} of ${field.label}` })));
  const next = entry.kind === "int" || entry.kind === "fraction" ? Math.max(entry.bound[0], 0)
    : entry.choices ? entry.choices[0] : entry.kind === "name" ? forms.names[entry.names].names[0] : "";
  return [element("div", { class: "many" }, ...rows, button("+ entry", () => redraw(way, [...items, next])))];
};

/** @param {Field} field */
const entriesBox = (field, way, value) => {
  const list = forms.names[field.names];
  // A list of names takes the printed numbers.
  const pairs = Array.isArray(value) ? value.map((name) => [name, true]) : Object.entries(value || {});
  const whole = (changed) => redraw(way, changed.length ? Object.fromEntries(changed) : undefined);
  const rows = pairs.map(([name, n], i) => {
    const printed = list.numbers && list.numbers[list.names.indexOf(name)];
    const box = element("input", { type: "number", class: "short", min: field.bound[0], max: field.bound[1], value: typeof n === "number" ? n : "", placeholder: printed ?? "yes", "aria-label": `${name}, number` });
    box.addEventListener("input", () => {
      pairs[i] = [name, box.value === "" ? true : number(box.value)];
      change(way, Object.fromEntries(pairs));
    });
    const remove = () => whole(pairs.filter((_, k) => k !== i));
    return element("div", { class: "row" }, element("span", { class: "entry" }, name), box, button("×", remove, { "aria-label": `Remove ${name}` }));
  });
  const rest = list.names.filter((name) => !pairs.some(([known]) => known === name));
  const add = nameBox({ names: rest, label: `Add to ${field.label}`, placeholder: "+ add", chosen: (name) => { if (rest.includes(name)) whole([...pairs, [name, true]]); } });
  const put = (block) => { if (block) whole(filledEntries(block, list.names, field.label, /** @type {[string, any][]} */ (pairs))); };
  const place = element("div", { class: "many" }, ...rows, element("p", { class: "row" }, add, fileButton(field.label, HEADS, put)));
  place.addEventListener("paste", (event) => { const block = blockOf(event); if (block) { event.preventDefault(); put(block); } });
  place.addEventListener("drop", (event) => { droppedBlock(event, HEADS).then(put); });
  return [place];
};

/** The columns of a row, with what is printed there of the one called `name` as what they are by default.
 * @param {Field} field */
const printed = (field, name) => {
  const { names, columns } = forms.names[field.names], place = names.indexOf(name);
  const fields = forms.groups[field.fields];
  if (!columns || place < 0) return field.fields;
  const own = fields.map((one) => {
    const said = columns[one.name]?.[place];
    if (said === undefined) return one;
    const preset = /^[+-]?\d+$/.test(said) ? Number(said) : one.choices?.includes(said) ? said : undefined;
    return { ...one, required: false, printed: said, preset, near: true };
  });
  return forms.groups.push(own) - 1;
};

/** @param {Field} field */
const rowBox = (field, way, value, id, about) => {
  const name = isTable(value) ? value.name : value ?? field.preset;
  const box = nameBox({
    id, value: isTable(value) ? value.name : value, label: field.label, placeholder: given(field), describedby: about, names: forms.names[field.names].names,
    chosen: (next) => {
      const own = at(values, way);
      if (isTable(own)) redraw(way, put(own, ["name"], next)); else change(way, next);
    },
  });
  const open = element("details", { class: "inner", open: isTable(value) }, element("summary", {}, "Change its numbers"));
  open.addEventListener("toggle", () => {
    if (!open.open || open.childElementCount > 1) return;
    // From the row that is meant now, chosen meanwhile or by default.
    const meant = at(values, way) ?? name, row = isTable(meant) ? meant : meant === undefined ? {} : { name: meant };
    values = put(values, way, row);
    open.append(...group(printed(field, row.name), way));
  });
  if (isTable(value)) open.append(...group(printed(field, name), way));
  return [box, open];
};

/** @param {Field} field */
const tableBox = (field, way, value) => {
  if (!isTable(value) && field.preset === undefined) return [button(`+ ${field.label}`, () => redraw(way, {}))];
  const remove = isTable(value) && button("Remove", () => redraw(way, undefined), { "aria-label": `Remove ${field.label}` });
  return [element("fieldset", {}, element("legend", {}, field.label), ...group(field.fields, way), remove || null)];
};

/** A cell of a spreadsheet as a value of a field.
 * @param {Field} field */
const typed = (field, text) => {
  if (text === "" || text === "-") return undefined;
  if (field.kind === "flag") return /^(y|yes|true|x|1)$/i.test(text);
  return ["int", "fraction", "numbers"].includes(field.kind) ? number(text.replace(/[\s\u202f]/g, "")) : text;
};

/** Puts a block of a spreadsheet into the rows: by the heads that it brings, or from this row and column on. */
const fill = (block, [from, column], fields, shown, way, items) => {
  const all = [...shown, ...fields.filter((one) => !shown.includes(one))];
  const found = spread(block, all.map((one) => [one.name, one.label]), items.map((item) => item.name ?? ""), from, column);
  const next = items.map((item) => ({ ...item }));
  for (const [row, column, text] of found.cells) {
    next[row] ??= { name: "" };
    const value = typed(all[column], text), { name } = all[column];
    if (value === undefined) delete next[row][name]; else next[row][name] = value;
  }
  redraw(way, next);
  told(found, next.length - items.length);
};

/** Fills rows from the cell on where a block is pasted. */
const pasted = (event, fields, shown, way, items) => {
  const block = blockOf(event), cell = event.target.closest("td[data-path]"), rows = [...event.currentTarget.querySelectorAll("tbody")];
  if (!block || !cell) return;
  event.preventDefault();
  fill(block, [rows.indexOf(cell.closest("tbody")), [...cell.parentElement.children].indexOf(cell)], fields, shown, way, items);
};

/** Tables as the rows of one: some fields in columns, the others folded below. */
const rowsBox = (field, way, items) => {
  const fields = forms.groups[field.fields];
  const shown = field.columns.map((name) => fields.find((one) => one.name === name));
  const rest = forms.groups.push(fields.filter((one) => !shown.includes(one))) - 1;
  const rows = items.map((item, i) => {
    const own = [...way, i], called = item.name || `${field.label} ${i + 1}`;
    const box = (one) => element("td", { "data-path": plain([...own, one.name]) }, element("div", { class: "control" },
      ...control({ ...one, label: `${called}, ${one.label}` }, [...own, one.name], item[one.name], null, null)), element("p", { class: "fault", role: "alert", hidden: true }));
    const set = fields.filter((one) => !shown.includes(one) && item[one.name] !== undefined).map((one) => `${one.label} ${word(one, item[one.name])}`);
    const more = element("details", { open: unfolded.has(plain(own)) }, element("summary", {}, "Its numbers", set.length ? element("small", {}, `: ${set.join("; ")}`) : null));
    more.addEventListener("toggle", () => {
      unfolded[more.open ? "add" : "delete"](plain(own));
      if (more.open && more.childElementCount === 1) more.append(...group(rest, own));
    });
    if (more.open) more.append(...group(rest, own));
    const remove = button("×", () => redraw(way, items.filter((_, k) => k !== i)), { "aria-label": `Remove ${called}` });
    return element("tbody", { "data-path": plain(own) }, element("tr", {}, ...shown.map(box), element("td", { class: "row" }, beside?.(field, i, called) || null, remove)),
      element("tr", {}, element("td", { colspan: shown.length + 1 }, element("p", { class: "fault", role: "alert", hidden: true }), more)));
  });
  const head = element("thead", {}, element("tr", {}, ...shown.map((one) => element("th", { scope: "col" }, one.label)), element("td", {})));
  const place = element("table", { class: "cells" }, head, ...rows);
  place.addEventListener("paste", (event) => pasted(event, fields, shown, way, items));
  // A file with heads finds its rows and columns; one without comes below what is there.
  const heads = fields.map((one) => [one.name, one.label]), below = (block) => block && fill(block, [items.length, 0], fields, shown, way, items);
  place.addEventListener("drop", (event) => { droppedBlock(event, heads).then(below); });
  return [element("div", { class: "scroll" }, place), element("p", { class: "row" }, button(`+ ${field.label}`, () => redraw(way, [...items, { name: "" }])), fileButton(field.label, heads, below))];
};

/** @param {Field} field */
const tablesBox = (field, way, value) => {
  const items = Array.isArray(value) ? value : isTable(value) ? [value] : [];
  if (field.columns) return rowsBox(field, way, items);
  const one = (item, i) => {
    const title = items.length > 1 ? `${field.label} ${i + 1}` : field.label;
    const copy = button("Copy", () => redraw(way, [...items, structuredClone(item)]), { "aria-label": `Copy ${title}` });
    const remove = button("Remove", () => redraw(way, items.length > 1 ? items.filter((_, k) => k !== i) : undefined), { "aria-label": `Remove ${title}` });
    return element("fieldset", {}, element("legend", {}, title), ...group(field.fields, [...way, i]), element("p", { class: "row" }, copy, remove));
  };
  const full = items.length >= field.many[1];
  return [...items.map(one), full ? null : button(`+ ${field.label}`, () => redraw(way, [...items, {}]))];
};

const BOXES = {
  flag: flagBox, int: numberBox, fraction: numberBox, numbers: choiceBox, die: choiceBox, choice: choiceBox, name: namedBox, text: textBox,
  list: listBox, entries: entriesBox, row: rowBox, table: tableBox, tables: tablesBox,
};

/** Whether a value comes from how it has ended so far.
 * @param {Field} field */
const isTaken = (field, value) => isTable(value) && "of" in value && !("change" in value) && !["table", "tables", "row", "entries"].includes(field.kind);

const takenBox = (field, way, { of, times, plus, list }) => {
  const said = list ? `by ${of}: ${list.join(", ")}` : [times && times !== 1 ? `${times} ×` : "", of, plus ? (plus > 0 ? `+ ${plus}` : `− ${-plus}`) : ""].filter(Boolean).join(" ");
  return [element("span", {}, said), button("×", () => redraw(way, undefined), { "aria-label": `${field.label}: not from ${of}` })];
};

/** @param {Field} field */
const control = (field, way, value, id, about) => (isTaken(field, value) ? takenBox(field, way, value) : BOXES[field.kind](field, way, value, id, about));

// --- Several values: an axis ------------------------------------------------------------------

const asText = (field, value) => {
  if (isRange(value)) return `${value.from} to ${value.to}${value.step && value.step !== 1 ? ` step ${value.step}` : ""}`;
  return value.map((one) => (field.kind === "flag" ? word(field, one) : isTable(one) || Array.isArray(one) ? JSON.stringify(one) : String(one))).join(", ");
};

const asValue = (field, text) => {
  const range = /^\s*(-?[\d.]+)\s*(?:to|…|\.\.+)\s*(-?[\d.]+)\s*(?:(?:step|by)\s*([\d.]+))?\s*$/.exec(text);
  const numeric = ["int", "fraction", "numbers"].includes(field.kind);
  if (range && ["int", "fraction"].includes(field.kind)) {
    const step = range[3] ? { step: Number(range[3]) } : {};
    return { from: Number(range[1]), to: Number(range[2]), ...step };
  }
  let parts = text.split(",").map((part) => part.trim()).filter(Boolean);
  try { parts = text.includes("{") || text.includes("[") ? JSON.parse(`[${text}]`) : parts; } catch { /* half written */ }
  const switched = (part) => (field.values ? field.values.indexOf(part) === 1 : ["yes", "true"].includes(part));
  return parts.map((part) => (numeric ? number(part) : field.kind === "flag" ? switched(part) : part));
};

const axisBox = (field, way, value, id, about) => {
  const box = element("input", { id, value: asText(field, value), "aria-describedby": about, spellcheck: "false" });
  box.addEventListener("input", () => change(way, asValue(field, box.value)));
  return [box, element("span", { class: "quiet" }, ["int", "fraction"].includes(field.kind) ? (field.bound[0] < 0 ? "-1, 0, 2 or -1 to 2" : "4, 8, 16 or 4 to 16") : "with commas between")];
};

/** The first values of an axis: the one there, and what lies beside it. */
const varied = (field, value, printed) => {
  const now = value ?? printed ?? field.preset;
  if (field.kind === "flag") return [false, true];
  if (field.choices) return field.choices.slice(0, 12);
  if (field.kind === "name" || field.kind === "row") {
    // The one there and the next ones of the list: what was chosen beside others.
    const { names } = forms.names[field.names], place = names.indexOf(now);
    if (now === undefined) return names.slice(0, 3);
    return place < 0 ? [now] : [...new Set([now, ...names.slice(place + 1, place + 3), ...names])].slice(0, 3);
  }
  const [low, high] = field.bound, start = typeof now === "number" ? now : Math.max(low, Math.min(0, high));
  // What is printed is looked at from both sides, and no number below none where it is not.
  const first = field.near || printed !== undefined ? Math.max(start - 2, start < 0 ? low : Math.max(low, 0)) : start;
  const from = Math.max(low, Math.min(first, high - 4));
  return { from, to: Math.min(from + 4, field.bound[1]) };
};

/** The number that is printed for the field of a button. */
const printedAt = (made) => {
  const said = made.closest(".field")?.dataset.printed;
  return said === undefined ? undefined : Number(said);
};

const single = (field, value) => (isRange(value) ? value.from : value[0]);

// --- Fields in groups -------------------------------------------------------------------------

/** Makes a value an axis; of a number, of the values at which the answer changes, once they are known. */
const varyAlong = async (field, way, first) => {
  redraw(way, first);
  const found = isRange(first) && tell.stops ? await tell.stops(values, way, { from: first.from, most: field.bound[1] }) : null;
  if (found && JSON.stringify(at(values, way)) === JSON.stringify(first)) redraw(way, found);
};

const VARIES = ["flag", "int", "fraction", "numbers", "die", "choice", "name", "row"];

/** Whether a unit says more than the label does: `HP of the target` are HP. */
const hasUnit = ({ label, unit }) => unit && !label.toLowerCase().split(/\W+/).some((word) => unit.toLowerCase().split(/\W+/).includes(word));

const line = (field, way) => {
  const value = at(values, way), id = `field-${++count}`, about = `${id}-about`;
  const several = isAxis(field, value), whole = ["table", "tables"].includes(field.kind);
  const boxes = several ? axisBox(field, way, value, id, about) : control(field, way, value, id, about);
  const vary = !beside && VARIES.includes(field.kind) && button(several ? "one value" : "vary", (event) => (several ? redraw(way, single(field, value)) : varyAlong(field, way, varied(field, value, printedAt(event.currentTarget)))),
    { class: "vary", "aria-label": several ? `Give ${field.label} one value` : `Vary ${field.label}`, "aria-pressed": String(several) });
  const help = [field.about?.toLowerCase() === field.label.toLowerCase() ? "" : field.about, field.source && `(${field.source})`, field.assumed && "· our reading *"].filter(Boolean).join(" ");
  const labelled = !whole && !["list", "entries"].includes(field.kind);
  const title = whole ? null : element(labelled ? "label" : "span", { for: labelled ? id : null, class: "label" },
    field.label, hasUnit(field) ? element("span", { class: "quiet" }, ` ${field.unit}`) : null, field.assumed ? "*" : null);
  return element("div", { class: `field${value === undefined ? " unset" : ""}`, "data-path": plain(way) },
    title, element("div", { class: "control" }, ...boxes, vary || null),
    element("p", { class: "help", id: about }, help), element("p", { class: "fault", role: "alert", hidden: true }));
};

/** The fields of a group: the common ones under their headings, the rare ones folded. */
const group = (number, way) => {
  const fields = forms.groups[number];
  const isSet = (field) => at(values, [...way, field.name]) !== undefined;
  const common = fields.filter((field) => !field.rare || isSet(field));
  const rare = fields.filter((field) => field.rare && !isSet(field));
  const made = [], headings = [...new Set(common.map((field) => field.group || ""))];
  for (const heading of headings) {
    if (heading) made.push(element("h3", {}, heading));
    made.push(...common.filter((field) => (field.group || "") === heading).map((field) => line(field, [...way, field.name])));
  }
  if (rare.length) {
    const more = element("details", { class: "rare" }, element("summary", {}, `More (${rare.length}, all default)`));
    // Made when they are first looked at: most never are.
    more.addEventListener("toggle", () => {
      if (more.open && more.childElementCount === 1) more.append(...rare.map((field) => line(field, [...way, field.name])));
    });
    made.push(more);
  }
  return made;
};

// --- What follows -----------------------------------------------------------------------------

/** Which action follows: another one has other fields. */
const actionBox = (field, way, value, id, about) => {
  const box = element("select", named(field, id, about), ...field.system.actions.map((one) => element("option", { value: one.name, selected: one.name === value }, one.label)));
  box.addEventListener("input", () => redraw(way.slice(0, -1), { action: box.value, ...carriedBy(field.system, box.value) }));
  return [box];
};

/** What is handed on: nothing, all that both are about, or as the file says it. */
const carryBox = (field, way, value, id, about) => {
  const own = isTable(value) ? Object.entries(value).map(([to, from]) => `${to} = ${from}`).join(", ") : Array.isArray(value) ? value.join(", ") : null;
  const options = [["", "nothing"], ["all", "all that both are about"], ...own === null ? [] : [["own", own]]];
  const now = own !== null ? "own" : value === true ? "all" : "";
  const box = element("select", named(field, id, about), ...options.map(([key, said]) => element("option", { value: key, selected: key === now }, said)));
  box.addEventListener("input", () => change(way, { all: true, own: value }[box.value]));
  return [box];
};

Object.assign(BOXES, { action: actionBox, carry: carryBox });

const carriedBy = (system, name) => (system.actions.find((one) => one.name === name)?.leaves.length ? { carry: true } : {});

/** The steps that follow, each with its action, how it is taken and its fields.
 * @param {import("./types").SystemForm} system
 * @param {import("./types").ActionForm} first */
const following = (system, first) => {
  const one = isTable(values.then), steps = one ? [values.then] : Array.isArray(values.then) ? values.then : [];
  const drawn = steps.map((step, i) => {
    const way = one ? ["then"] : ["then", i], action = system.actions.find((known) => known.name === step.action), title = `then ${action?.label ?? step.action ?? ""}`;
    const own = (field) => ["action", "carry"].includes(field.name) ? { ...field, kind: field.name, system } : field;
    const head = forms.groups[forms.then].map((field) => line(own(field), [...way, field.name]));
    const remove = button("Remove", () => redraw(["then"], steps.length > 1 ? steps.filter((_, k) => k !== i) : undefined), { "aria-label": `Remove ${title}` });
    return element("fieldset", { class: "then" }, element("legend", {}, title), ...head, ...(action ? group(action.fields, way) : []), element("p", { class: "row" }, remove));
  });
  const add = button("+ what follows", () => redraw(["then"], [...steps, { action: first.name, ...carriedBy(system, first.name) }]), { id: "follow" });
  const left = first.leaves.length ? element("p", { class: "help" }, `Another action may follow. Handed on: ${first.leaves.join(", ")}.`) : element("p", { class: "help" }, "Another action may follow, by numbers of how this one ends.");
  return [...drawn, add, left];
};

/** Draws the form of an action with these values; `changed` is called with the new ones. `more` may put something
 * beside a row: it is given the field, the row's place and what it is called. An action of a `system` may be followed by
 * others. `stops` finds the values of a number at which the answer changes. */
export const draw = (place, all, action, now, changed, more = null, system = null, stops = null) => {
  [forms, beside] = [all, more]; values = now || {}; count = 0;
  tell = (next, path) => changed(next, path);
  tell.stops = stops;
  tell.redraw = () => {
    const own = /** @type {HTMLElement | undefined} */ (document.activeElement?.closest("[data-path]"));
    const focused = own?.dataset.path;
    draw(place, all, action, values, changed, more, system, stops);
    if (focused) [...place.querySelectorAll("[data-path]")].find((one) => one.dataset.path === focused)?.querySelector("input, select, button")?.focus();
  };
  place.replaceChildren(...group(action.fields, []), ...(system && !forms.groups[action.fields].some((field) => field.name === "then") ? following(system, action) : []));
};

/** The axes of these values: the steps to each, what it is called, and its values.
 * @param {number} fields
 * @returns {{ way: (string | number)[], label: string, values: any[] }[]} */
export const axesOf = (fields, own, way = []) => forms.groups[fields].flatMap((field) => {
  const value = own?.[field.name], to = [...way, field.name];
  if (value === undefined) return [];
  if (field.kind === "table" && isTable(value)) return axesOf(field.fields, value, to);
  if (field.kind === "tables") return (Array.isArray(value) ? value : [value]).flatMap((one, i) => axesOf(field.fields, one, [...to, i]));
  if (!isAxis(field, value)) return [];
  if (!isRange(value)) return [{ way: to, label: field.label, values: value }];
  const step = value.step ?? 1, count = Math.floor((value.to - value.from) / step + 1e-9) + 1;
  return [{ way: to, label: field.label, values: Array.from({ length: Math.max(1, Math.min(count, 1e5)) }, (_, i) => value.from + i * step) }];
});

/** Shows faults at their fields; those that have no field there.
 * @param {HTMLElement} place
 * @param {number} contest
 * @param {import("./types").FaultView[]} faults */
export const showFaults = (place, contest, faults) => {
  /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll(".fault")).forEach((one) => { one.hidden = true; one.textContent = ""; });
  place.querySelectorAll("[aria-invalid]").forEach((one) => one.removeAttribute("aria-invalid"));
  const places = new Map([.../** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-path]"))].map((one) => [one.dataset.path, one]));
  return faults.filter((fault) => {
    const own = (fault.path || "").replace(`contest[${contest}]`, "").replace(/^\./, "");
    const way = steps(own);
    // A fault in an entry of a list stands at the list.
    for (let length = way.length; length > 0; length--) {
      const found = places.get(plain(way.slice(0, length)));
      if (!found) continue;
      const said = /** @type {HTMLElement} */ (found.querySelector(":scope > .fault") || found.querySelector(".fault"));
      const text = [fault.problem, fault.help].filter(Boolean).join("; ");
      said.textContent = said.textContent ? `${said.textContent} · ${text}` : text;
      said.hidden = false;
      found.querySelector("input, select")?.setAttribute("aria-invalid", "true");
      for (let outer = found.closest("details"); outer; outer = outer.parentElement.closest("details")) outer.open = true;
      return false;
    }
    return true;
  });
};
