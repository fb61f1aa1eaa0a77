// @ts-check
// A table of the folder, .tsv or .csv: its text, how it reads as a table, and as data of a rulebook.

import { button, byId, element, say } from "./dom.js";
import * as files from "./files.js";
import { cellsOf, separatorOf } from "./paste.js";
import { quoted, wide } from "./rulebook_rows.js";

const SHOWN = 200;

const word = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_").replace(/^_+|_+$/g, "") || "column";

/** The rows as a block of data in a rulebook, its columns below each other. */
const block = (name, rows) => {
  const called = word(name.replace(/\.\w+$/, "")), width = rows[0].length;
  const told = rows.map((row, i) => Array.from({ length: width }, (_, k) => (i ? quoted(row[k] || "-") : k ? word(row[k]) : "name")));
  const wides = told[0].map((_, k) => Math.max(...told.map((row) => wide(row[k]))));
  const line = (row) => `    ${row.map((cell, k) => cell + " ".repeat(wides[k] - wide(cell))).join("  ").trimEnd()}\n`;
  return `data ${called}:\n${told.map(line).join("")}`;
};

/** Opens a table in the place of the form. */
export const open = (file, desk, kept = true) => {
  let { hash = null, saved = "" } = file;
  const box = element("textarea", { rows: 14, wrap: "off", spellcheck: "false", id: "sheet", "aria-label": `The table ${file.name}` });
  const place = element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "The table, row by row" });
  box.value = file.text;
  const rows = () => cellsOf(box.value, separatorOf(box.value));
  const titled = () => desk.titled(file.name, box.value !== saved, hash);
  const draft = () => ({ name: file.name, text: box.value, hash, saved });
  const draw = () => {
    const all = rows(), cell = (kind) => (text) => element(kind, kind === "th" ? { scope: "col" } : {}, text);
    place.replaceChildren(...(all.length ? [element("table", {}, element("thead", {}, element("tr", {}, ...all[0].map(cell("th")))),
      element("tbody", {}, ...all.slice(1, SHOWN + 1).map((row) => element("tr", {}, ...row.map(cell("td"))))))] : []),
    ...(all.length > SHOWN + 1 ? [element("p", { class: "quiet" }, `${all.length - 1 - SHOWN} more rows.`)] : []));
    titled();
    desk.remember();
  };
  const copy = async () => {
    const all = rows();
    if (!all.length) return;
    try { await navigator.clipboard.writeText(block(file.name, all)); say("The data is copied: paste it into a rulebook."); } catch { say("The browser does not let it be copied."); }
  };
  box.addEventListener("input", draw);
  const save = (as) => {
    const text = box.value;
    files.save({ name: file.name, text, hash }, (next, name) => {
      [hash, saved] = [next, text];
      desk.kept(file.name, next, text);
      file.name = name;
      draw();
    }, { as });
  };
  desk.edit({ save, draft, again: draw, wait: () => {}, pin: () => {} }, kept);
  byId("desk").dataset.kind = "sheet";
  byId("about").textContent = "A table of the folder. A rulebook has it as a block of data; cells between tabs (.tsv) it can also read from the file.";
  byId("form").hidden = false;
  byId("form").replaceChildren(box, element("p", { class: "row" }, button("Copy as data of a rulebook", copy, { id: "copy-data" })), place);
  draw();
};
