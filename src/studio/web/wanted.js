// @ts-check
// Wanted odds: from the value that a measure should have to the numbers that give it. A row is tried by a
// press; the want stays as a line below the answer, which every later change is measured by.

import { newest } from "./requests.js";
import { button, byId, element, say } from "./dom.js";
import { at, axis, put } from "./form_paths.js";

/** @typedef {import("./types").WantedReply} WantedReply */
/** @typedef {import("./types").MeasureView} MeasureView */

/** @type {import("./requests.js").Door<WantedReply>} */
const door = newest("/api/wanted");
const REST = 150, SIGNS = ["=", "<=", ">="], BARS = 10, KEPT = 3;

/** What the desk lends: the question, its form, and what to do with changed values and files. */
let desk = null;
/** @type {MeasureView | null} */
let measure = null;
/** @type {{ name: string, text: string, sign: string, target: number, room: number, share: boolean } | null} */
let kept = null;
/** @type {WantedReply | null} */
let found = null;
let timer = 0;

/** The want as it stands in the line; a share is typed in percent. */
const want = () => {
  const [sign, target, room] = ["wanted-sign", "wanted-target", "wanted-room"].map((id) => byId(id).value);
  const unit = measure.share ? " %" : "", size = measure.share ? 100 : 1;
  const text = `${measure.name} ${sign} ${target}${unit}${sign === "=" && Number(room) ? ` ± ${room}${unit}` : ""}`;
  return { name: measure.name, text, sign, target: Number(target) / size, room: sign === "=" ? Number(room) / size : 0, share: measure.share };
};

/** Whether a value meets a want. */
const meets = (own, value) => {
  const beyond = own.sign === "<=" ? value - own.target : own.sign === ">=" ? own.target - value : Math.abs(value - own.target);
  return beyond - own.room <= 1e-9;
};

/** A form with other numbers; a row that is only named becomes one with a number of its own. */
const changed = (form, set) => set.reduce((values, [keys, value]) => {
  const way = axis(values, keys.join(".")) || keys;
  const named = at(values, way.slice(0, 1));
  const whole = typeof named === "string" && way.length > 1 ? put(values, [way[0]], { name: named }) : values;
  return put(whole, way, value);
}, form);

/** A number as the form calls it; one that has no field there, as a number of the rules, as the file does. */
const labelOf = (name) => {
  const field = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#form [data-path]"))].find((one) => one.dataset.path.replace(/\[0\]/g, "") === name);
  return field?.querySelector(".label")?.firstChild?.textContent || name;
};

/** Numbers of a row, each with its value now and the one that is tried. */
const labelled = (one) => one.numbers.map(([name, from, to]) => `${labelOf(name)} ${from ?? "none"} → ${to}`).join(", ");

/** @param {WantedReply["tries"][number]} one */
const row = (one) => element("li", {}, button(`${labelled(one)}: ${one.shown}`, () => {
  kept = want();
  desk.take(changed(desk.form(), one.set));
  byId("wanted").close();
  say("Tried. What was there before is A; undo brings it back.");
}, { class: "step", "aria-label": `Try ${labelled(one)}: ${one.shown}${one.fits ? "" : ", near what is wanted"}` }),
element("small", {}, one.fits ? "" : " near", one.rules ? " changes a number of the rules, in this file alone" : ""));

/** One step of each number down and up, as bars about a middle line. */
const tornado = (steps) => {
  const most = Math.max(...steps.flatMap((one) => [Math.abs(one.down ?? 0), Math.abs(one.up ?? 0)]), 1e-12);
  const size = measure.share ? 100 : 1;
  const shown = (gap) => {
    if (gap === null) return "at end";
    const figures = Math.abs(gap * size).toFixed(measure.share ? 1 : 2);
    return `${Number(figures) === 0 ? "" : gap > 0 ? "+" : "−"}${figures}`;
  };
  const bar = (gap) => {
    const inner = element("span", { class: "bar" });
    inner.style.inlineSize = `${100 * Math.abs(gap) / most}%`;
    return element("td", { class: "scale", "aria-hidden": "true" }, inner);
  };
  const line = (one) => {
    const [low, high] = [Math.min(one.down ?? 0, one.up ?? 0, 0), Math.max(one.down ?? 0, one.up ?? 0, 0)];
    const left = bar(low);
    left.dir = "rtl";
    return element("tr", {}, element("th", { scope: "row", title: one.name }, labelOf(one.name)), element("td", { class: "n" }, shown(one.down)), left, bar(high), element("td", { class: "n" }, shown(one.up)));
  };
  return element("table", {}, element("caption", {}, "What matters: one step of each number"),
    element("thead", {}, element("tr", {}, ...["number", "one down", "", "", "one up"].map((head) => (head ? element("th", { scope: "col" }, head) : element("td", { class: "scale" }))))),
    element("tbody", {}, ...steps.slice(0, BARS).map(line)));
};

/** The share of each axis in the variance over the grid, as a bar: alone dark, with the others light. */
const variance = (shares) => {
  const part = (size, kind) => {
    const inner = element("span", { class: `bar ${kind}` });
    inner.style.inlineSize = `${100 * Math.max(0, Math.min(1, size))}%`;
    return inner;
  };
  const percent = (share) => `${(100 * share).toFixed(0)} %`;
  const line = ({ name, alone, all }) => element("tr", {}, element("th", { scope: "row", title: name }, labelOf(name)), element("td", { class: "n" }, percent(alone)), element("td", { class: "n" }, percent(all)),
    element("td", { class: "scale", "aria-hidden": "true" }, part(alone, "alone"), part(all - alone, "others")));
  return element("table", { id: "wanted-shares" }, element("caption", {}, "Shares of the variance over all values of the question"),
    element("thead", {}, element("tr", {}, ...["number", "alone", "in all", ""].map((head) => (head ? element("th", { scope: "col" }, head) : element("td", { class: "scale" }))))),
    element("tbody", {}, ...shares.map(line)));
};

