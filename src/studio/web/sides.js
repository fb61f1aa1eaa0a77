// @ts-check
// Several variants, files, or all that a file was when it was saved, side by side: a row each, the measures across, and
// over time a line.

import { ask, newest } from "./requests.js";
import { button, byId, drawn, element, say } from "./dom.js";
import { called, drawer } from "./papers.js";

/** @typedef {import("./types").AnswerInWords} AnswerInWords */
/** A row: what it is called, what is said of it, and its answer; null where it has none.
 * @typedef {{ name: string, note?: string, told: AnswerInWords | null, text?: string, of?: string, hands?: any[] }} Side */

/** Measures across, rows that are solved, and saves of a file that are kept. */
const ACROSS = 6, MOST = 24, KEPT = 60;
/** How the name of a save begins among the variants. */
export const SAVED = "saved-";

/** @type {import("./requests.js").Door<import("./types").LiveReply>} */
const solved = newest("/api/odds");
/** @type {import("./requests.js").Door<import("./types").DraftCheckReply>} */
const written = newest("/api/rules");
const papers = drawer("variants");

let desk = null, variants = null;

/** The answer to a text: of a question, or of the first question of a rulebook. */
const answerTo = async ({ of = "", text, contest = 0, cell = 0 }) => {
  try {
    if (of.endsWith(".rules")) return (await written({ name: of, text, beside: [], question: 0 }))?.odds?.told ?? null;
    return (await solved({ name: of, text, contest, form: null, cell, patient: true }))?.told ?? null;
  } catch { return null; }
};

/** The measures that tell the rows apart, and where none does the first ones.
 * @param {Side[]} sides */
const across = (sides) => {
  const all = sides.map(({ told }) => new Map((told?.measures ?? []).map((one) => [one.name, one])));
  const names = [...new Set(all.flatMap((own) => [...own.keys()]))];
  const values = (name) => all.map((own) => own.get(name)?.value).filter((one) => typeof one === "number");
  const gap = (name) => { const own = values(name); return Math.max(...own) - Math.min(...own); };
  const known = names.filter((name) => values(name).length);
  const apart = known.filter((name) => gap(name) > 5e-7);
  return { all, names: (apart.length ? apart : known).slice(0, ACROSS), values };
};

/** The measure by which rows are sorted, from the most or from the least; rows stand in their own order before one is pressed. */
let order = { name: "", down: true };

/** @param {Side[]} sides */
const sorted = (sides) => {
  const value = (side) => side.told?.measures.find((one) => one.name === order.name)?.value ?? -Infinity;
  return order.name ? [...sides].sort((a, b) => (order.down ? value(b) - value(a) : value(a) - value(b)) || 0) : sides;
};

/** The head of a column: a press sorts by it, another the other way round. */
const sortHead = (one, again) => {
  const own = order.name === one.name, arrow = own ? (order.down ? " ▼" : " ▲") : "";
  const press = button(`${one.label}${arrow}`, () => { order = { name: one.name, down: !own || !order.down }; again(); }, { class: "sort" });
  return element("th", { scope: "col", class: "n", title: one.about, "aria-sort": own ? (order.down ? "descending" : "ascending") : "none" }, press);
};

/** @param {Side[]} rows
 * @param {() => void} again */
const table = (rows, again) => {
  const sides = sorted(rows), { all, names, values } = across(sides);
  const known = (name) => all.map((own) => own.get(name)).find(Boolean);
  // Numbers below one another have as many decimals as the one that needs most.
  const decimals = (name) => Math.max(0, ...all.map((own) => own.get(name)?.shown.split(".")[1]?.length ?? 0));
  const cell = (name, own) => {
    const one = own.get(name), most = Math.max(...values(name)), least = Math.min(...values(name));
    if (typeof one?.value !== "number") return element("td", { class: "n", "data-head": known(name).label }, "–");
    const bar = element("span", { class: "bar" });
    bar.style.inlineSize = `${100 * (one.share ? one.value : one.value / (most || 1))}%`;
    const top = one.value === most && most > least;
    return element("td", { class: "n", title: one.full, "data-head": one.label }, element(top ? "strong" : "span", {}, one.share ? one.shown : one.value.toFixed(decimals(name))), top ? element("span", { class: "unseen" }, ", the most") : null, bar);
  };
  const row = (side, i) => element("tr", {}, element("th", { scope: "row" }, side.name, side.note ? element("small", {}, side.note) : null),
    ...names.map((name) => cell(name, all[i])), element("td", {}, element("div", { class: "row" }, ...(side.told ? side.hands ?? [] : [element("span", { class: "alarm" }, "has no answer")]))));
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Side by side" }, element("table", { class: "sides" },
    element("caption", {}, "The most of each column is bold; press a head to sort by it, and point at a number for all its digits."),
    element("thead", {}, element("tr", {}, element("td", {}), ...names.map((name) => sortHead(known(name), again)), element("td", {}))), element("tbody", {}, ...sides.map(row))));
};

/** A line for each of the measures that changed, over the rows in their order.
 * @param {Side[]} sides */
