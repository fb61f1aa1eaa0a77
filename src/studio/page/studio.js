// The studio: a question, its odds, and what was changed on the way. The program's files stay the truth:
// the page holds the text of one, and a form that the program writes into it.

import { ask, beside, enter, hasKey, odds, onLine, stay } from "./ask.js";
import { answer, difference, headline } from "./answer.js";
import { changes } from "./changes.js";
import * as dice from "./dice.js";
import { button, byId, element, say } from "./dom.js";
import * as files from "./files.js";
import * as form from "./form.js";
import * as grid from "./grid.js";
import * as jobs from "./jobs.js";
import { axis, put } from "./paths.js";
import * as rules from "./rules.js";
import * as why from "./why.js";

/** What is said while the studio does not answer. */
const OFFLINE = {
  gone: "The studio does not answer: it was ended. What you typed is kept here: start enfilade studio again. If it then has another address, copy the link here and open it there.",
  stranger: "The studio was started anew: open the address that it prints in this tab. What you typed is kept.",
};

const REST = 30, KEPT = "enfilade-state", STEPS = 200;

let forms = null;
/** What is asked: the file's text, which contest, what its form holds, which cell; and of which square of which grid
 * it was loaded. */
let now = { name: "", hash: null, saved: "", text: "", contest: 0, form: null, cell: 0, chosen: null };
/** What came back last, what is pinned beside it, what can be undone, and the named variants. */
let last = null, pinned = null, past = [], variants = [], editing = "", asText = false;
/** Whether the form is to be drawn again, because it is another question. */
let fresh = true, timer = 0;
/** What is edited in the place of a question: a rulebook. */
let editor = null;

/** The question with its text as it stands now, for what is made of it as a whole. */
const whole = () => ({ ...question(), text: last?.text ?? now.text, form: null });

const question = () => ({ name: now.name, text: now.text, contest: now.contest, form: now.form, cell: now.cell });

const remember = () => {
  try { sessionStorage.setItem(KEPT, JSON.stringify({ now, draft: editor?.draft(), variants, pinned })); } catch { say("The browser keeps no more than it has: save the file."); }
};

/** What stands there, to be come back to. */
const step = () => {
  if (editor || now.text) past = [...past.slice(-STEPS), editor ? { draft: editor.draft() } : now];
  byId("undo").disabled = !past.length;
};

// --- Asking and showing --------------------------------------------------------------------

const actionOf = (contest) => {
  const system = forms.systems.find((one) => one.id === contest?.system) || (forms.systems.filter((one) => one.file).length === 1 && !contest?.system && forms.systems.find((one) => one.file));
  return { system, action: system && system.actions.find((one) => one.name === contest?.action) };
};

/** An arsenal has a form as actions have: of its rulebook. */
const arsenalOf = (reply) => {
  const system = forms.systems.find((one) => one.arsenal && (one.id === reply.arsenal || (one.file && !reply.arsenal)));
  byId("about").textContent = system ? `${system.title}: what its weapons should cost.` : "";
  byId("contest-row").hidden = true;
  return system?.arsenal;
};

const showHead = (reply) => {
  if ("arsenal" in reply) return arsenalOf(reply);
  const { system, action } = actionOf(reply.contests?.[now.contest]);
  byId("about").textContent = action ? `${system.title}: ${action.about}` : "";
  const several = (reply.contests || []).length > 1;
  byId("contest-row").hidden = !several;
  if (several) byId("contest").replaceChildren(...reply.contests.map((one, i) => element("option", { value: i, selected: i === now.contest }, one.name || `${one.system || ""} ${one.action || ""} ${i + 1}`)));
  return action;
};

const showFaults = (faults) => {
  const rest = asText ? faults : form.showFaults(byId("form"), now.contest, faults);
  byId("faults").replaceChildren(...rest.map((fault) => element("p", {}, [fault.line && fault.path !== undefined ? `line ${fault.line}: ` : "", fault.problem, fault.help ? `; ${fault.help}` : ""].join(""))));
};

const titled = () => {
  const changed = last && last.text !== now.saved;
  byId("file-title").textContent = `${now.name || "Unsaved question"}${changed && now.name ? " *" : ""}`;
};

