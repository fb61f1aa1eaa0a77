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
