"use strict";
// Sliders over the grid, the law of the chosen cell, and a table to sort and filter. All numbers
// are texts that were rounded before; nothing is computed here but where they stand and how long
// their bars are. Words reach the page as text only, never as markup.
(() => {
  const PAGE = 40, STEP = 400, PRINTED = 2000, LONG = 12;
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  if (data.contests.length === 0) return;

  // --- Reading the data ---------------------------------------------------------------------

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

  const TOKEN = /^(-?(?:\d*\.?\d+|inf|NaN))?(?:([+-]\d+)~(\d+)(?:@(\d+))?|([<>=])(.*))?$/s;

  /** Exact and simulated number of a token: texts, or null. */
  const odds = (token, trials) => {
    const [short, fraction] = token.split("|");
    const found = TOKEN.exec(short);
    const made = { exact: null, simulated: null, fraction: fraction || null };
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
    const head = (i) => ({ name: data.heads[i][0], unit: data.heads[i][1], about: data.heads[i][2] });
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
    const disagree = new Set(raw.disagree);
    return {
      title: raw.title, cells, axes: raw.axes, measures, trials, positions,
      fields: raw.fields.map(head),
      number: (cell) => (raw.numbers ? raw.numbers[cell] : raw.first + cell),
      find: (steps) => cellAt().get(steps.reduce((place, step, i) => place * raw.axes[i].values.length + step, 0)),
      hasLaws: raw.laws.length > 0,
      rarer: (cell) => (rarer()[cell] || "0 0").split(" "),
      unsettled: (cell) => (unsettled() ? unsettled()[cell].split(/ (.*)/s) : ["0", "0"]),
      disagrees: (cell) => disagree.has(cell),
      notes: (cell) => (raw.noted ? raw.noted[cell].map((i) => raw.notes[i]) : raw.notes),
      law: (cell) => {
        let next = 0;
        if (!raw.laws[cell]) return [];
        return raw.laws[cell].split(";").map((coded) => {
          const [, place, token] = /^(?:(\d+):)?(.*)$/s.exec(coded);
          if (place !== undefined) next = Number(place);
          return { values: raw.outcomes[next++].split(" "), ...odds(token, trials()[cell]) };
        });
      },
      toml: (cell) => {
        const steps = positions(cell);
        return raw.toml.map((piece) => (typeof piece === "string" ? piece : raw.axes[piece].toml[steps[piece]])).join("");
      },
    };
  });

  // --- Making elements ----------------------------------------------------------------------

  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  /** The length of a bar in percent of its place. */
  const share = (value, full) => Math.min(100, Math.max(0, (100 * value) / full)) + "%";

  const bar = (size, full) => {
    const place = element("td", { class: "bar", "aria-hidden": "true" });
    if (!(full > 0) || Number.isNaN(size.value)) return place;
    const fill = element("span", { class: "fill" });
    fill.style.width = share(size.value, full);
    place.append(fill);
    if (!Number.isNaN(size.low)) {
      const whisk = element("span", { class: "whisk" });
      whisk.style.left = share(size.low, full);
      whisk.style.width = share(size.high - size.low, full);
      place.append(whisk);
    }
    return place;
  };

  /** The round number at which bars end. */
  const roundUp = (most) => [1, 2, 5, 10, 20, 25, 50, 100].find((end) => most <= end) || 100;

  const odd = (text, fraction) => {
    const place = element("td", {}, text === null ? "–" : text);
    if (fraction) place.append(element("small", {}, fraction));
    return place;
  };

  const outcomeName = (contest, values) => {
    const known = contest.fields.map((field, i) => [field.name, values[i]]);
    const named = known.filter(([, value]) => value !== "");
    const said = named.filter(([, value]) => value !== "0" || named.length === 1);
    return said.length ? said.map((pair) => pair.join("\u00a0")).join(", ") : "all 0";
  };

  const place = (contest, cell) => {
    const steps = contest.positions(cell);
    const said = contest.axes.map((axis, i) => `${axis.name} ${axis.values[steps[i]]}`);
    return said.length ? said.join(", ") : contest.title;
  };

  // --- The chosen cell ----------------------------------------------------------------------

  let contest = contests[0], chosen = 0, started = false;

  const showMeasures = () => {
    const rows = contest.measures.map((measure) => {
      const found = measure.of(chosen);
      const name = element("th", { scope: "row", class: "t" }, measure.unit ? `${measure.name} ${measure.unit}` : measure.name);
      name.append(element("small", {}, measure.about));
      const simulated = odd(found.simulated);
      simulated.className = "sim";
      const drawn = measure.unit === "%" ? bar(sizes(found), 100) : element("td", { class: "bar" });
      return element("tr", {}, name, odd(found.exact, found.fraction), simulated, drawn);
    });
    byId("measures").replaceChildren(...rows);
  };

  const showLaw = () => {
    byId("law-part").hidden = !contest.hasLaws;
    if (!contest.hasLaws) return;
    const law = contest.law(chosen).map((outcome) => ({ ...outcome, size: sizes(outcome) }));
    const long = law.length > LONG;
    if (long) law.sort((a, b) => b.size.value - a.size.value);
    byId("law-title").textContent = long ? "Law of the outcomes, the likeliest first" : "Law of the outcomes";
    const ends = law.flatMap(({ size }) => [size.value, size.high]).filter((end) => !Number.isNaN(end));
    const full = roundUp(Math.max(0, ...ends));
    const rows = law.map((outcome) => {
      const name = element("th", { scope: "row", class: "t" }, outcomeName(contest, outcome.values));
      const simulated = odd(outcome.simulated);
      simulated.className = "sim";
      return element("tr", {}, name, odd(outcome.exact, outcome.fraction), simulated, bar(outcome.size, full));
    });
    byId("law").replaceChildren(...rows);
    byId("law-scale").textContent = `0 to ${full} %`;
    const [hidden, sum] = contest.rarer(chosen);
    byId("rarer").textContent = hidden !== "0" ? `${hidden} rarer outcomes, together ${sum} %, are in outcomes.csv.` : "";
  };

  const showRemarks = () => {
    const said = [];
    const [exact, open] = contest.unsettled(chosen);
    if (!/^(0|–)$/.test(exact) || open !== "0") {
      said.push(`Not settled after the last round: ${exact} % (exact) and ${open} of ${contest.trials()[chosen]} trials.`);
    }
    const alarm = contest.disagrees(chosen);
    if (alarm) said.push("Exact and simulated DISAGREE in this cell.");
    if (!contest.hasLaws) said.push(`The law of this cell is in outcomes.csv, cell ${contest.number(chosen)}.`);
    said.push(...contest.notes(chosen).map((note) => `Note: ${note}`));
    byId("remarks").replaceChildren(...said.map((text) => element("li", {}, text)));
    byId("remarks").hidden = said.length === 0;
    byId("remarks").classList.toggle("alarm", alarm);
  };

  const showCell = () => {
    const trials = contest.trials()[chosen];
    byId("place").textContent = place(contest, chosen);
    const made = trials === "0" ? "nothing was simulated" : `${trials} trials, ± is half a 95 % interval`;
    byId("made").textContent = `Cell ${contest.number(chosen)} of ${contest.title}; ${made}.`;
    showMeasures();
    showLaw();
    showRemarks();
    byId("toml").textContent = contest.toml(chosen);
    byId("copied").textContent = "";
    for (const row of byId("rows").children) {
      if (Number(row.dataset.cell) === chosen) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
  };

  // --- The axes -----------------------------------------------------------------------------

  let settings = [];

  /** Chooses the cell under the sliders. An interrupted run may not have it. */
  const slide = () => {
    const steps = settings.map((setting) => setting.step());
    const cell = contest.find(steps);
    settings.forEach((setting) => setting.say());
    byId("cell").hidden = cell === undefined;
    if (cell === undefined) return;
    chosen = cell;
    showCell();
    remember();
  };

  const setting = (axis, i) => {
    const last = axis.values.length - 1;
    const range = element("input", { type: "range", min: 0, max: last, step: 1, id: `axis-${i}` });
    const said = element("output", { for: `axis-${i}` });
    const control = element("div", { class: "control" }, element("label", { for: `axis-${i}` }, axis.name), said, range);
    let list = null;
    if (!axis.numbers && last > 0) {
      const options = axis.values.map((value, k) => element("option", { value: k }, value));
      list = element("select", { "aria-label": axis.name }, ...options);
      said.hidden = true;
      control.append(list);
      list.addEventListener("input", () => { range.value = list.value; slide(); });
    }
    range.disabled = last === 0;
    range.addEventListener("input", slide);
    const step = () => Number(range.value);
    const say = () => {
      said.textContent = axis.values[step()];
      range.setAttribute("aria-valuetext", axis.values[step()]);
      if (list) list.value = String(step());
    };
    return { control, step, say, put: (k) => { range.value = String(k); say(); } };
  };

  const choose = (cell) => {
    chosen = cell;
    contest.positions(cell).forEach((step, i) => settings[i].put(step));
    byId("cell").hidden = false;
    showCell();
    remember();
  };

  // --- The table ----------------------------------------------------------------------------

  const words = new Intl.Collator("en", { numeric: true });
  let sorted = { column: null, down: false }, limit = PAGE, listed = [];

  /** What stands in the columns: cell, axes, measures. */
  const columns = () => {
    const cell = { name: "cell", size: (i) => contest.number(i), numbers: true };
    const axes = contest.axes.map((axis, k) => {
      const value = (i) => axis.values[contest.positions(i)[k]];
      return { name: axis.name, value, size: axis.numbers ? (i) => parseFloat(value(i)) : value, numbers: axis.numbers, axis: true };
    });
    const measures = contest.measures.map((measure) => (
      { name: measure.name, unit: measure.unit, of: measure.of, size: (i) => measure.numbers()[i], numbers: true, measure: true }));
    return [cell, ...axes, ...measures];
  };

  /** What a filter asks: comparisons with a column, and words that an axis must have. */
  const asked = (text, known) => {
    const unknown = [], tests = [];
    const parts = text.trim().toLowerCase().replace(/\s*(<=|>=|<|>|=)\s*/g, "$1").split(/\s+/).filter(Boolean);
    for (const part of parts) {
      const found = /^(.+?)(<=|>=|<|>|=)(.+)$/.exec(part);
      if (!found) {
        const hit = (column, i) => (column.numbers ? column.value(i) === part : column.value(i).toLowerCase().includes(part));
        tests.push((i) => known.some((column) => column.axis && hit(column, i)));
        continue;
      }
      const [, name, sign, wanted] = found;
      const column = known.find((one) => one.name.toLowerCase() === name);
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
    const known = columns(), filter = asked(byId("filter").value, known);
    listed = Array.from({ length: contest.cells }, (_, i) => i).filter(filter.passes);
    const by = sorted.column === null ? null : known[sorted.column];
    if (by) {
      const size = new Map(listed.map((i) => [i, by.size(i)]));
      const compare = by.numbers ? (a, b) => a - b : words.compare;
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

  const line = (known, both) => (i) => {
    const pick = element("button", { type: "button", "aria-label": `show cell ${contest.number(i)}: ${place(contest, i)}` }, String(contest.number(i)));
    pick.addEventListener("click", () => choose(i));
    const row = element("tr", { "data-cell": i }, element("th", { scope: "row" }, pick));
    if (i === chosen) row.setAttribute("aria-current", "true");
    for (const column of known.slice(1)) {
      if (!column.measure) {
        row.append(element("td", column.numbers ? {} : { class: "t" }, column.value(i)));
        continue;
      }
      const found = column.of(i), main = found.exact === null ? found.simulated : found.exact;
      const cell = element("td", {}, main === null ? "–" : main);
      if (column.unit === "%") {
        cell.className = "p";
        cell.style.setProperty("--share", share(column.size(i) || 0, 100));
      }
      if (both && found.exact !== null && found.simulated !== null) cell.append(element("small", {}, found.simulated));
      row.append(cell);
    }
    return row;
  };

  const fillRows = () => {
    const known = columns(), both = byId("both").checked;
    byId("rows").replaceChildren(...listed.slice(0, limit).map(line(known, both)));
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
    const heads = columns().map((column, k) => {
      const button = element("button", { type: "button" }, column.unit ? `${column.name} ${column.unit}` : column.name);
      button.addEventListener("click", () => sortBy(k));
      return element("th", { scope: "col", ...(column.numbers ? {} : { class: "t" }) }, button);
    });
    byId("heads").replaceChildren(...heads);
    const axis = contest.axes.find((one) => one.numbers), measure = contest.measures[0];
    const examples = [axis && `${axis.name}>=${axis.values[0]}`, measure && `${measure.name}>5`].filter(Boolean);
    byId("filter-hint").textContent = `Words of an axis, or comparisons such as ${examples.join(" ")}; all must hold. A click on a head sorts.`;
    byId("both-control").hidden = !contest.measures.some((one) => { const found = one.of(0); return found.exact !== null && found.simulated !== null; });
  };

  // --- Choosing a contest, remembering, copying ----------------------------------------------

  const enter = (k) => {
    contest = contests[k];
    [chosen, sorted, limit] = [0, { column: null, down: false }, PAGE];
    settings = contest.axes.map(setting);
    byId("axes").replaceChildren(...settings.map((one) => one.control));
    byId("controls").hidden = contests.length === 1 && contest.axes.length === 0;
    byId("contest").value = String(k);
    byId("filter").value = "";
    fillHeads();
    fillTable();
  };

  let waiting = 0;

  /** The chosen cell in the address, so that a link can point at it; once the sliders rest,
   *  because browsers complain about an address that changes all the time. */
  const remember = () => {
    if (!started) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      try { history.replaceState(null, "", `#cell-${contest.number(chosen)}`); } catch { /* a page in a frame may not */ }
    }, 300);
  };

  const recall = () => {
    const found = /^#cell-(\d+)$/.exec(location.hash);
    if (!found) return false;
    const wanted = Number(found[1]);
    for (let k = 0; k < contests.length; k++) {
      for (let cell = 0; cell < contests[k].cells; cell++) {
        if (contests[k].number(cell) === wanted) { enter(k); choose(cell); return true; }
      }
    }
    return false;
  };

  const copyByHand = () => {
    const range = document.createRange();
    byId("toml").closest("details").open = true;
    range.selectNodeContents(byId("toml"));
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    return document.execCommand("copy");
  };

  const copy = async () => {
    let done = true;
    try { await navigator.clipboard.writeText(byId("toml").textContent); } catch { done = copyByHand(); }
    byId("copied").textContent = done ? "Copied." : "Selected; press Ctrl+C to copy.";
  };

  contests.forEach((one, k) => byId("contest").append(element("option", { value: k }, one.title)));
  byId("contest-control").hidden = contests.length === 1;
  byId("contest").addEventListener("input", () => { enter(Number(byId("contest").value)); choose(0); });
  byId("filter").addEventListener("input", () => { limit = PAGE; fillTable(); });
  byId("both").addEventListener("change", fillRows);
  byId("more").addEventListener("click", () => { limit += STEP; fillRows(); });
  byId("copy").addEventListener("click", copy);
  addEventListener("beforeprint", () => { if (limit < PRINTED && listed.length > limit) { limit = PRINTED; fillRows(); } });
  addEventListener("hashchange", recall);

  document.documentElement.classList.add("live");
  byId("explore").hidden = false;
  byId("cells").hidden = contests.every((one) => one.cells === 1);
  if (!recall()) { enter(0); choose(0); }
  started = true;
})();