/** Beside a weapon: its price alone. */
const priced = (field, place, called) => field.name === "weapon" && button("Price", () => jobs.begin({ ...whole(), only: place }), { "aria-label": `Price ${called}: what should it cost?`, class: "step" });

const drawForm = (action) => {
  const place = byId("form");
  if (!action || !now.form) { place.replaceChildren(); return; }
  form.draw(place, forms, action, now.form, (values, path) => {
    change({ form: values, cell: 0 }, path);
  }, action.file ? priced : null);
};

/** Shows the desk, from its top, or the start. */
const see = (desk) => {
  byId("tiles").hidden = desk;
  byId("desk").hidden = byId("start").hidden = byId("link").hidden = !desk;
  byId("back").hidden = desk || !(editor || now.text);
  scrollTo(0, 0);
  if (desk) byId("file-title").focus({ preventScroll: true });
};

/** How the same is asked on the command line. */
const command = (reply) => {
  const named = now.name || "question.toml", verb = "arsenal" in reply ? "balance" : "odds";
  const cells = reply.grid ? `, cell ${now.cell + 1}` : "";
  byId("command").replaceChildren(now.name ? "In the terminal: " : "Saved, in the terminal: ", element("code", {}, `enfilade ${verb} ${/^[\w.-]+$/.test(named) ? named : `"${named}"`}`), cells);
};

/** Which square the answer above a grid is of. */
const place = (drawn, cell) => {
  const places = grid.places(drawn, cell);
  return `The square ${drawn.axes.map((one, i) => `${one.label} ${one.words[places[i]]}`).join(", ")}:`;
};

const shownSquare = (reply) => (reply.grid ? place(reply.grid, now.cell) : now.chosen ? place(now.chosen.grid, now.chosen.cell) : null);

/** A file of weapons has no contest: its job is its prices, and what is printed stands where nothing is said. */
const showKind = (reply) => {
  const arsenal = "arsenal" in reply, { system, action } = reply.contests?.[now.contest] || {};
  jobs.turned(JSON.stringify([now.name, now.contest, arsenal ? reply.arsenal : [system, action]]), reply.text);
  command(reply);
  byId("odds-title").textContent = arsenal ? "Prices" : "Odds";
  byId("simulate").textContent = arsenal ? "Price all of them" : "Simulate";
  byId("jobs-title").textContent = arsenal ? "Prices" : "Simulate and print";
  byId("desk").dataset.kind = arsenal ? "arsenal" : "question";
  if (!arsenal) return;
  byId("jobs").open = true;
  byId("form").querySelectorAll("tbody[data-path]").forEach((row, i) => {
    const price = row.querySelector("[data-path$='.price'] input");
    if (price) price.placeholder = reply.printed?.[i] ?? "?";
  });
};

/** What is asked, by its fields. */
const showing = (reply) => ("arsenal" in reply ? null : actionOf(reply.contests?.[now.contest]).action);

const show = (reply) => {
  last = reply;
  const faults = reply.faults || [];
  showFaults(faults);
  titled();
  byId("slow").hidden = !reply.slow && !reply.vast;
  byId("mend").hidden = !faults.length;
  byId("to-fault").textContent = faults.length ? `${faults.length === 1 ? "One thing" : `${faults.length} things`} to mend: ${faults[0].problem}` : "Nothing to mend";
  byId("timing").textContent = reply.milliseconds === undefined || "arsenal" in reply ? "" : `exact · ${reply.milliseconds.toFixed(1)} ms`;
  if (reply.told) {
    byId("headline").replaceChildren(...headline(reply.told, pinned?.told, shownSquare(reply)));
    byId("answer").replaceChildren(...answer(reply.told, pinned?.told, (wanted) => why.open(question(), wanted)));
  } else for (const id of ["headline", "answer"]) byId(id).replaceChildren();
  grid.draw(byId("grid"), reply.grid || now.chosen?.grid, pinned?.grid, load, reply.grid ? null : now.chosen?.cell);
  byId("pinned").textContent = pinned ? (reply.told ? `B − A: ${difference(reply.told, pinned.told)}` : "A is pinned") : "";
  byId("changes").replaceChildren(...(pinned?.form && now.form && reply.told ? changes(forms, showing(reply), pinned.form, now.form) : []));
  byId("pin").setAttribute("aria-pressed", String(Boolean(pinned)));
  byId("pin").textContent = pinned ? "Unpin A" : "Pin as A";
  showKind(reply);
};