const show = () => {
  const { steps = [], shares = [], cut, faults } = found || {};
  // Whoever asks what matters has not said yet what they want.
  const tries = byId("wanted").classList.contains("steps-only") ? [] : found?.tries ?? [];
  const told = faults?.length ? faults.map((one) => [one.problem, one.help].filter(Boolean).join("; ")).join(" ")
    : byId("wanted").classList.contains("steps-only") ? "" : !tries.length ? (cut ? "The time was not enough: press More." : "No number of this question moves it.") : tries.some((one) => one.fits) ? "" : "No number alone gives it, and no two; the nearest:";
  byId("wanted-said").textContent = told;
  byId("wanted-tries").replaceChildren(...tries.filter((one) => one.fits || !tries.some((other) => other.fits)).map(row));
  byId("wanted-more").hidden = !cut;
  byId("wanted-file").hidden = !tries.length;
  byId("wanted-steps").replaceChildren(...(steps.length ? [tornado(steps)] : []), ...(shares.length ? [variance(shares)] : []));
};

const search = async (patient = false) => {
  const own = want();
  let reply;
  try { reply = await door({ ...desk.question(), want: own.text, patient }); } catch { return; }
  if (!reply) return;
  found = reply;
  show();
};

const soon = () => {
  byId("wanted").classList.remove("steps-only");
  clearTimeout(timer);
  timer = setTimeout(() => search(), REST);
};

/** The question as a file with the want, and the numbers that come nearest. */
const file = () => {
  const key = (name) => (/^[\w.-]+$/.test(name) ? name : JSON.stringify(name));
  const alone = (found?.tries || []).filter((one) => one.numbers.length === 1).slice(0, KEPT);
  const numbers = new Map(alone.map(({ numbers: [[name, ...ends]] }) => [name, ends.map(Number)]));
  const lines = [...numbers].filter(([, ends]) => ends.every(Number.isInteger)).map(([name, ends]) => `${key(name)} = { from = ${Math.min(...ends)}, to = ${Math.max(...ends)} }`);
  return `${desk.text().trimEnd()}\n\n[seek]\nso_that = [${JSON.stringify(want().text)}]\n[seek.change]\n${lines.join("\n")}\n`;
};

/** Opens the line for a measure: with a target, in percent where it is a share, or with what matters most first.
 * @param {MeasureView} one
 * @param {{ target?: number, first?: "tries" | "steps" }} [asked] */
export const open = (one, { target, first = "tries" } = {}) => {
  measure = one;
  found = null;
  byId("wanted-title").textContent = first === "steps" ? `What matters most: ${one.label}` : `Make it: ${one.label}`;
  for (const name of ["steps-first", "steps-only"]) byId("wanted").classList.toggle(name, first === "steps");
  const value = (one.value ?? 0) * (one.share ? 100 : 1);
  byId("wanted-target").value = (target ?? value).toFixed(one.share ? 0 : 1);
  byId("wanted-room").value = one.share ? "2" : "0.1";
  byId("wanted-unit").textContent = one.share ? "%" : "";
  byId("wanted-tries").replaceChildren();
  byId("wanted-steps").replaceChildren();
  byId("wanted-said").textContent = "";
  byId("wanted").showModal();
  byId("wanted-target").select();
  byId("wanted-said").textContent = "…";
  // What matters most is asked for on purpose: it has the time that it takes.
  search(first === "steps");
};

/** Says whether the want that is kept still holds.
 * @param {import("./types").AnswerInWords | null | undefined} told */
export const follow = (told) => {
  const own = kept && told?.measures.find((one) => one.name === kept.name);
  byId("wanted-line").hidden = !own;
  if (!own) return;
  const holds = typeof own.value === "number" && meets(kept, own.value);
  byId("wanted-line").replaceChildren(`Wanted: ${kept.text}. It is ${own.shown}${kept.share ? " %" : ""}: ${holds ? "it holds ✓" : "it does not hold ✗"} `,
    button("Forget", () => { kept = null; follow(null); }, { class: "step" }));
};

const dialog = () => element("dialog", { id: "wanted", "aria-labelledby": "wanted-title" },
  element("div", { class: "row spread" }, element("h2", { id: "wanted-title" }), button("Close", () => byId("wanted").close())),
  element("p", { class: "row" },
    element("select", { id: "wanted-sign", "aria-label": "sign", onchange: soon }, ...SIGNS.map((sign) => element("option", {}, sign))),
    element("input", { id: "wanted-target", type: "number", step: "any", "aria-label": "wanted value", oninput: soon }), "±",
    element("input", { id: "wanted-room", type: "number", step: "any", min: 0, "aria-label": "tolerance", oninput: soon }), element("span", { id: "wanted-unit" })),
  element("p", { id: "wanted-said", class: "quiet", "aria-live": "polite" }), element("ul", { id: "wanted-tries", class: "plain" }),
  element("p", { class: "row" }, button("More …", () => search(true), { id: "wanted-more", hidden: true }), button("Keep as a file", () => desk.keep(file()), { id: "wanted-file", hidden: true })),
  element("div", { id: "wanted-steps", class: "scroll", tabindex: 0, role: "region", "aria-label": "What matters" }));

export const wire = (lent) => {
  desk = lent;
  document.body.append(dialog());
  byId("pins").after(element("p", { id: "wanted-line", class: "quiet", hidden: true }));
};
