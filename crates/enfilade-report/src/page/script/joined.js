export {}; (() => {
// What the page carries for its script, read. All numbers are texts that were rounded before.
/** @type {(id: string) => any} */
const byId = (id) => document.getElementById(id);
/** @type {import("../../../types").PageData} */
const data = JSON.parse(byId("data").textContent);
if (data.contests.length === 0) return;

/** The tokens of a column; an empty one repeats the one before. */
const column = (text) => {
  let last = "";
  return text.split(";").map((token) => (last = token === "" ? last : token));
};

const led = (number) => (number.startsWith(".") ? "0" + number : number);

const decimals = (number) => (number.split(".")[1] || "").length;

/** A number of units of a last decimal, as it is printed. */
const printed = (units, places) => {
  const sign = units < 0n ? "-" : "";
  const digits = String(units < 0n ? -units : units).padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  return sign + whole + (places ? "." + digits.slice(-places) : "");
};

/** A printed number in units of another last decimal, cut towards zero. */
const unitsAt = (number, places) => {
  const own = decimals(number), units = BigInt(number.replace(".", ""));
  return own <= places ? units * 10n ** BigInt(places - own) : units / 10n ** BigInt(own - places);
};

const TOKEN = /^(-?(?:\d*\.?\d+(?:e-\d+)?|inf|NaN))?(?:([+-]\d+)~(\d+)(?:@(\d+))?|([<>=])(.*))?$/s;

/** Exact and simulated number of a token: texts, or null; of a median what it does not say. */
const odds = (token, trials) => {
  const [short, fraction, cut] = token.split("|");
  const found = TOKEN.exec(short);
  const made = { exact: null, simulated: null, fraction: fraction || null, within: cut ? cut.replace(" ", " % within ") : null };
  if (!found) return made;
  const [, exact, off, half, at, sign, rest] = found;
  if (exact !== undefined) made.exact = led(exact);
  if (off !== undefined) {
    const places = at === undefined ? decimals(made.exact) : Number(at);
    const value = unitsAt(made.exact, places) + BigInt(off);
    made.simulated = `${printed(value, places)} ± ${printed(BigInt(half), places)}`;
  } else if (sign === "<") made.simulated = `0 of ${trials}, < ${led(rest)}`;
  else if (sign === ">") made.simulated = `${trials} of ${trials}, > ${led(rest)}`;
  else if (sign === "=") made.simulated = rest;
  return made;
};

/** Sizes for bars and for sorting: the value, and the interval of the simulated one. */
const sizes = ({ exact, simulated }) => {
  const size = { value: exact === null ? NaN : parseFloat(exact), low: NaN, high: NaN };
  if (simulated === null) return size;
  const around = /^(\S+) ± (\S+)$/.exec(simulated);
  const bound = /^(.*), ([<>]) (\S+)$/s.exec(simulated);
  let value = parseFloat(simulated);
  if (around) [size.low, size.high] = [value - parseFloat(around[2]), value + parseFloat(around[2])];
  else if (bound) {
    const end = parseFloat(bound[3]), counted = bound[1].includes(" of ");
    if (counted) value = bound[2] === "<" ? 0 : 100;
    [size.low, size.high] = bound[2] === "<" ? [value, end] : [end, value];
  } else [size.low, size.high] = [value, value];
  if (Number.isNaN(size.value)) size.value = value;
  return size;
};

/** A contest with its columns read; each only when it is first wanted. */
const contests = data.contests.map((raw) => {
  const once = (read) => {
    let value;
    return () => (value === undefined ? (value = read()) : value);
  };
  const head = (i) => ({ name: data.heads[i][0], label: data.heads[i][1], unit: data.heads[i][2], about: data.heads[i][3] });
  const trials = once(() => column(raw.trials));
  const cells = raw.cells;
  const at = (cell) => (raw.at ? raw.at[cell] : cell);
  const measures = raw.measures.map(({ head: i, odds: text }) => {
    const tokens = once(() => column(text));
    const of = (cell) => odds(tokens()[cell], trials()[cell]);
    const numbers = once(() => tokens().map((_, cell) => sizes(of(cell)).value));
    return { ...head(i), of, numbers };
  });
  const positions = (cell) => {
    let place = at(cell);
    const found = raw.axes.map(() => 0);
    for (let i = raw.axes.length - 1; i >= 0; i--) {
      found[i] = place % raw.axes[i].values.length;
      place = Math.floor(place / raw.axes[i].values.length);
    }
    return found;
  };
  const cellAt = once(() => {
    const map = new Map();
    for (let cell = cells - 1; cell >= 0; cell--) map.set(at(cell), cell);
    return map;
  });
  const rarer = once(() => (raw.rarer === "" ? [] : column(raw.rarer)));
  const unsettled = once(() => (raw.unsettled === "" ? null : column(raw.unsettled)));
  const never = once(() => (raw.never ? column(raw.never) : null));
  const alone = once(() => (raw.alone || []).map(({ odds: columns, ...field }) => ({ ...field, columns: columns.map(column) })));
  const disagree = new Set(raw.disagree);
  return {
    title: raw.title, cells, axes: raw.axes, measures, trials, positions,
    headline: raw.headline, inks: (raw.inked || []).map((i) => raw.inks[i]),
    number: (cell) => (raw.numbers ? raw.numbers[cell] : raw.first + cell),
    find: (steps) => cellAt().get(steps.reduce((place, step, i) => place * raw.axes[i].values.length + step, 0)),
    hasLaws: raw.laws.length > 0,
    rarer: (cell) => (rarer()[cell] || "0 0").split(" "),
    unsettled: (cell) => (unsettled() ? unsettled()[cell].split(/ (.*)/s) : ["0", "0"]),
    never: (cell) => (never() ? never()[cell] : "0"),
    disagrees: (cell) => disagree.has(cell),
    notes: (cell) => (raw.noted ? raw.noted[cell].map((i) => raw.notes[i]) : raw.notes),
    law: (cell) => {
      let next = 0;
      if (!raw.laws[cell]) return [];
      return raw.laws[cell].split(";").map((coded) => {
        const [, place, token] = /^(?:(\d+):)?(.*)$/s.exec(coded);
        if (place !== undefined) next = Number(place);
        const outcome = next++;
        return { outcome, label: raw.outcomes[outcome], ...odds(token, trials()[cell]) };
      });
    },
    alone: (cell) => alone().map(({ columns, ...field }) => ({
      ...field, shares: columns.map((tokens) => odds(tokens[cell], trials()[cell])),
    })),
    template: raw.toml,
    toml: (cell) => {
      const steps = positions(cell);
      return raw.toml.map((piece) => (typeof piece === "string" ? piece : raw.axes[piece].toml[steps[piece]])).join("");
    },
  };
});
// Elements, bars, the curve and the map. Words reach the page as text only, never as markup.
const filled = (made, attributes, children) => {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
const element = (name, attributes = {}, ...children) => filled(document.createElement(name), attributes, children);
const drawn = (name, attributes = {}, ...children) => filled(document.createElementNS(SVG, name), attributes, children);
const SVG = byId("blank").namespaceURI;

/** The length of a bar in percent of its place. */
const share = (value, full) => Math.min(100, Math.max(0, (100 * value) / full)) + "%";

/** The round number at which bars and axes end. */
const roundUp = (most) => {
  const unit = 10 ** Math.floor(Math.log10(most || 1));
  return [1, 2, 2.5, 5, 10].map((step) => step * unit).find((end) => most <= end * 1.0000001);
};

const span = (kind, from, to) => {
  const made = element("span", { class: kind });
  [made.style.left, made.style.width] = [from, to];
  return made;
};

/** The part of a bar that is filled: in a shade of the page, or in inks for the light and the dark. */
const inked = (shade, to) => {
  if (!Array.isArray(shade)) return span(`fill ${shade}`, 0, to);
  const made = span("fill own", 0, to);
  ["--light", "--dark"].forEach((name, i) => made.style.setProperty(name, shade[i]));
  return made;
};

/** A bar that ends at `full`, the interval of what was simulated, and where the pinned one ends. */
const bar = (size, full, shade, pinned) => {
  const place = element("td", { class: "bar", "aria-hidden": "true" });
  if (!(full > 0)) return place;
  if (!Number.isNaN(size.value)) place.append(inked(shade, share(size.value, full)));
  if (!Number.isNaN(size.low)) place.append(span("whisk", share(size.low, full), share(size.high - size.low, full)));
  if (pinned !== undefined && !Number.isNaN(pinned)) place.append(span("mark", share(pinned, full), "2px"));
  return place;
};

/** How much larger a printed number is than another one, as far as both are printed. */
const change = (now, then) => {
  if (!now || !then || !/^-?[\d.]+$/.test(now) || !/^-?[\d.]+$/.test(then)) return "";
  const [most, least] = [Math.max, Math.min].map((end) => end(decimals(now), decimals(then)));
  const gap = unitsAt(now, most) - unitsAt(then, most), unit = 10n ** BigInt(most - least);
  const size = ((gap < 0n ? -gap : gap) + unit / 2n) / unit;
  return size === 0n ? "=" : `${gap > 0n ? "+" : "−"}${printed(size, least)}`;
};

/** The text of a value: the exact one, or the simulated one where there is no other. */
const main = ({ exact, simulated }) => (exact === null ? simulated : exact);

const words = (text, x, y, more = {}) => drawn("text", { x, y, ...more }, text);

/** Round values between two ends. */
const ticks = (low, high) => {
  const step = roundUp((high - low) / 5) || 1, first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: 12 }, (_, i) => (first + i) * step).filter((at) => at <= high + step * 1e-6).map((at) => Number(at.toPrecision(6)));
};

/** A name as short as there is room for, told apart from others by its end: `Scourge/C…Plasma Cannon`. */
const short = (name, letters) => {
  if (name.length <= letters) return name;
  const end = Math.floor(((letters - 1) * 2) / 3);
  return `${name.slice(0, letters - 1 - end)}…${name.slice(-end)}`;
};

/** Those of so many places that have room for their words. */
const spaced = (texts, at) => {
  const wide = (i) => 7 * texts[i].length + 10;
  const order = texts.map((_, i) => i).sort((a, b) => at[a] - at[b]), kept = [];
  for (const i of order) {
    const last = kept[kept.length - 1];
    if (last === undefined || at[i] - at[last] >= (wide(i) + wide(last)) / 2) kept.push(i);
  }
  return kept;
};

/** One measure along one axis of numbers: the chosen cell full, the pinned one hollow. */
const curve = ({ axis, values, pinned, here, there, unit, title, pick, width }) => {
  const high = 240, left = 44, right = width - 14, top = 12, bottom = high - 40;
  const known = [...values, ...(pinned || [])].filter((value) => !Number.isNaN(value));
  const low = Math.min(0, ...known), full = unit === "%" ? Math.min(100, roundUp(Math.max(...known, 1))) : roundUp(Math.max(...known, 1e-9));
  const ends = [Math.min(...axis.numbers), Math.max(...axis.numbers)], wide = ends[1] - ends[0] || 1;
  const x = (i) => left + ((axis.numbers[i] - ends[0]) / wide) * (right - left);
  const y = (value) => bottom - ((value - low) / (full - low || 1)) * (bottom - top);
  const picture = drawn("svg", { viewBox: `0 0 ${width} ${high}`, width, height: high, role: "img", "aria-label": title });
  for (const at of ticks(low, full)) {
    picture.append(drawn("line", { x1: left, x2: right, y1: y(at), y2: y(at), class: "rule" }), words(String(at), left - 6, y(at) + 4, { "text-anchor": "end" }));
  }
  const places = axis.values.map((_, i) => x(i));
  for (const i of spaced(axis.values, places)) picture.append(words(axis.values[i], x(i), bottom + 16, { "text-anchor": "middle" }));
  picture.append(words(axis.label, (left + right) / 2, high - 6, { "text-anchor": "middle", class: "name" }));
  const order = axis.numbers.map((_, i) => i).sort((a, b) => axis.numbers[a] - axis.numbers[b]);
  const line = (of, kind) => {
    const points = order.filter((i) => !Number.isNaN(of[i])).map((i) => `${x(i).toFixed(1)},${y(of[i]).toFixed(1)}`);
    picture.append(drawn("polyline", { points: points.join(" "), class: kind }));
  };
  if (pinned) line(pinned, "curve before");
  line(values, "curve");
  const dot = (of, i, kind, r) => {
    if (Number.isNaN(of[i])) return;
    const made = drawn("circle", { cx: x(i), cy: y(of[i]), r, class: kind });
    made.addEventListener("click", () => pick(i));
    picture.append(made);
  };
  if (values.length <= 60) values.forEach((_, i) => dot(values, i, "dot", 4));
  if (pinned && there !== null) dot(pinned, there, "dot before", 6);
  dot(values, here, "dot here", 7);
  return picture;
};

/** The same along an axis of words: a bar for each, those around the chosen one where they are many. */
const columns = ({ axis, values, texts, pinned, here, unit, title, pick, width }) => {
  const MOST = 14, step = 24, from = Math.max(0, Math.min(here - MOST / 2, axis.values.length - MOST));
  const shown = axis.values.map((_, i) => i).slice(from, from + MOST);
  const left = Math.min(width * 0.45, 14 + 7 * Math.max(...shown.map((i) => axis.values[i].length))), right = width - 56;
  const known = [...values, ...(pinned || [])].filter((value) => !Number.isNaN(value));
  const full = unit === "%" ? Math.min(100, roundUp(Math.max(...known, 1))) : roundUp(Math.max(...known, 1e-9));
  const length = (value) => Math.max(1, (Math.max(0, value) / full) * (right - left));
  const high = step * shown.length + 22;
  const picture = drawn("svg", { viewBox: `0 0 ${width} ${high}`, width, height: high, role: "img", "aria-label": title });
  const fits = Math.max(4, Math.floor((left - 10) / 7));
  shown.forEach((i, row) => {
    const y = row * step, name = short(axis.values[i], fits);
    const band = drawn("g", { class: i === here ? "band here" : "band" }, drawn("title", {}, axis.values[i]),
      drawn("rect", { x: 0, y, width, height: step, class: "back" }), words(name, left - 8, y + 16, { "text-anchor": "end" }));
    if (!Number.isNaN(values[i])) {
      band.append(drawn("rect", { x: left, y: y + 4, width: length(values[i]), height: step - 8, class: "fill" }), words(texts[i], left + length(values[i]) + 6, y + 16));
    }
    if (pinned && !Number.isNaN(pinned[i])) band.append(drawn("rect", { x: left + length(pinned[i]) - 1, y: y + 1, width: 2, height: step - 2, class: "mark" }));
    band.addEventListener("click", () => pick(i));
    picture.append(band);
  });
  const more = axis.values.length - shown.length;
  picture.append(words(more > 0 ? `${axis.label}, ${more} more` : axis.label, left, high - 6, { class: "name" }));
  return picture;
};

/** A percent as short as a square has room for. */
const whole = (value) => (value > 0 && value < 0.5 ? "<1" : value > 99.5 && value < 100 ? ">99" : String(Math.round(value)));

/** One measure over two axes; the chosen cell is framed, the pinned one dashed. */
const map = ({ down, across, sizes: of, texts, unit, here, there, title, pick, width }) => {
  const letters = Math.floor((0.4 * width) / 7), left = 18 + 7 * Math.min(letters, Math.max(...down.values.map((text) => text.length))), top = 8;
  const wide = (width - left - 4) / across.values.length, tall = Math.max(5, Math.min(24, 360 / down.values.length));
  const bottom = top + tall * down.values.length, high = bottom + 40;
  const picture = drawn("svg", { viewBox: `0 0 ${width} ${high}`, width, height: high, role: "img", "aria-label": title });
  const known = of.flat().filter((value) => !Number.isNaN(value)), full = Math.max(...known, 1e-9), low = Math.min(0, ...known);
  const inside = (i, k) => (unit === "%" ? whole(of[i][k]) : texts(i, k));
  const room = tall >= 14 && (unit === "%" ? wide >= 28 : wide >= 50);
  down.values.forEach((_, i) => across.values.forEach((_, k) => {
    if (Number.isNaN(of[i][k])) return;
    const heat = (of[i][k] - low) / (full - low), x = left + k * wide, y = top + i * tall;
    const square = drawn("g", { class: "square" }, drawn("title", {}, `${down.label} ${down.values[i]}, ${across.label} ${across.values[k]}: ${texts(i, k)}`),
      drawn("rect", { x, y, width: wide, height: tall, class: "heat", "fill-opacity": (0.04 + 0.96 * heat).toFixed(3) }));
    if (room) square.append(words(inside(i, k), x + wide / 2, y + tall / 2 + 4, { "text-anchor": "middle", class: heat > 0.7 ? "on" : "off" }));
    square.addEventListener("click", () => pick(i, k));
    picture.append(square);
  }));
  const frame = (at, kind) => at && picture.append(drawn("rect", { x: left + at[1] * wide, y: top + at[0] * tall, width: wide, height: tall, class: kind }));
  frame(there, "frame before");
  frame(here, "frame");
  const rows = down.values.map((_, i) => top + (i + 0.5) * tall), fits = rows.filter((_, i) => i % Math.ceil(13 / tall) === 0);
  for (const y of fits) picture.append(words(short(down.values[rows.indexOf(y)], letters), left - 6, y + 4, { "text-anchor": "end" }));
  const places = across.values.map((_, k) => left + (k + 0.5) * wide);
  for (const k of spaced(across.values, places)) picture.append(words(across.values[k], places[k], bottom + 16, { "text-anchor": "middle" }));
  picture.append(words(`${across.label} across, ${down.label} down`, (left + width) / 2, high - 6, { "text-anchor": "middle", class: "name" }));
  return picture;
};
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
// The engine in this page: any value of an axis, and any change of a cell, is computed here. The answer is shown where
// those of the cells are. Pages without the engine have `fixed.js` in the place of this file.
const BUDGET = 60_000, REST = 250;

/** The engine's thread, once it is unpacked, and the questions that wait for it. */
const engine = { thread: null, number: 0, waiting: new Map(), asked: 0, timer: 0 };

const page = () => /** @type {any} */ (globalThis).enfilade;

/** Sends one request; its reply, or null where the engine was ended before.
 * @returns {Promise<any>} */
const send = (route, body) => new Promise((done) => {
  const number = ++engine.number;
  engine.waiting.set(number, done);
  engine.thread.postMessage({ number, route, seen: route.startsWith("PUT") ? "*" : "", body: JSON.stringify(body), budget: BUDGET });
});

/** Starts a thread with the engine and the files of the run; one that worked on something is ended. */
const startEngine = () => {
  const { engine: module, serve, files } = page();
  engine.thread?.terminate();
  engine.waiting.forEach((done) => done(null));
  engine.waiting.clear();
  engine.thread = new Worker(URL.createObjectURL(new Blob([`(${serve})(self);`], { type: "text/javascript" })));
  engine.thread.onmessage = ({ data }) => {
    const done = engine.waiting.get(data.number);
    engine.waiting.delete(data.number);
    done?.(data);
  };
  engine.thread.postMessage({ engine: module });
  for (const [name, text] of files) send(`PUT /api/files/${name}`, { text });
};

/** A number as the tables of this page have them: exact, with nothing simulated beside it. */
const known = (exact, share) => ({ exact: share ? exact.replace(/ ?%$/, "") : exact, simulated: null, fraction: null, within: null });

/** @param {import("../../../types").AnswerView} told */
const showComputed = (told) => {
  const rows = told.measures.map((one) => row([withUnit({ label: one.label, unit: one.share ? "%" : "" })], known(one.exact ?? one.shown, one.share), { full: one.share ? 100 : 0, then: pinnedMeasure(one) }));
  byId("measures").replaceChildren(...rows);
  const law = told.law.outcomes, full = Math.min(100, roundUp(Math.max(1, ...law.map((one) => 100 * one.share))));
  /** @type {(one: import("../../../types").OutcomeView) => any} */
  const shade = (one) => [one.inks[0], one.inks[2]];
  byId("law").replaceChildren(...law.map((one) => row([one.label], known(one.shown, true), { full, shade: shade(one), then: null })));
  byId("law-part").hidden = !law.length;
  byId("law-scale").textContent = `0 to ${full} %`;
  byId("rarer").textContent = told.law.rarer ? `${told.law.rarer[0]} rarer outcomes, together ${told.law.rarer[1]}.` : "";
  byId("alone").replaceChildren();
  byId("law-all").open = true;
  byId("headline").replaceChildren(told.sentence);
  byId("place").textContent = "Computed in this page";
  byId("made").textContent = "Exact, computed in this page; it is no cell of the run, and nothing was simulated.";
  byId("remarks").replaceChildren(...[told.unsettled, ...told.notes].filter(Boolean).map((text) => element("li", {}, text)));
  byId("remarks").hidden = !byId("remarks").children.length;
};

const say = (text) => { byId("computing").textContent = text; };

/** The first fault of a reply, in words. */
const faultOf = (reply) => {
  const fault = reply.faults?.[0];
  return fault ? [fault.problem, fault.help].filter(Boolean).join("; ") : reply.error ?? "This takes too long for a page: the program answers it, enfilade odds FILE.";
};

/** Computes a text in the place of a cell. One that is under way is given up for a newer one. */
const compute = async (text) => {
  state.text = text;
  if (!engine.thread) { say("The engine is being unpacked …"); return; }
  const own = ++engine.asked;
  if (engine.waiting.size) startEngine();
  say("Computing …");
  const reply = await send("POST /api/odds", { name: "cell.toml", text, contest: 0, form: null, cell: 0, patient: true });
  if (!reply || own !== engine.asked) return;
  if (reply.dead) startEngine();
  const said = reply.dead ? { error: reply.dead } : JSON.parse(new TextDecoder().decode(reply.body));
  say(said.told ? "" : faultOf(said));
  document.documentElement.classList.toggle("computed", Boolean(said.told));
  if (!said.told) { state.text = null; return; }
  byId("cell").hidden = false;
  showComputed(said.told);
  remember(false);
};

const computeSoon = (text) => {
  clearTimeout(engine.timer);
  engine.timer = setTimeout(() => compute(text), REST);
};

/** The text of the cell with these values on its axes, by the number of the axis. */
const textWith = (values) => contest.template.map((piece) => (typeof piece === "string" ? piece : values[piece])).join("");

/** What is typed beside a slider, as TOML: a number as it is, and a word in quotes. */
const asToml = (typed, axis) => (axis.numbers ? typed.trim() : JSON.stringify(typed.trim()));

/** The values of the axes: typed ones where there are any. */
const typedValues = () => contest.axes.map((axis, i) => {
  const typed = byId(`any-${i}`).value;
  return typed.trim() ? asToml(typed, axis) : axis.toml[settings[i].step()];
});

/** @type {{ extend: (axis: any, i: number, control: Element) => void, left: () => void, recall: (text: string) => void } | null} */
const live = {
  /** Adds a box for any value to the slider of an axis. */
  extend: (axis, i, control) => {
    const box = element("input", { id: `any-${i}`, class: "any", type: axis.numbers ? "number" : "text", step: "any", autocomplete: "off", placeholder: "any value", "aria-label": `${axis.label}: any value` });
    box.addEventListener("input", () => { const text = textWith(typedValues()); byId("edited").value = text; computeSoon(text); });
    control.append(box);
  },
  /** A cell of the run is shown again. */
  left: () => {
    clearTimeout(engine.timer);
    engine.asked++;
    state.text = null;
    document.documentElement.classList.remove("computed");
    contest.axes.forEach((_, i) => { if (byId(`any-${i}`)) byId(`any-${i}`).value = ""; });
    say("");
    byId("edited").value = contest.toml(state.cell);
  },
  /** Shows what an address holds, once the engine is there. */
  recall: (text) => { state.text = text; byId("edited").value = text; compute(text); },
};

const edited = element("textarea", { id: "edited", rows: 10, spellcheck: "false", "aria-label": "The cell to be computed, as TOML" });
edited.addEventListener("input", () => computeSoon(edited.value));
byId("controls").append(element("p", { class: "remark" }, "This page has the engine in it: type any value beside a slider, or change the cell below. Nothing is sent anywhere; the policy of the page forbids it."),
  element("details", { class: "toml" }, element("summary", {}, "Change anything"), edited));
byId("headline").before(element("p", { id: "computing", class: "remark", role: "status" }));
/** @type {any} */ (globalThis).studio = () => { startEngine(); if (state.text) compute(state.text); };
// Sliders over the grid, the chosen cell in numbers and pictures, a pinned one beside it, and the address
// that says where all of that stands. Nothing is computed here but where things stand, how long bars are, and
// differences of two printed numbers.
const LONG = 12, SQUARES = 3000;
let contest = contests[0], settings = [], started = false;

/** Everything the address tells. */
const state = { cell: 0, measure: 0, along: 0, both: false, pin: null, /** @type {string | null} */ text: null };

const measure = () => contest.measures[state.measure];
const withUnit = ({ label, unit }) => (unit ? `${label} ${unit}` : label);

/** Where a cell stands, in words. */
const place = (of, cell) => {
  const steps = of.positions(cell);
  const said = of.axes.map((axis, i) => `${axis.label}${axis.words ? ":" : ""} ${axis.values[steps[i]]}`);
  return said.length ? said.join(", ") : of.title;
};

/** A cell to begin with: near the middle of the grid, where the measure is neither at its least nor at its most. */
const telling = () => {
  const sizes = contest.measures.length ? contest.measures[contest.headline].numbers() : [];
  const known = sizes.filter((size) => !Number.isNaN(size));
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const away = (cell) => contest.positions(cell).reduce((sum, step, i) => sum + Math.abs(step / Math.max(1, contest.axes[i].values.length - 1) - 0.5), 0);
  const dull = (cell) => high > low && !(Math.abs((sizes[cell] - low) / (high - low) - 0.5) <= 0.25);
  let best = 0, least = Infinity;
  for (let cell = 0; cell < contest.cells; cell++) {
    const far = away(cell) + (dull(cell) ? 100 : 0);
    if (far < least - 1e-9) [best, least] = [cell, far];
  }
  return best;
};

// --- The chosen cell ------------------------------------------------------------------------

const pinnedMeasure = (one) => {
  const found = state.pin && state.pin.contest.measures.find((other) => other.name === one.name);
  return found ? found.of(state.pin.cell) : null;
};

const odd = (text, beside) => {
  const made = element("td", {}, text === null ? "–" : text);
  if (beside) made.append(element("small", {}, beside));
  return made;
};

/** A row: what, exact, simulated, how much more than the pinned one, and the bar. */
const row = (name, found, { full, shade = "", then = null }) => {
  const first = found.within ? odd(main(found), found.within) : odd(found.exact, found.fraction);
  const simulated = odd(found.within ? null : found.simulated), gap = element("td", { class: "gap" }, then ? change(main(found), main(then)) : "");
  simulated.className = "sim";
  const drawn = full ? bar(sizes(found), full, shade, then ? sizes(then).value : undefined) : element("td", { class: "bar" });
  return element("tr", {}, element("th", { scope: "row", class: "t" }, ...name), first, simulated, gap, drawn);
};

const none = { exact: "0", simulated: null, fraction: null };

const showMeasures = () => {
  const rows = contest.measures.map((one) => {
    return row([withUnit(one)], one.of(state.cell), { full: one.unit === "%" ? 100 : 0, then: pinnedMeasure(one) });
  });
  byId("measures").replaceChildren(...rows);
  const meanings = contest.measures.flatMap((one) => [element("dt", {}, one.label), element("dd", {}, one.about)]);
  byId("meanings").replaceChildren(...meanings);
};

/** @type {(i: number) => any} */
const inkOf = (i) => contest.inks[i] || "";

const showLaw = () => {
  byId("law-part").hidden = !contest.hasLaws;
  if (!contest.hasLaws) return;
  const law = contest.law(state.cell), long = law.length > LONG;
  if (long) law.sort((a, b) => sizes(b).value - sizes(a).value);
  const pinned = state.pin && state.pin.contest.hasLaws ? new Map(state.pin.contest.law(state.pin.cell).map((one) => [one.label, one])) : null;
  const ends = [...law, ...(pinned ? pinned.values() : [])].flatMap((one) => [sizes(one).value, sizes(one).high]);
  const full = Math.min(100, roundUp(Math.max(1, ...ends.filter((end) => !Number.isNaN(end)))));
  const rows = law.map((one) => row([one.label], one, { full, shade: inkOf(one.outcome), then: pinned && (pinned.get(one.label) || none) }));
  byId("law").replaceChildren(...rows);
  byId("law-title").textContent = long ? "How it ends, the likeliest first" : "How it ends, the worst first";
  byId("law-scale").textContent = `0 to ${full} %`;
  const [hidden, sum] = contest.rarer(state.cell);
  byId("rarer").textContent = hidden !== "0" ? `${hidden} rarer outcomes, together ${sum} %, are in outcomes.csv.` : "";
  byId("law-all").open = !long || contest.alone(state.cell).length === 0;
  byId("law-fold").hidden = byId("law-all").open;
};

/** Each field of the outcome by itself, where the law is too long to be read. */
const showAlone = () => {
  const fields = contest.hasLaws ? contest.alone(state.cell) : [];
  const then = state.pin && state.pin.contest === contest ? contest.alone(state.pin.cell) : null;
  const tables = fields.map((field, k) => {
    // What cannot happen is not told after the last value that can.
    const told = field.shares.map((found, i) => [found, then && then[k].shares[i]]);
    const last = told.findLastIndex((pair) => pair.some((found) => found && main(found) !== "0"));
    const full = roundUp(Math.max(1, ...field.shares.map((found) => sizes(found).value)));
    const shade = (i) => (!field.hurts ? "" : field.values[i] === "0" ? "rest" : "s1");
    const rows = field.shares.slice(0, last + 1).map((found, i) => row([field.values[i]], found, { full: Math.min(100, full), shade: shade(i), then: then && then[k].shares[i] }));
    return element("table", { class: "odds" }, element("caption", {}, `${field.label}, %`), element("tbody", {}, ...rows));
  });
  byId("alone").replaceChildren(...tables);
};

const showRemarks = () => {
  const said = [], cell = state.cell;
  const [exact, open] = contest.unsettled(cell);
  if (!/^(0|–)$/.test(exact) || open !== "0") {
    said.push(`Unfinished after the last round, or endless: ${exact} % (exact), ${open} of ${contest.trials()[cell]} trials.`);
  }
  const never = contest.never(cell);
  if (never !== "0") said.push(`Never ends: ${never} % (exact).`);
  const alarm = contest.disagrees(cell);
  if (alarm) said.push("Exact and simulated DISAGREE in this cell.");
  if (!contest.hasLaws) said.push(`The law of this cell is in outcomes.csv, cell ${contest.number(cell)}.`);
  said.push(...contest.notes(cell).map((note) => `Note: ${note}`));
  byId("remarks").replaceChildren(...said.map((text) => element("li", {}, text)));
  byId("remarks").hidden = said.length === 0;
  byId("remarks").classList.toggle("alarm", alarm);
};

// --- Pictures -------------------------------------------------------------------------------

/** The cell at other places on some axes; nothing in a run that was interrupted before it. */
const elsewhere = (steps, changes) => contest.find(steps.map((step, i) => (i in changes ? changes[i] : step)));

const figure = (id, made, said) => {
  byId(id).hidden = made === null;
  if (made !== null) byId(id).replaceChildren(element("figcaption", {}, said), made);
};

const showCurve = (width) => {
  const axis = contest.axes[state.along], one = measure();
  if (!axis || axis.values.length < 2 || !one) return figure("curve", null);
  const steps = contest.positions(state.cell), pin = state.pin && state.pin.contest === contest ? contest.positions(state.pin.cell) : null;
  const along = (from) => axis.values.map((_, i) => elsewhere(from, { [state.along]: i }));
  const cells = along(steps), size = (cell) => (cell === undefined ? NaN : one.numbers()[cell]);
  const texts = cells.map((cell) => (cell === undefined ? "" : main(one.of(cell)) || ""));
  const title = `${withUnit(one)} by ${axis.label}`;
  const given = {
    axis, values: cells.map(size), texts, pinned: pin && along(pin).map(size), here: steps[state.along], there: pin && pin[state.along],
    unit: one.unit, title, width, pick: (i) => cells[i] !== undefined && choose(cells[i], true),
  };
  return figure("curve", axis.numbers ? curve(given) : columns(given), title);
};

const showMap = (width) => {
  const several = contest.axes.map((axis, i) => i).filter((i) => contest.axes[i].values.length > 1);
  const across = several.includes(state.along) ? state.along : several[0], down = several.find((i) => i !== across);
  const one = measure();
  if (down === undefined || !one || contest.axes[across].values.length * contest.axes[down].values.length > SQUARES) return figure("map", null);
  const steps = contest.positions(state.cell), at = (i, k) => elsewhere(steps, { [down]: i, [across]: k });
  const pin = state.pin && state.pin.contest === contest ? contest.positions(state.pin.cell) : null;
  const level = pin && pin.every((step, i) => i === down || i === across || step === steps[i]);
  const of = contest.axes[down].values.map((_, i) => contest.axes[across].values.map((_, k) => {
    const cell = at(i, k);
    return cell === undefined ? NaN : one.numbers()[cell];
  }));
  const title = `${withUnit(one)} by ${contest.axes[across].label} and ${contest.axes[down].label}`;
  return figure("map", map({
    down: contest.axes[down], across: contest.axes[across], sizes: of, texts: (i, k) => main(one.of(at(i, k))) || "–", unit: one.unit, width, title,
    here: [steps[down], steps[across]], there: level ? [pin[down], pin[across]] : null,
    pick: (i, k) => at(i, k) !== undefined && choose(at(i, k), true),
  }), title);
};

const showPictures = () => {
  const width = Math.round(byId("pictures").clientWidth);
  const each = matchMedia("(min-width: 48rem)").matches ? Math.floor((width - 32) / 2) : width;
  showCurve(Math.max(220, each));
  showMap(Math.max(220, each));
};

const showHeadline = () => {
  const one = measure(), found = one ? one.of(state.cell) : none;
  byId("place").textContent = place(contest, state.cell);
  const gap = one && pinnedMeasure(one) ? change(main(found), main(pinnedMeasure(one))) : "";
  const unit = one && one.unit ? ` ${one.unit}` : "";
  byId("headline").replaceChildren(...(one ? [element("b", {}, `${main(found) || "–"}${unit}`), found.within ? ` (${found.within}) ${one.label}` : ` ${one.label}`, gap ? element("span", { class: "gap" }, ` ${gap}`) : ""] : []));
  byId("pinned").textContent = state.pin ? `Changes are from ${state.pin.contest === contest ? "" : `${state.pin.contest.title}: `}${place(state.pin.contest, state.pin.cell)}; its bars end at the dark mark.` : "";
};

const showCell = () => {
  live?.left();
  const trials = contest.trials()[state.cell];
  const all = [...contest.measures.map((one) => one.of(state.cell)), ...contest.law(state.cell)];
  const exact = all.some((one) => one.exact !== null);
  byId("cell").classList.toggle("rolled", !exact);
  byId("cell").classList.toggle("beside", Boolean(state.pin));
  const made = trials === "0" ? "nothing was simulated" : `${trials} trials, ± is half a 95 % interval`;
  byId("made").textContent = `Cell ${contest.number(state.cell)} of ${contest.title}; ${made}.`;
  showHeadline();
  showLaw();
  showAlone();
  showMeasures();
  showRemarks();
  showPictures();
  byId("toml").textContent = contest.toml(state.cell);
  byId("copied").textContent = "";
  byId("unpin").hidden = !state.pin;
  markRow();
};

// --- Controls -------------------------------------------------------------------------------

/** Chooses the cell under the sliders. An interrupted run may not have it. */
const slide = () => {
  settings.forEach((one) => one.say());
  const cell = contest.find(settings.map((one) => one.step()));
  byId("cell").hidden = cell === undefined;
  if (cell !== undefined) choose(cell);
};

const setting = (axis, i) => {
  const last = axis.values.length - 1;
  const range = element("input", { type: "range", min: 0, max: last, step: 1, id: `axis-${i}` });
  const said = element("output", { for: `axis-${i}` });
  const control = element("div", { class: "control" }, element("label", { for: `axis-${i}`, title: axis.name }, axis.label), said, range);
  let list = null;
  const move = () => { state.along = i; slide(); };
  if (!axis.numbers && last > 0) {
    const options = axis.values.map((value, k) => element("option", { value: k }, value));
    list = element("select", { "aria-label": axis.label }, ...options);
    said.hidden = true;
    control.append(list);
    list.addEventListener("input", () => { range.value = list.value; move(); });
  }
  live?.extend(axis, i, control);
  range.disabled = last === 0;
  range.addEventListener("input", move);
  const step = () => Number(range.value);
  const say = () => {
    said.textContent = axis.values[step()];
    range.setAttribute("aria-valuetext", axis.values[step()]);
    if (list) list.value = String(step());
  };
  return { control, step, say, put: (k) => { range.value = String(k); say(); } };
};

/** Shows a cell; `step` when the way back should lead to the one before. */
const choose = (cell, step = false) => {
  state.cell = cell;
  contest.positions(cell).forEach((at, i) => settings[i].put(at));
  byId("cell").hidden = false;
  showCell();
  remember(step);
};

const enter = (k) => {
  contest = contests[k];
  [sorted, limit] = [{ column: null, down: false }, PAGE];
  const longest = contest.axes.map((axis) => (axis.numbers ? 1000 : 0) + Math.min(999, axis.values.length));
  state.along = longest.indexOf(Math.max(...longest));
  state.measure = contest.headline;
  settings = contest.axes.map(setting);
  byId("axes").replaceChildren(...settings.map((one) => one.control));
  byId("contest").value = String(k);
  byId("filter").value = "";
  byId("measure").replaceChildren(...contest.measures.map((one, i) => element("option", { value: i }, withUnit(one))));
  byId("measure").value = String(state.measure);
  byId("measure-control").hidden = contest.measures.length < 2 || contest.axes.length === 0;
  const pairs = (one) => { const found = one.of(0); return found.exact !== null && found.simulated !== null; };
  byId("both-control").hidden = !contest.measures.some(pairs);
  byId("pin").hidden = contests.length === 1 && contest.cells === 1;
};

const table = () => { fillHeads(); fillTable(); };

const showBoth = () => {
  document.documentElement.classList.toggle("both", state.both);
  byId("both").checked = state.both;
};

// --- The address ----------------------------------------------------------------------------

const address = () => {
  const parts = [`cell-${contest.number(state.cell)}`];
  const axis = contest.axes[state.along], one = measure();
  if (axis) parts.push(`along=${axis.name}`);
  if (one && state.measure !== contest.headline) parts.push(`measure=${one.name}`);
  if (state.pin) parts.push(`pin=${state.pin.contest.number(state.pin.cell)}`);
  if (state.both) parts.push("simulated");
  if (state.text) parts.push(`toml=${state.text}`);
  return "#" + parts.map(encodeURIComponent).join("&").replaceAll("%3D", "=");
};

let waiting = 0, due = null;

/** What is shown goes into the address: at once where the way back should lead here, else when the sliders rest,
 *  because browsers complain about an address that changes all the time. */
const remember = (step) => {
  if (!started) return;
  clearTimeout(waiting);
  const write = (how, to) => { try { history[how](null, "", to); } catch { /* a page in a frame may not */ } };
  // What is still to be written belongs to the step before this one.
  if (step && due) write("replaceState", due);
  due = step ? null : address();
  if (step) write("pushState", address());
  else waiting = setTimeout(() => { write("replaceState", due); due = null; }, 300);
};

/** The contest and the cell of a number. */
const numbered = (wanted) => {
  for (let k = 0; k < contests.length; k++) {
    for (let cell = 0; cell < contests[k].cells; cell++) if (contests[k].number(cell) === wanted) return [k, cell];
  }
  return null;
};

/** Shows what the address tells; whether it told of a cell that is here. */
const recall = () => {
  const parts = location.hash.slice(1).split("&").map((part) => { try { return decodeURIComponent(part); } catch { return ""; } });
  const told = (key) => (parts.find((part) => part.startsWith(key)) || "").slice(key.length);
  const found = /^\d+$/.test(told("cell-")) && numbered(Number(told("cell-")));
  if (!found) return false;
  enter(found[0]);
  const pin = /^\d+$/.test(told("pin=")) && numbered(Number(told("pin=")));
  state.pin = pin ? { contest: contests[pin[0]], cell: pin[1] } : null;
  const place = (all, name, usual) => { const at = all.findIndex((one) => one.name === name); return at < 0 ? usual : at; };
  state.along = place(contest.axes, told("along="), state.along);
  state.measure = place(contest.measures, told("measure="), state.measure);
  state.both = parts.includes("simulated");
  byId("measure").value = String(state.measure);
  showBoth();
  table();
  choose(found[1]);
  if (told("toml=")) live?.recall(told("toml="));
  return true;
};

// --- Copying --------------------------------------------------------------------------------

const copyByHand = (text) => {
  const range = document.createRange(), shown = byId("toml").textContent === text;
  if (!shown) return false;
  byId("toml").closest("details").open = true;
  range.selectNodeContents(byId("toml"));
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  return document.execCommand("copy");
};

const copy = async (text) => {
  let done = true;
  try { await navigator.clipboard.writeText(text); } catch { done = copyByHand(text); }
  byId("copied").textContent = done ? "Copied." : text === location.href ? "It is in the address." : "Selected; press Ctrl+C to copy.";
};

const listen = (id, what, then) => byId(id).addEventListener(what, then);

const pin = (cell) => { state.pin = cell; showCell(); remember(true); };

contests.forEach((one, k) => byId("contest").append(element("option", { value: k }, one.title)));
byId("contest-control").hidden = contests.length === 1;
listen("contest", "input", () => { enter(Number(byId("contest").value)); table(); choose(telling(), true); });
listen("measure", "input", () => { state.measure = Number(byId("measure").value); if (narrow.matches) table(); showCell(); remember(true); });
listen("filter", "input", () => { limit = PAGE; fillTable(); });
listen("both", "change", () => { state.both = byId("both").checked; showBoth(); fillRows(); showCell(); remember(true); });
listen("more", "click", () => { limit += STEP; fillRows(); });
listen("copy", "click", () => copy(byId("toml").textContent));
listen("pin", "click", () => pin({ contest, cell: state.cell }));
listen("unpin", "click", () => pin(null));
listen("send", "click", () => { history.replaceState(null, "", address()); copy(location.href); });
narrow.addEventListener("change", () => { sorted = { column: null, down: false }; table(); });
addEventListener("popstate", () => show());
addEventListener("resize", () => { if (!byId("cell").hidden) showPictures(); });

/** Paper has room for the chosen cell and some charts; it says what it leaves to the screen. */
const FIGURES = 4, ROWS = 24;
const figures = [...document.querySelectorAll(".figures figure")];
figures.slice(FIGURES).forEach((one) => one.classList.add("screen"));
for (const section of document.querySelectorAll("section.contest")) {
  if (!section.querySelector("figure:not(.screen)")) section.classList.add("screen");
}
const cells = contests.reduce((sum, one) => sum + one.cells, 0);
const few = contests.length === 1 && cells <= ROWS && cells > 1;
byId("cells").classList.toggle("screen", !few);
byId("paper").textContent = [cells > 1 && !few ? `all ${cells} cells` : "", "how the sources are read", figures.length > FIGURES ? `${figures.length - FIGURES} more charts` : ""].filter(Boolean).join(", ");
byId("paper").textContent = `On the screen, not on paper: ${byId("paper").textContent}.`;

document.documentElement.classList.add("live");
byId("explore").hidden = false;
byId("cells").hidden = contests.every((one) => one.cells === 1);
const show = () => { if (!recall()) { enter(0); table(); choose(telling()); } };
show();
started = true;
})();
