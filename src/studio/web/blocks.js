// @ts-check
// A report as the program makes it, block by block: headings, sentences, lists, and tables that stand as one
// list a row where there is no room for columns.

import { element } from "./dom.js";

/** @typedef {import("./types").TableJson} TableJson */
/** @typedef {import("./types").BlockJson} BlockJson */

/** @param {[boolean, string][]} said */
const words = (said) => said.flatMap(([strong, text], i) => [i ? " " : "", strong ? element("strong", {}, text) : text]);

/** @param {[boolean, string][][]} lines */
const list = (lines) => element("ul", {}, ...lines.map((line) => element("li", {}, ...words(line))));

/** A table; its parts keep their names for screen readers where a sheet of styles makes lists of them.
 * @param {string} caption
 * @param {TableJson} shown */
const table = (caption, { heads, rows, fixed }) => {
  const number = heads.map((_, i) => rows.some((row) => row[i][0]));
  const head = (text, i) => element("th", { scope: "col", role: "columnheader", class: number[i] && "n" }, text);
  const cell = ([, text], i) => element(i < fixed ? "th" : "td", {
    scope: i < fixed && "row", role: i < fixed ? "rowheader" : "cell", class: number[i] && "n", "data-head": heads[i],
  }, element("span", {}, text));
  return element("table", { role: "table", class: "told" }, element("caption", {}, caption),
    element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...heads.map(head))),
    element("tbody", { role: "rowgroup" }, ...rows.map((row) => element("tr", { role: "row" }, ...row.map(cell)))));
};

/** Tables of which one is seen.
 * @param {string} title
 * @param {[string, TableJson][]} all */
const choices = (title, all) => {
  const place = element("div");
  const choose = element("select", { "aria-label": title }, ...all.map(([called], i) => element("option", { value: i }, called)));
  const show = () => place.replaceChildren(table(...all[Number(choose.value)]));
  choose.addEventListener("input", show);
  show();
  return [element("h3", {}, title), element("p", {}, choose), place];
};

/** The kinds of blocks.
 * @template T
 * @typedef {T extends unknown ? keyof T : never} Keys */
/** What draws each kind.
 * @type {{ [Kind in Keys<BlockJson>]?: (said: Extract<BlockJson, Record<Kind, unknown>>[Kind]) => any[] }} */
const BLOCKS = {
  heading: (text) => [element("h3", {}, text)],
  sentence: (said) => [element("p", {}, ...words(said))],
  list: (lines) => [list(lines)],
  table: ([name, shown]) => [table(name, shown)],
  boxed: ([title, lines]) => [element("h3", {}, title), list(lines)],
  command: (line) => [element("pre", { tabindex: 0 }, line)],
  choices: ([title, all]) => choices(title, all),
};

/** The elements of a report's blocks. What comes after what nobody may overlook is folded, a section each; the name of
 * the whole stands on the page already.
 * @param {BlockJson[]} blocks */
export const drawBlocks = (blocks) => {
  const drawn = [];
  let place = null, over = false;
  for (const block of blocks) {
    const [[kind, said]] = Object.entries(block);
    if (kind === "heading" && over) drawn.push(place = element("details", {}, element("summary", {}, said)));
    else (place ?? { append: (...made) => drawn.push(...made) }).append(...(BLOCKS[kind]?.(said) ?? []));
    over ||= kind === "boxed";
  }
  return drawn;
};
