// All cells: a table to filter and sort. On a narrow screen it has two columns, where a cell stands and
// the chosen measure, so that every result is seen.
const PAGE = 40, STEP = 400;
const collator = new Intl.Collator("en", { numeric: true });
const narrow = matchMedia("(max-width: 34rem)");
let sorted = { column: null, down: false }, limit = PAGE, listed = [];

/** What stands in the columns: cell, axes, measures. */
const heads = () => {
  const cell = { name: "cell", label: "cell", size: (i) => contest.number(i), numbers: true };
  const axes = contest.axes.map((axis, k) => {
    const at = (i) => contest.positions(i)[k];
    const value = (i) => axis.values[at(i)];
    return { name: axis.name, label: axis.label, value, size: axis.numbers ? (i) => axis.numbers[at(i)] : value, numbers: Boolean(axis.numbers), axis: true };
  });
  const measures = contest.measures.map((measure) => (
    { ...measure, size: (i) => measure.numbers()[i], numbers: true, measure: true }));
  return [cell, ...axes, ...measures];
};

/** Those that are shown. */
const shownHeads = (known) => {
  if (!narrow.matches) return known;
  const where = { name: "place", label: contest.axes.map((axis) => axis.label).join(", "), value: (i) => place(contest, i), size: contest.number, numbers: true, where: true };
  return [where, ...known.filter((column) => column.measure && column.name === measure().name)];
};

/** What a filter asks: comparisons with a column, and words that an axis must have. */
const asked = (text, known) => {
  const unknown = [], tests = [];
  const parts = text.trim().toLowerCase().replaceAll("−", "-").replace(/\s*(<=|>=|<|>|=)\s*/g, "$1").split(/\s+/).filter(Boolean);
  for (const part of parts) {
    const found = /^(.+?)(<=|>=|<|>|=)(.+)$/.exec(part);
    if (!found) {
      const hit = (column, i) => (column.numbers ? column.size(i) === Number(part) : column.value(i).toLowerCase().includes(part));
      tests.push((i) => known.some((column) => column.axis && hit(column, i)));
      continue;
    }
    const [, name, sign, wanted] = found;
    const column = known.find((one) => one.name.toLowerCase() === name) || known.find((one) => one.label.toLowerCase().replaceAll(" ", "_") === name);
    const number = Number(wanted);
    if (!column) unknown.push(name);
    else if (!column.numbers) tests.push((i) => column.value(i).toLowerCase().includes(wanted));
    else if (Number.isNaN(number)) unknown.push(wanted);
    else {
      const compare = { "<": (a) => a < number, ">": (a) => a > number, "<=": (a) => a <= number, ">=": (a) => a >= number, "=": (a) => a === number };
      tests.push((i) => compare[sign](column.size(i)));
    }
  }
  return { unknown, passes: (i) => tests.every((test) => test(i)) };
};

const arrange = () => {
  const known = heads(), filter = asked(byId("filter").value, known);
  listed = Array.from({ length: contest.cells }, (_, i) => i).filter(filter.passes);
  const by = sorted.column === null ? null : shownHeads(known)[sorted.column];
  if (by) {
    const size = new Map(listed.map((i) => [i, by.size(i)]));
    const compare = by.numbers ? (a, b) => a - b : collator.compare;
    listed.sort((i, k) => {
      const [a, b] = [size.get(i), size.get(k)];
      const gap = (by.numbers && Number.isNaN(a) ? 1 : 0) - (by.numbers && Number.isNaN(b) ? 1 : 0);
      return gap || (sorted.down ? compare(b, a) : compare(a, b)) || i - k;
    });
  }
  const group = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, " ");
  const unknown = filter.unknown.length ? ` There is no column or number ${filter.unknown.map((name) => `“${name}”`).join(", ")}.` : "";
  byId("count").textContent = `${group(listed.length)} of ${group(contest.cells)} cells.${unknown}`;
};

const line = (known) => (i) => {
  const pick = element("button", { type: "button", "aria-label": `show cell ${contest.number(i)}: ${place(contest, i)}` }, known[0].where ? known[0].value(i) : String(contest.number(i)));
  pick.addEventListener("click", () => { choose(i, true); byId("explore").scrollIntoView({ block: "start" }); });
  const row = element("tr", { "data-cell": i }, element("th", known[0].where ? { scope: "row", class: "t" } : { scope: "row" }, pick));
  if (i === state.cell) row.setAttribute("aria-current", "true");
  for (const column of known.slice(1)) {
    if (!column.measure) {
      row.append(element("td", column.numbers ? {} : { class: "t" }, column.value(i)));
      continue;
    }
    const found = column.of(i), text = main(found);
    const cell = element("td", {}, text === null ? "–" : text);
    if (column.unit === "%") {
      cell.className = "p";
      cell.style.setProperty("--share", share(column.size(i) || 0, 100));
    }
    if (found.within) cell.append(element("small", {}, found.within));
    if (state.both && !found.within && found.exact !== null && found.simulated !== null) cell.append(element("small", {}, found.simulated));
    row.append(cell);
  }
  return row;
};

const fillRows = () => {
  byId("rows").replaceChildren(...listed.slice(0, limit).map(line(shownHeads(heads()))));
  const left = listed.length - limit;
  byId("more").hidden = left <= 0;
  byId("more").textContent = `Show ${Math.min(left, STEP)} more`;
};

const fillTable = () => { arrange(); fillRows(); };

const sortBy = (k) => {
  if (sorted.column !== k) sorted = { column: k, down: false };
  else if (!sorted.down) sorted.down = true;
  else sorted = { column: null, down: false };
  limit = PAGE;
  markHeads();
  fillTable();
};

const markHeads = () => {
  [...byId("heads").children].forEach((head, k) => {
    if (k === sorted.column) head.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  });
};

const fillHeads = () => {
  const made = shownHeads(heads()).map((column, k) => {
    const button = element("button", { type: "button", title: column.name }, withUnit(column));
    button.addEventListener("click", () => sortBy(k));
    return element("th", { scope: "col", ...(column.numbers && !column.where ? {} : { class: "t" }) }, button);
  });
  byId("heads").replaceChildren(...made);
  const axis = contest.axes.find((one) => one.numbers), first = contest.measures[0];
  const examples = [axis && `${axis.name}>=${axis.numbers[0]}`, first && `${first.name}>5`].filter(Boolean);
  byId("filter-hint").textContent = `Words of an axis, or comparisons such as ${examples.join(" ")}; all must hold. A click on a head sorts; names of columns are shown when the pointer rests on them.`;
};

const markRow = () => {
  for (const row of byId("rows").children) {
    if (Number(row.dataset.cell) === state.cell) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
};