/** Asks now. What was changed while the answer was on its way asks for itself. */
const asked = async (more = {}) => {
  remember();
  const own = now;
  let reply;
  try { reply = await odds({ ...question(), ...more }); } catch { return; }
  if (!reply || own !== now) return;
  if (fresh || now.form === null) {
    fresh = false;
    now.form = reply.form && typeof reply.form === "object" ? reply.form : null;
    const action = showHead(reply);
    if (!asText) drawForm(action);
  }
  show(reply);
};

/** Asks when typing rests. */
const soon = () => { clearTimeout(timer); timer = setTimeout(() => asked(), REST); };

/** Something was changed; changes of one field are one step to be undone. */
const change = (what, path) => {
  if (editing !== path || !path) step();
  editing = path;
  now = { ...now, chosen: null, ...what };
  soon();
};

/** Asks again: the studio was gone meanwhile. */
const again = () => (editor ? editor.again() : soon());

/** Another question altogether. */
const turn = (next, kept = true) => {
  if (kept) step();
  byId("undo").disabled = !past.length;
  editing = "";
  editor = null;
  now = { ...now, chosen: null, ...next };
  if (asText) byId("text").value = now.text;
  if (byId("desk").hidden) see(true);
  fresh = true;
  clearTimeout(timer);
  return asked();
};

/** A text that is in no file yet. */
const begun = (text, contest = 0, cell = 0) => turn({ name: "", hash: null, saved: "", text, contest, form: null, cell });

const undo = () => {
  const before = past.pop();
  if (before?.draft) rules.open(before.draft, desk, false);
  else if (before) turn(before, false);
};

/** Puts a square of the grid into the form. */
const load = (cell) => {
  const from = now.chosen || { grid: last.grid, form: now.form, text: last.text };
  const places = grid.places(from.grid, cell);
  let values = from.form;
  from.grid.axes.forEach((one, i) => {
    const way = axis(from.form, one.path);
    if (way) values = put(values, way, one.values[places[i]]);
  });
  say("Loaded. Undo brings the grid back.");
  return turn({ form: values, cell: 0, text: from.text, chosen: { ...from, cell } });
};

// --- Start, files, variants, links -------------------------------------------------------------

const tile = (system, action) => {
  const [first, ...others] = action.questions;
  if (!first) return null;
  const more = others.length ? element("details", {}, element("summary", {}, `${others.length} more ready`),
    ...others.map((one) => button(one.question || action.about, () => begun(one.file), { class: "tile" }))) : null;
  return element("li", { "data-action": `${system.id} ${action.name}` }, button("", () => begun(first.file), { class: "tile" }), more);
};

const showTiles = () => {
  const wanted = byId("search").value.toLowerCase();
  const systems = forms.systems.map((system) => {
    const fits = (action) => [system.title, action.label, action.about, action.question].join(" ").toLowerCase().includes(wanted);
    const items = system.actions.filter(fits).map((action) => {
      const item = tile(system, action);
      item?.firstChild.append(element("strong", {}, action.label), element("span", {}, action.question || action.about));
      return item;
    });
    const kept = items.filter(Boolean);
    const arsenal = system.arsenal && `prices weapons cost arsenal ${system.title}`.toLowerCase().includes(wanted)
      ? element("li", { "data-prices": system.id }, button("", () => begun(system.arsenal.file), { class: "tile" })) : null;
    arsenal?.firstChild.append(element("strong", {}, "prices"), element("span", {}, "What should its weapons cost? A table of weapons, and what they meet."));
    kept.push(...(arsenal ? [arsenal] : []));
    const open = Boolean(wanted) || matchMedia("(min-width: 50rem)").matches;
    return kept.length ? element("details", { class: "system", open }, element("summary", {}, element("h3", {}, system.title)), element("ul", { class: "tiles" }, ...kept)) : null;
  });
  byId("systems").replaceChildren(...systems.filter(Boolean));
};

