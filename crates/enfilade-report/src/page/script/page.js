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
