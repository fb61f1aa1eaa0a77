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

/** The colour of a share of the largest value, as the pictures have it; and of what is written on it. */
const heatColor = (share) => {
  const at = Math.min(9, Math.floor(10 * share));
  return `color-mix(in srgb, var(--heat-${at}), var(--heat-${at + 1}) ${Math.round(100 * (10 * share - at))}%)`;
};
/** Up to which share what is written on a square is read best in the ink for light squares, by night and by day. */
const LIGHT_TO = [0.5215, 0.5655];

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
    const back = drawn("rect", { x, y, width: wide, height: tall, class: "heat" });
    back.style.fill = heatColor(heat);
    const square = drawn("g", { class: "square" }, drawn("title", {}, `${down.label} ${down.values[i]}, ${across.label} ${across.values[k]}: ${texts(i, k)}`), back);
    if (room) square.append(words(inside(i, k), x + wide / 2, y + tall / 2 + 4, { "text-anchor": "middle", class: heat > LIGHT_TO[1] ? "on" : heat > LIGHT_TO[0] ? "between" : "off" }));
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