const showStart = () => {
  see(false);
  byId("search").focus({ preventScroll: true });
};

const showVariants = () => {
  byId("variants").replaceChildren(...variants.map((one, i) => {
    const name = element("input", { value: one.name, "aria-label": "Name of the variant", maxlength: 60 });
    name.addEventListener("input", () => { one.name = name.value; remember(); });
    const note = element("input", { value: one.note, placeholder: "note", "aria-label": `Note to ${one.name}`, maxlength: 200 });
    note.addEventListener("input", () => { one.note = note.value; remember(); });
    const open = button("Open", () => turn(structuredClone(one.now)), { "aria-label": `Open ${one.name}` });
    const beside = button("As A", () => { pinned = one.answer; remember(); if (last) show(last); }, { "aria-label": `Pin ${one.name} as A` });
    const drop = button("×", () => { variants.splice(i, 1); remember(); showVariants(); }, { "aria-label": `Forget ${one.name}` });
    return element("li", {}, name, note, element("div", { class: "row" }, open, beside, drop));
  }));
};

/** The answer with the question that it is of. */
const answered = () => ({ told: last.told, grid: last.grid, form: now.form, from: { text: last.text, contest: now.contest, cell: now.cell } });

const keep = () => {
  if (!last?.told) return;
  variants.push({ name: `Variant ${variants.length + 1}`, note: last.told.sentence, now: { ...structuredClone(now), text: last.text }, answer: answered() });
  remember();
  showVariants();
};

/** What a link holds: the question, or the rulebook that is written; the grid with its chosen square; what is pinned. */
const held = () => {
  if (editor) return { rules: { name: editor.draft().name, text: editor.draft().text, beside: editor.draft().beside } };
  const asked = now.chosen ? { text: now.chosen.text, square: now.chosen.cell } : { text: last?.text ?? now.text, cell: now.cell };
  return { ...asked, contest: now.contest, view: grid.view(), a: pinned?.from };
};

const link = () => `${location.origin}/#q=${encodeURIComponent(JSON.stringify(held()))}`;

const copyLink = async () => {
  const address = link();
  history.replaceState(null, "", address.slice(location.origin.length));
  try { await navigator.clipboard.writeText(address); say("The link is copied."); } catch { say("The link stands in the address bar."); }
};

/** Whether these are a text, and places where there are any. */
const sound = ({ text, contest = 0, cell = 0, square = 0 }) => typeof text === "string" && [contest, cell, square].every((place) => Number.isInteger(place) && place >= 0);

/** Pins the answer to another question. */
const pinOther = async (from) => {
  const reply = await beside({ ...from, patient: true });
  if (reply?.told) pinned = { told: reply.told, grid: reply.grid, form: reply.form, from };
  else say("A takes too long, or has faults: it is not pinned.");
  remember();
  if (last) show(last);
};

/** Opens what a link holds; whether it holds anything. */
const follow = (said) => {
  let it;
  try { it = JSON.parse(said.get("q")); } catch { return false; }
  const draft = it?.rules;
  if (draft && typeof draft.name === "string" && typeof draft.text === "string") {
    const beside = Array.isArray(draft.beside) ? draft.beside.filter((one) => typeof one?.name === "string" && typeof one.text === "string") : [];
    rules.open({ name: draft.name, text: draft.text, beside, hash: null, saved: "" }, desk);
    return true;
  }
  if (!it || !sound(it)) return false;
  pinned = null;
  grid.look(it.view);
  const opened = begun(it.text, it.contest, it.cell).then(() => (it.square !== undefined && last?.grid ? load(it.square) : null));
  if (it.a && sound(it.a)) opened.then(() => pinOther(it.a));
  return true;
};

// --- Everything together -----------------------------------------------------------------------

const showText = (on) => {
  asText = on;
  byId("text-row").hidden = !on;
  byId("form").hidden = on;
  byId("as-form").setAttribute("aria-pressed", String(!on));
  byId("as-text").setAttribute("aria-pressed", String(on));
  if (on) byId("text").value = last?.text ?? now.text;
  else { fresh = true; asked(); }
};

