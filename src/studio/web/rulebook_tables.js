// @ts-check
// The tables of a rulebook's text, to be changed in their cells and rows: what is typed there stands in the text at once.

import { button, element } from "./dom.js";
import { blockOf, droppedBlock, fileButton, spread, told } from "./paste.js";
import { added, filled, own, quoted, removed, spliced, wide } from "./rulebook_rows.js";

const shape = (tables) => JSON.stringify(tables.map((table) => [table.name, table.heads, table.rows.map((row) => row.length)]));

let drawn = [], last = "", wanted = null;

/** Goes into the cell that was made last, once it is there. */
const arrive = (place) => {
  const box = wanted && place.querySelector(`[data-cell="${wanted}"]`);
  wanted = null;
  box?.focus();
  box?.select();
};

/** Draws tables into a place. `text()` is the rulebook's text, `change` is called with another one, and `step` when a
 * number is looked at, with the text in which it is one more. */
export const draw = (place, tables, { text, change, step }) => {
  const same = shape(tables) === last && place.childElementCount;
  drawn = tables;
  if (same) {
    // What is being typed in keeps its place.
    place.querySelectorAll("input[data-cell]").forEach((box) => {
      const [t, r, c] = box.dataset.cell.split(" ");
      if (box !== document.activeElement) box.value = drawn[t].rows[r][c][0];
    });
    return;
  }
  last = shape(tables);
  const put = (cell, typed) => {
    const [, from, to] = cell, said = quoted(typed);
    const longer = wide(said) - (to - from), next = spliced(text(), from, to, said);
    drawn.flatMap((table) => table.rows.flat()).forEach((one) => { if (one[1] > from) { one[1] += longer; one[2] += longer; } });
    [cell[0], cell[2]] = [typed, to + longer];
    change(next);
  };
  const box = (t, r, c) => {
    const { name, heads, rows } = drawn[t], [said] = rows[r][c];
    const input = element("input", { value: said, "data-cell": `${t} ${r} ${c}`, size: Math.max(4, Math.min(said.length + 1, 24)), spellcheck: "false", autocomplete: "off",
      "aria-label": `${name}: ${c ? `${rows[r][0][0]}, ${heads[c] || "value"}` : heads[0] || "key"}` });
    const cell = () => drawn[t].rows[r][c];
    input.addEventListener("input", () => put(cell(), input.value));
    input.addEventListener("focus", () => {
      const [now, from, to] = cell();
      if (c && /^[+-]?\d+$/.test(now)) step(spliced(text(), from, to, String(Number(now) + 1)), `${name} ${rows[r][0][0]}`);
    });
    input.addEventListener("paste", (event) => pasted(event, t, r, c));
    return input;
  };
  /** Puts a block of a spreadsheet into the table: by its heads, or from this cell on. */
  const pasted = (event, t, r, c) => {
    const block = blockOf(event);
    if (!block) return;
    event.preventDefault();
    placed(block, t, r, c);
  };
  const placed = (block, t, r, c) => {
    const { heads, rows } = drawn[t], columns = rows[0].map((_, i) => [heads[i] ?? ""]);
    const found = spread(block, columns, rows.map((row) => row[0][0]), r, c);
    if (!found.cells.length) { told(found, 0); return; }
    const most = Math.max(...found.cells.map(([row]) => row + 1), rows.length);
    rowChanged(filled(text(), rows, found.cells), t, r);
    told(found, most - rows.length);
  };
  // Its places are those of another text from now on: the next answer brings new ones.
  const rowChanged = (next, t, r) => {
    [last, wanted] = ["", `${t} ${r} 0`];
    place.querySelectorAll("button, input").forEach((one) => { one.disabled = true; });
    change(next, true);
  };
  const hands = (t, r) => {
    const { name, rows } = drawn[t], called = rows[r][0][0];
    const below = () => rowChanged(added(text(), drawn[t].rows, r), t, r + 1);
    const away = () => rowChanged(removed(text(), drawn[t].rows, r), t, Math.max(0, r - 1));
    return element("td", { class: "hands" },
      button("+", below, { class: "step", title: "A row like this below", "aria-label": `${name}: a row like ${called} below it` }),
      rows.length > 1 ? button("×", away, { class: "step", title: "Take this row away", "aria-label": `${name}: take ${called} away` }) : null);
  };
  const free = tables.map((table) => own(text(), table.rows));
  const headsOf = (t) => drawn[t].rows[0].map((_, i) => [drawn[t].heads[i] ?? ""]);
  const filledAt = (t) => (block) => block && placed(block, t, drawn[t].rows.length, 0);
  place.replaceChildren(...tables.map(({ name, heads, rows }, t) => element("details", { open: tables.length < 4 }, element("summary", {}, name),
    element("div", { class: "scroll", ondrop: (event) => { droppedBlock(event, headsOf(t)).then(filledAt(t)); } }, element("table", { class: "cells" },
      heads.length ? element("thead", {}, element("tr", {}, ...heads.map((head) => (head ? element("th", { scope: "col" }, head) : element("td", {}))), element("td", {}))) : null,
      element("tbody", {}, ...rows.map((row, r) => element("tr", {}, ...row.map((_, c) => element(c ? "td" : "th", c ? {} : { scope: "row" }, box(t, r, c))), free[t][r] ? hands(t, r) : null))))),
    fileButton(name, headsOf(t), filledAt(t)))));
  arrive(place);
};
