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

/** @param {import("../../../types").AnswerInWords} told */
const showComputed = (told) => {
  const rows = told.measures.map((one) => row([withUnit({ label: one.label, unit: one.share ? "%" : "" })], known(one.exact ?? one.shown, one.share), { full: one.share ? 100 : 0, then: pinnedMeasure(one) }));
  byId("measures").replaceChildren(...rows);
  const law = told.law.outcomes, full = Math.min(100, roundUp(Math.max(1, ...law.map((one) => 100 * one.share))));
  /** @type {(one: import("../../../types").OutcomeInWordsWithShare) => any} */
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