/** What other parts of the page may do with the question. */
const desk = {
  /** Another thing is edited in the place of a question: how it is saved, asked again, and what there is of it. */
  edit: (own, kept) => { if (kept) step(); [editor, editing, last] = [own, "", null]; byId("undo").disabled = !past.length; remember(); },
  see,
  /** What is edited there is about to be changed. */
  step,
  remember,
  text: () => last?.text ?? now.text,
  now: () => now,
  open: turn,
  begin: begun,
  saved: (name, hash, text) => { Object.assign(now, { name, hash, saved: text }); desk.kept(name, hash, text); titled(); },
  /** A file was written: whoever comes back to what it was before knows it. */
  kept: (name, hash, text) => {
    past.map((one) => one.draft ?? one).filter((one) => one.name === name).forEach((one) => Object.assign(one, { hash, saved: text }));
    remember();
  },
  reload: () => reload(),
};

const wire = () => {
  byId("start").addEventListener("click", showStart);
  byId("back").addEventListener("click", () => see(true));
  byId("undo").addEventListener("click", undo);
  byId("link").addEventListener("click", copyLink);
  byId("keep").addEventListener("click", keep);
  byId("search").addEventListener("input", showTiles);
  byId("form").addEventListener("submit", (event) => event.preventDefault());
  byId("contest").addEventListener("input", () => turn({ text: last.text, contest: Number(byId("contest").value), form: null, cell: 0 }));
  byId("as-form").addEventListener("click", () => showText(false));
  byId("as-text").addEventListener("click", () => showText(true));
  byId("text").addEventListener("input", () => change({ text: byId("text").value, form: null, cell: 0 }, "the text"));
  byId("wait").addEventListener("click", () => (editor ? editor.wait() : asked({ patient: true })));
  byId("simulate-slow").addEventListener("click", () => { byId("jobs").open = true; byId("simulate").click(); });
  byId("pin").addEventListener("click", () => {
    if (editor) { editor.pin(); return; }
    pinned = pinned ? null : last?.told ? answered() : null;
    remember();
    if (last) show(last);
  });
  byId("paste").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = byId("pasted").value;
    if (!follow(new URLSearchParams(text.slice(text.indexOf("#") + 1)))) say("That is no link of a studio.");
  });
  addEventListener("hashchange", () => { const said = enter(); if (said.has("q")) follow(said); else reload().then(again); });
  addEventListener("keydown", (event) => {
    const typing = event.target.matches?.("input, textarea");
    if ((event.ctrlKey || event.metaKey) && event.key === "s") { event.preventDefault(); byId("save").click(); }
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && !typing) { event.preventDefault(); undo(); }
  });
  onLine((state) => {
    const was = byId("offline").hidden;
    byId("offline").hidden = state === "here";
    byId("offline").textContent = OFFLINE[state] || "";
    if (state === "here" && !was && !byId("desk").hidden) again();
  });
  byId("to-fault").addEventListener("click", () => (byId("form").querySelector("[aria-invalid]") || byId("text")).focus());
  byId("save").addEventListener("click", () => (editor?.save || files.save)());
  files.wire(desk);
  jobs.wire(whole);
  dice.wire();
  why.wire();
};

/** Reads the forms again: a rulebook of the folder was changed. */
const reload = async () => {
  forms = await ask("/api/forms");
  byId("folder").textContent = forms.folder;
  jobs.offer(whole, forms.sheets ?? []);
  showTiles();
};

const begin = async () => {
  const said = enter();
  if (!hasKey()) { byId("locked").hidden = false; return; }
  wire();
  await reload();
  if (forms.error) { byId("locked").hidden = false; return; }
  files.refresh();
  rules.showTexts(desk);
  stay();
  const kept = JSON.parse(sessionStorage.getItem(KEPT) || "null");
  if (kept) ({ variants = [], pinned = null } = kept);
  showVariants();
  if (said.has("q") && follow(said)) return;
  if (kept?.draft) rules.open(kept.draft, desk, false);
  else if (kept?.now?.text) turn(kept.now, false);
  else showStart();
};

begin();