const line = (sides) => {
  const { all, names } = across(sides), [wide, high] = [560, 150];
  const shares = names.filter((name) => all.find((own) => own.get(name))?.get(name).share).slice(0, 4);
  if (sides.length < 2 || !shares.length) return null;
  const x = (i) => 40 + (wide - 190) * (i / (sides.length - 1)), y = (v) => 12 + (high - 36) * (1 - v);
  const picture = drawn("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": "The numbers of this file from save to save" });
  for (const v of [0, 0.5, 1]) picture.append(drawn("line", { x1: 40, x2: wide - 150, y1: y(v), y2: y(v), class: "rule" }), drawn("text", { x: 34, y: y(v) + 4, "text-anchor": "end" }, `${100 * v} %`));
  const ends = [];
  shares.forEach((name, k) => {
    const points = all.map((own, i) => [x(i), own.get(name)?.value]).filter(([, v]) => typeof v === "number");
    const label = all.find((own) => own.get(name)).get(name).label, last = points.at(-1);
    picture.append(drawn("polyline", { points: points.map(([px, v]) => `${px},${y(v)}`).join(" "), class: `curve dash-${k}` }));
    ends.push([last[0] + 6, y(last[1]) + 4, label]);
  });
  // Labels at the ends of their lines, one below the other where they would meet.
  ends.sort((a, b) => a[1] - b[1]).reduce((least, [px, py, label]) => {
    const place = Math.max(py, least);
    picture.append(drawn("text", { x: px, y: place }, label.length > 18 ? `${label.slice(0, 17)}…` : label));
    return place + 14;
  }, 0);
  return element("figure", {}, picture, element("figcaption", {}, "from the oldest save to the newest"));
};

const see = (title, ...found) => {
  byId("sides-title").textContent = title;
  byId("sides-found").replaceChildren(...found.filter(Boolean));
  if (!byId("sides").open) byId("sides").showModal();
};

const hands = (side) => [
  button("Open", () => { byId("sides").close(); desk.openText(side); }, { class: "step", "aria-label": `Open ${side.name}` }),
  ...(side.of?.endsWith(".rules") ? [] : [button("As A", () => { byId("sides").close(); desk.pin({ text: side.text, contest: side.contest ?? 0, cell: side.cell ?? 0 }); }, { class: "step", "aria-label": `Pin ${side.name} as A` })]),
];

/** Solves rows one after the other, and shows those that are there. */
const fill = async (title, sides, more) => {
  const found = [], again = () => see(title, ...more(found), table(found, again));
  order = { name: "", down: true };
  for (const side of sides.slice(0, MOST)) {
    found.push({ ...side, told: side.told ?? await answerTo(side), hands: side.text === undefined ? [] : hands(side) });
    again();
  }
  if (sides.length > MOST) say(`The first ${MOST} of ${sides.length} are shown.`);
};

/** Files that may be set beside the question. */
const chooser = (rows) => {
  const names = desk.files().filter((name) => name.endsWith(".toml"));
  const choose = element("select", { id: "sides-file" }, element("option", { value: "" }, "a file …"), ...names.map((name) => element("option", { value: name }, name)));
  choose.addEventListener("input", async () => {
    const name = choose.value, file = name && await ask(`/api/files/${encodeURIComponent(name)}`);
    if (file?.error) say(file.error); else if (file) open([...rows, { name, of: name, text: file.text }]);
  });
  return element("p", { class: "row" }, element("label", { for: "sides-file" }, "Set beside them"), choose);
};

/** Sets what stands there, its variants, and chosen files side by side. */
export const open = async (rows = null) => {
  const now = desk.answered();
  const all = rows ?? [...(now ? [{ name: "now", note: now.told.sentence, told: now.told }] : []), ...(await variants.read()).map((one) => ({ ...one, of: one.of ?? "" }))];
  if (!all.length) { see("Side by side", element("p", {}, "Nothing to compare yet: keep a variant, or set a file beside."), chooser(all)); return; }
  await fill("Side by side", all, () => [chooser(all)]);
};

/** Keeps a text that was saved into a file, with its sentence: the history of that file. */
export const saved = async (name, text, told) => {
  if (!name || !/\.(toml|rules)$/.test(name)) return;
  const sentence = told?.sentence ?? "";
  const own = (await papers.list()).filter((one) => one.id.startsWith(SAVED) && one.of === name);
  const last = own.at(-1) && await papers.read(own.at(-1).id);
  if (last?.text === text) return;
  await papers.put({ id: SAVED + called(name), hash: null }, { of: name, name: "Saved", note: sentence.slice(0, 200), kept: new Date().toISOString(), contest: 0, cell: 0, text });
  for (const one of own.slice(0, Math.max(0, own.length + 1 - KEPT))) await papers.forget(/** @type {any} */ (one));
};

/** Shows what a file was at each save, with its numbers over time. */
export const history = async (name) => {
  const own = (await papers.list()).filter((one) => one.id.startsWith(SAVED) && one.of === name).slice(-MOST);
  if (!own.length) { see(`History of ${name || "this question"}`, element("p", {}, "Nothing yet: every save of the file is kept here, with its numbers.")); return; }
  const texts = await Promise.all(own.map((one) => papers.read(one.id)));
  const sides = texts.map((paper, i) => ({ name: new Date(own[i].kept).toLocaleString(), note: own[i].note, of: name, text: paper.text, told: null }));
  await fill(`History of ${name}`, sides, (found) => [line(found)]);
};

export const wire = (own, kept) => {
  [desk, variants] = [own, kept];
  byId("sides-close").addEventListener("click", () => byId("sides").close());
  byId("sides-open").addEventListener("click", () => open());
  byId("history-open").addEventListener("click", () => history(desk.name()));
};
