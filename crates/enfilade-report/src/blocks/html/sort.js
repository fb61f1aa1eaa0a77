"use strict";
// A press on the head of a column sorts its table by it: numbers from the largest, words from the first; another press turns it.
for (const table of document.querySelectorAll("main table")) {
  const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
  const value = (row, at) => {
    const text = row.cells[at].firstChild?.textContent.trim().replace("−", "-") ?? "", number = Number.parseFloat(text);
    return Number.isNaN(number) ? text : number;
  };
  const compare = (a, b) => (typeof a !== typeof b ? (typeof a === "number" ? -1 : 1) : a < b ? -1 : a > b ? 1 : 0);
  table.classList.add("grid");
  heads.forEach((head, at) => {
    const press = document.createElement("button");
    press.append(...head.childNodes);
    head.append(press);
    press.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort"), isNumber = typeof value(rows[0], at) === "number";
      const down = before ? before === "ascending" : isNumber;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      rows.sort((one, two) => (down ? -1 : 1) * compare(value(one, at), value(two, at)));
      body.append(...rows);
    });
  });
}
