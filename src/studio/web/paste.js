// @ts-check
// A block of cells as spreadsheets put it on the clipboard, and where its cells go in a table.

import { button, element, say } from "./dom.js";
import { sheetsOf } from "./workbook.js";

/** The endings of tables that are read: texts, and workbooks. */
const TEXTS = /\.(csv|tsv|txt)$/i, BOOKS = /\.xlsx$/i;

/** The cells of a text, line by line: what stands between quotes may hold separators and line ends. */
export const cellsOf = (text, separator) => {
  const rows = [[]];
  let cell = "", quoted = false;
  const end = () => { rows.at(-1).push(cell.trim()); cell = ""; };
  for (let i = 0; i < text.length; i++) {
    const sign = text[i];
    if (quoted && sign === '"' && text[i + 1] === '"') { cell += sign; i++; }
    else if (quoted) { if (sign === '"') quoted = false; else cell += sign; }
    else if (sign === '"' && cell.trim() === "") { quoted = true; cell = ""; }
    else if (sign === separator) end();
    else if (sign === "\n") { end(); rows.push([]); }
    else if (sign !== "\r") cell += sign;
  }
  end();
  return rows.filter((row) => row.some((one) => one !== ""));
};

/** What separates the cells of a file. */
export const separatorOf = (text) => {
  const first = text.split("\n", 1)[0], count = (sign) => first.split(sign).length;
  return ["\t", ";", ","].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
};

/** The block that is pasted; null where it is one cell, which goes where the cursor is. */
export const blockOf = (event) => {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (!/[\t\n]/.test(text.trimEnd())) return null;
  const rows = cellsOf(text, "\t");
  return rows.length > 1 || rows[0]?.length > 1 ? rows : null;
};

const bare = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** The tables of a file of a spreadsheet's program, of a workbook one a sheet; null where it is none, or cannot be read,
 * and then it is said why.
 * @param {File} file
 * @returns {Promise<{ name: string, rows: string[][] }[] | null>} */
export const tablesOf = async (file) => {
  if (TEXTS.test(file.name)) {
    const text = await file.text();
    return [{ name: "", rows: cellsOf(text, separatorOf(text)) }];
  }
  if (!BOOKS.test(file.name)) return null;
  try {
    const sheets = await sheetsOf(await file.arrayBuffer());
    if (!sheets.length) say(`${file.name} has no cells.`);
    return sheets.length ? sheets : null;
  } catch (error) {
    say(`${file.name} cannot be read: ${error.message}. In its program, save the sheet as CSV.`);
    return null;
  }
};

/** The table of a file that fits these heads best: of a workbook the sheet with the most of them. */
const fitting = async (file, heads) => {
  const tables = await tablesOf(file), known = heads.flat().map(bare);
  const fits = ({ rows }) => rows[0].filter((head) => head !== "" && known.includes(bare(head))).length;
  return tables?.length ? tables.reduce((best, one) => (fits(one) > fits(best) ? one : best)).rows : null;
};

/** The cells of a table that is dropped here, and belongs into columns of these heads; null where it is none. */
export const droppedBlock = async (event, heads) => {
  const file = [...event.dataTransfer?.files ?? []].find((one) => TEXTS.test(one.name) || BOOKS.test(one.name));
  if (!file) return null;
  // Otherwise it would be put into the folder.
  event.preventDefault();
  event.stopPropagation();
  return fitting(file, heads);
};

/** A button that asks for such a file, where nothing can be dropped; `filled` is called with its cells. */
export const fileButton = (called, heads, filled) => {
  const box = element("input", { type: "file", accept: ".csv,.tsv,.xlsx", hidden: true, "aria-label": `A file for ${called}` });
  box.addEventListener("change", async () => {
    const block = box.files[0] && await fitting(box.files[0], heads);
    box.value = "";
    if (block) filled(block);
  });
  return element("span", {}, button("Fill from a file", () => box.click(), { class: "step", "aria-label": `Fill from a file: CSV, TSV or a workbook for ${called}` }), box);
};

/** Which column each head of a block is; null where its first line is no line of heads. */
const matched = (line, heads) => {
  const known = heads.map((names) => names.map(bare)), all = line.map((text) => known.findIndex((names) => bare(text) !== "" && names.includes(bare(text))));
  const named = line.filter((text) => text !== "").length, found = all.filter((column) => column >= 0).length;
  if (found < 2 && !(found === 1 && named === 1) || 2 * found < named) return null;
  // A table's keys may stand under no head.
  if (!all.includes(0) && all[0] < 0 && (bare(line[0]) === "" || heads[0].every((name) => bare(name) === ""))) all[0] = 0;
  return all;
};

/** Where the cells of a block go in a table: `[row, column, text]`. `heads` are what its columns are called, `keys` what
 * stands in the first of them. A block with heads fills the columns of their names, in the rows of its keys and in new
 * ones; one without goes on from `row` and `column`. What has no place is `left`. */
export const spread = (block, heads, keys, row, column) => {
  const columns = matched(block[0], heads), cells = [], left = [];
  if (columns) columns.forEach((at, i) => { if (at < 0 && block[0][i] !== "") left.push(block[0][i]); });
  const named = columns?.includes(0), known = [...keys], begin = (columns && named) ? null : row;
  (columns ? block.slice(1) : block).forEach((line, i) => {
    let to = begin === null ? known.indexOf(line[columns.indexOf(0)]) : begin + i;
    if (to < 0) to = known.push(line[columns.indexOf(0)]) - 1;
    line.forEach((text, k) => {
      const at = columns ? columns[k] ?? -1 : column + k;
      if (at >= 0 && at < heads.length) cells.push([to, at, text]);
      else if (!columns && text !== "") left.push(text);
    });
  });
  return { cells, left };
};

/** Says what became of a block. */
export const told = ({ cells, left }, added) => say([`${cells.length} cells are filled`, added > 0 ? `${added} ${added > 1 ? "rows" : "row"} added` : "",
  left.length ? `no column for ${left.slice(0, 4).join(", ")}${left.length > 4 ? " …" : ""}` : ""].filter(Boolean).join(", ") + ".");
