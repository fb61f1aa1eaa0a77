// @ts-check
// The studio: a question, its odds, and what was changed on the way. The program's files stay the truth:
// the page holds the text of one, and a form that the program writes into it.

import { ask, beside, enter, hasKey, odds, stay } from "./requests.js";
import { answer, difference, headline } from "./answer.js";
import { actionOf, place, showHead, showKind } from "./asked.js";
import { changes } from "./field_changes.js";
import * as designer from "./designer.js";
import * as dice from "./dice.js";
import { behind, button, byId, element, say } from "./dom.js";
import { dress } from "./editor.js";
import * as drafts from "./drafts.js";
import * as files from "./files.js";
import * as form from "./form.js";
import * as grid from "./grid.js";
import * as jobs from "./jobs.js";
import * as keys from "./keys.js";
import * as library from "./library.js";
import * as links from "./links.js";
import * as offline from "./offline.js";
import * as overtaken from "./overtaken.js";
import * as disk from "./own_disk.js";
import { put } from "./form_paths.js";
import { showPrinted } from "./printed.js";
import * as rules from "./rulebook_editor.js";
import * as sample from "./sample.js";
import * as share from "./share.js";
import * as sides from "./sides.js";
import * as stops from "./stops.js";
import * as strategy from "./strategy.js";
import * as tileList from "./tiles.js";
import * as tour from "./tour.js";
import * as variants from "./variants.js";
import * as wanted from "./wanted.js";
import * as ways from "./ways.js";
import * as why from "./explain_dialog.js";
import * as work from "./work.js";

/** @typedef {import("./types").LiveReply} LiveReply */
/** @typedef {import("./types").AllActionFormsReply & Partial<import("./requests.js").Said>} Forms */
/** @typedef {import("./types").TilesReply & Partial<import("./requests.js").Said>} Tiles */

const REST = 12, LATE = 400, KEPT = "enfilade-state", STEPS = 200;

/** Names and questions first, so that there is something to choose from; their fields follow.
 * @type {Tiles} */
let tiles = null;
/** @type {Forms} */
let forms = null;
/** Fulfilled when the fields are there. */
let fields = Promise.resolve();
/** What is asked: the file's text, which contest, what its form holds, which cell; and of which square of which grid
 * it was loaded. */
/** @type {any} */
let now = { name: "", hash: null, saved: "", text: "", contest: 0, form: null, cell: 0, chosen: null };
/** What came back last, what is pinned beside it, and what can be undone. */
/** @type {Partial<LiveReply & import("./types").SolvedCellAndGridView>} */
let last = null;
let pinned = null, past = [], editing = "", asText = false;
/** Whether the form is to be drawn again, because it is another question. */
let fresh = true, timer = 0, late = 0, awaited = false;
/** What is edited in the place of a question: a rulebook. */
let editor = null;

/** The question with its text as it stands now, for what is made of it as a whole. */
const whole = () => ({ ...question(), text: last?.text ?? now.text, form: null });

const question = () => ({ name: now.name, text: now.text, contest: now.contest, form: now.form, cell: now.cell });

const remember = () => {
  try { sessionStorage.setItem(KEPT, JSON.stringify({ now, draft: editor?.draft(), pinned })); } catch { say("The browser keeps no more than it has: save the file."); }
};

const keepDraft = (own, text) => drafts.keepText(own, text, last?.told?.question);

/** What stands there, to be come back to. */
const step = () => {
  if (editor || now.text) past = [...past.slice(-STEPS), editor ? { draft: editor.draft() } : now];
  byId("undo").disabled = !past.length;
};

// --- Asking and showing --------------------------------------------------------------------

/** The text of the file, with its colours. */
let dressed = null;
const drawText = (text) => { byId("text").value = text; dressed.draw(true); };

/** @param {import("./types").FaultView[]} faults */
const showFaults = (faults) => {
  if (asText) dressed.mark(faults);
  const rest = asText ? faults : form.showFaults(byId("form"), now.contest, faults);
  byId("faults").replaceChildren(...rest.map((fault) => element("p", {}, [fault.line && fault.path !== undefined ? `line ${fault.line}: ` : "", fault.problem, fault.help ? `; ${fault.help}` : ""].join(""))));
};

/** Says which file stands there, and whether all of it is saved. */
const titled = (name, changed, hash) => {
  byId("file-title").textContent = `${name || "Unsaved question"}${changed && name ? " *" : ""}`;
  document.title = `${changed && name ? "● " : ""}${name || last?.told?.question || "Question"} · Enfilade studio`;
  byId("revert").hidden = !(changed && name && hash);
};

/** Beside a weapon: its price alone. */
const priced = (field, place, called) => field.name === "weapon" && button("Price", () => jobs.begin({ ...whole(), only: place }), { "aria-label": `Price ${called}: what should it cost?`, class: "step" });

const drawForm = (action) => {
  const place = byId("form");
  if (!action || !now.form) { place.replaceChildren(); return; }
  form.draw(place, forms, action, now.form, (values, path) => {
    change({ form: values, cell: 0 }, path);
  }, action.file ? priced : null, forms.systems.find((one) => one.actions.includes(action)), action.file ? null : (values, way, range) => stops.of(question(), values, way, range));
};

/** Shows the desk, from its top, or the start. */
const see = (desk) => {
  byId("tiles").hidden = desk;
  byId("desk").hidden = byId("start").hidden = byId("link").hidden = !desk;
  byId("share-open").hidden = !desk;
  byId("back").hidden = desk || !(editor || now.text);
  if (!desk) document.title = "Enfilade studio";
  scrollTo(0, 0);
  if (desk) byId("file-title").focus({ preventScroll: true });
};

/** @param {Partial<LiveReply>} reply */
const shownSquare = (reply) => (reply.grid ? place(reply.grid, now.cell) : now.chosen ? place(now.chosen.grid, now.chosen.cell) : null);

/** What is asked, by its fields.
 * @param {Partial<LiveReply>} reply */
const showing = (reply) => ("arsenal" in reply ? null : actionOf(forms, reply.contests?.[now.contest]).action);

/** @param {Partial<LiveReply & import("./types").SolvedCellAndGridView>} reply */
const show = (reply) => {
  last = reply;
  const faults = reply.faults || [];
  clearTimeout(late);
  behind(false);
  showFaults(faults);
  titled(now.name, reply.text !== now.saved, now.hash);
  work.lacking(reply, now.name);
  byId("mend").hidden = !faults.length;
  byId("to-fault").textContent = faults.length ? `${faults.length === 1 ? "One thing" : `${faults.length} things`} to mend: ${faults[0].problem}` : "Nothing to mend";
  byId("timing").textContent = reply.milliseconds === undefined || "arsenal" in reply ? "" : `exact · ${reply.milliseconds.toFixed(1)} ms`;
  if (reply.told) {
    byId("headline").replaceChildren(...headline(reply.told, pinned?.told, shownSquare(reply)));
    byId("answer").replaceChildren(...answer(reply.told, pinned?.told, (sought) => why.open(question(), sought), wanted.open));
  } else for (const id of ["headline", "answer"]) byId(id).replaceChildren();
  wanted.follow(reply.told);
  strategy.follow(reply.told ? reply.decisions : 0, question);
  grid.draw(byId("grid"), reply.grid || now.chosen?.grid, pinned?.grid, load, reply.grid ? null : now.chosen?.cell);
  byId("pinned").textContent = pinned ? (reply.told ? `Now against A: ${difference(reply.told, pinned.told)}` : "A is pinned") : "";
  byId("changes").replaceChildren(...(pinned?.form && now.form && reply.told ? changes(forms, showing(reply), pinned.form, now.form) : []));
  byId("pin").setAttribute("aria-pressed", String(Boolean(pinned)));
  byId("pin").textContent = pinned ? "Unpin A" : "Pin as A";
  showPrinted(byId("form"), reply.printed_numbers ?? {});
  showKind(now, reply);
  designer.draw(reply.told, "arsenal" in reply);
};

/** Shows a sample of a grid that is too large to be drawn while one types. */
const showSample = async (reply, own) => {
  const found = reply.vast && !reply.grid && now.form ? await sample.of(question(), showing(reply)?.fields, now.form) : null;
  if (!found || own !== now || last !== reply) return;
  // A square is loaded from the form of the sample.
  grid.draw(byId("grid"), found.grid, null, (cell) => loadFrom(found, cell), null);
};

/** Asks now. What was changed while the answer was on its way asks for itself. */
const asked = async (more = {}) => {
  remember();
  const own = now;
  let reply;
  try { reply = await odds({ ...question(), ...more }); } catch { behind(Boolean(last)); return; }
  if (!reply || own !== now) return;
  await fields;
  if (own !== now) return;
  awaited = false;
  drafts.expect(false);
  if (fresh || now.form === null) {
    fresh = false;
    now.form = reply.form && typeof reply.form === "object" ? reply.form : null;
    const action = showHead(forms, now, reply);
    if (!asText) drawForm(action);
  }
  show(reply);
  keepDraft(now, reply.text);
  showSample(reply, own);
};

/** Asks when typing rests. An answer that is late is of what stood there before. */
const soon = () => {
  clearTimeout(timer);
  clearTimeout(late);
  work.drop();
  timer = setTimeout(() => asked(), REST);
  late = setTimeout(() => behind(Boolean(last)), LATE);
};

/** Works out what takes longer than a key has. */
const workOut = async () => {
  const own = now, found = await work.out(question());
  if (!found || own !== now) return;
  show({ ...last, ...found, told: found.told ?? last?.told, vast: false, faults: found.faults ?? last?.faults });
};

/** Something was changed; changes of one field are one step to be undone. */
const change = (what, path) => {
  if (editing !== path || !path) step();
  editing = path;
  now = { ...now, chosen: null, ...what };
  awaited = true;
  drafts.expect(true);
  soon();
};

/** Asks again: the studio was gone meanwhile. */
const again = () => {
  drafts.again();
  if (editor) editor.again(); else soon();
};

/** Keeps what was typed last and not answered yet, before another question stands there. */
const settle = () => {
  if (!awaited || editor) return;
  const own = now;
  awaited = false;
  beside(question()).then((reply) => reply?.text !== undefined && keepDraft(own, reply.text)).catch(() => {}).finally(() => drafts.expect(false));
};

/** Another question altogether. */
const turn = (next, kept = true) => {
  ways.leave();
  settle();
  overtaken.turned();
  work.drop();
  if (kept) step();
  // A text that is in no file is known by a name of its own.
  if ("name" in next && !next.name) next.key ??= `text-${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`;
  byId("undo").disabled = !past.length;
  // These ask about the question that stood there: until the next one is answered there are none.
  for (const id of ["designer", "designer-prices"]) byId(id).replaceChildren();
  editing = "";
  editor = null;
  now = { ...now, chosen: null, ...next };
  if (asText) drawText(now.text);
  if (byId("desk").hidden) see(true);
  ways.arrive();
  fresh = true;
  clearTimeout(timer);
  return asked();
};

/** A text that is in no file yet. */
const begun = (text, contest = 0, cell = 0) => turn({ name: "", hash: null, saved: text, text, contest, form: null, cell });

/** Tries other values, with what is there as A. */
const take = (values) => {
  pinned ??= last?.told ? answered() : null;
  fresh = true;
  change({ form: values, cell: 0 });
};

const undo = () => {
  const before = past.pop();
  if (before?.draft) files.show(before.draft, false);
  else if (before) turn(before, false);
};

/** Puts a square of the grid into the form. */
const load = (cell) => loadFrom(now.chosen || { grid: last.grid, form: now.form, text: last.text }, cell);

/** The same of a grid with the form that it was drawn of. */
const loadFrom = (from, cell) => {
  say("Loaded. Undo brings the grid back.");
  return turn({ form: grid.formAt(from, cell), cell: 0, text: from.text, chosen: { ...from, cell } });
};

// --- Start, files, variants, links -------------------------------------------------------------

const showTiles = () => {
  tileList.draw(tiles);
  library.search(byId("search").value, forms);
};

const showStart = () => {
  ways.leave();
  see(false);
  ways.arrive();
  // Where fingers type, a keyboard would jump over what there is to choose from.
  if (matchMedia("(pointer: fine)").matches) byId("search").focus({ preventScroll: true });
};

/** What stands there, as Back of the browser comes back to it; and how that is shown again. */
const standing = () => (byId("desk").hidden ? { start: true } : editor ? { draft: editor.draft() } : { now: { ...now, text: last?.text ?? now.text } });
const stand = (it) => (it.start ? showStart() : it.draft ? files.show(it.draft, false) : turn(it.now, false));

/** The answer with the question that it is of. */
const answered = () => ({ told: last.told, grid: last.grid, form: now.form, from: { text: last.text, contest: now.contest, cell: now.cell } });

const keep = () => {
  if (last?.told) variants.keep({ of: now.name, text: last.text, contest: now.contest, cell: now.cell }, last.told.sentence);
};

/** What a link holds: the question, or the rulebook that is written; the grid with its chosen square; what is pinned. */
const held = () => {
  if (editor) return { rules: { name: editor.draft().name, text: editor.draft().text, beside: editor.draft().beside } };
  const asked = now.chosen ? { text: now.chosen.text, square: now.chosen.cell } : { text: last?.text ?? now.text, cell: now.cell };
  return { ...asked, contest: now.contest, view: grid.view(), a: pinned?.from };
};

const copyLink = () => links.copy(held(), editor ? editor.draft().name : now.name);

/** Saves what stands there as a file of the disk, also for who cannot send a long link. */
const sendFile = () => {
  const { name, text } = editor ? editor.draft() : { name: now.name, text: last?.text ?? now.text };
  disk.keep(name || "question.toml", text);
};

/** Pins the answer to another question. */
const pinOther = async (from) => {
  const reply = await beside({ ...from, patient: true });
  if (reply?.told) pinned = { told: reply.told, grid: reply.grid, form: reply.form, from };
  else say("A takes too long, or has faults: it is not pinned.");
  remember();
  if (last) show(last);
};

/** Opens what a link holds; whether it holds anything. */
const follow = async (said) => {
  const it = await links.held(said);
  const draft = links.rulesOf(it);
  if (draft) { files.show(draft); return true; }
  if (!it || !links.sound(it)) return false;
  pinned = null;
  grid.look(it.view);
  const text = await links.receive(it);
  const opened = begun(text, it.contest, it.cell).then(() => (it.square !== undefined && last?.grid ? load(it.square) : null));
  if (it.a && links.sound(it.a)) opened.then(() => pinOther(it.a));
  return true;
};

// --- Everything together -----------------------------------------------------------------------

const showText = (on) => {
  asText = on;
  byId("text-row").hidden = !on;
  byId("form").hidden = on;
  byId("as-form").setAttribute("aria-pressed", String(!on));
  byId("as-text").setAttribute("aria-pressed", String(on));
  if (on) drawText(last?.text ?? now.text);
  else { fresh = true; asked(); }
};

/** What other parts of the page may do with the question. */
const desk = {
  /** Another thing is edited in the place of a question: how it is saved, asked again, and what there is of it. */
  edit: (own, kept) => {
    ways.leave();
    settle();
    overtaken.turned();
    if (kept) step();
    [editor, editing, last] = [own, "", null];
    ways.arrive();
    byId("undo").disabled = !past.length;
    // What belongs to a question goes with it.
    byId("faults").replaceChildren();
    for (const id of ["headline", "answer", "grid", "changes", "designer", "designer-prices", "never-bought"]) byId(id).replaceChildren();
    byId("contest-row").hidden = byId("text-row").hidden = byId("mend").hidden = byId("slow").hidden = true;
    remember();
  },
  see,
  /** What is edited there is about to be changed. */
  step,
  /** What is edited there was changed. */
  remember: () => {
    remember();
    if (editor) { const own = editor.draft(); keepDraft(own, own.text); }
  },
  titled,
  /** The file that stands there. */
  name: () => (editor ? editor.draft().name : now.name),
  /** The text that stands there, and the hash of the file that it was opened from. */
  own: () => (editor ? editor.draft() : { name: now.name, hash: now.hash, text: last?.text ?? now.text }),
  /** The files of the folder, and how one is shown as it is on the disk. */
  files: files.all,
  revert: files.revert,
  /** The answer that stands there; null where there is none. */
  answered: () => (!editor && last?.told ? answered() : null),
  /** Opens a text that is in the file of its name no more, or never was. */
  openText: ({ text, of = "", contest = 0, cell = 0 }) => files.openText(of, text, contest, cell),
  open: turn,
  begin: begun,
  /** Changes the values of the question's form. */
  set: (turned) => { if (now.form) { fresh = true; change({ form: turned(now.form), cell: 0 }); } },
  pin: (from) => pinOther(from),
  /** A file was written, and is called `next` where it got another name: whoever comes back to what it was before
   * knows it, and what was kept of it because it was not saved is not needed any more. */
  kept: (name, hash, text, next = name, key = "") => {
    past.map((one) => one.draft ?? one).filter((one) => (name ? one.name === name : one.key === key)).forEach((one) => Object.assign(one, next === name || !one.hash ? { name: next, hash, saved: text } : {}));
    drafts.keep(name || key, null);
    remember();
    overtaken.wrote(next);
    sides.saved(next, text, editor?.told?.() ?? last?.told).catch(() => {});
  },
  reload: () => reload(),
};

/** Saves the question; one that is in no file yet, or is to be in another, is given a name. */
const save = (as) => {
  const own = now, text = last?.text ?? now.text;
  files.save({ name: own.name, text, hash: own.hash }, (hash, name) => {
    const { name: before, key } = own;
    Object.assign(own, { name, hash, saved: text });
    desk.kept(before, hash, text, name, key);
    if (own === now && last) show(last);
  }, { as });
};

const wire = () => {
  const label = byId("text").previousElementSibling;
  dressed = dress(byId("text"), { kind: "toml" });
  label.after(dressed.frame);
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
  byId("wait").addEventListener("click", () => (editor ? editor.wait() : workOut()));
  byId("work-stop").addEventListener("click", work.stop);
  byId("simulate-slow").addEventListener("click", () => { byId("jobs").open = true; byId("simulate").click(); });
  byId("pin").addEventListener("click", () => {
    if (editor) { editor.pin(); return; }
    pinned = pinned ? null : last?.told ? answered() : null;
    remember();
    if (last) show(last);
  });
  byId("send-file").addEventListener("click", sendFile);
  keys.wire(undo);
  links.wire(follow);
  addEventListener("hashchange", () => { if (ways.travelled()) return; const said = enter(); if (links.holds(said)) follow(said); else reload().then(again); });
  offline.wire(() => { if (!byId("desk").hidden) again(); });
  byId("to-fault").addEventListener("click", () => (byId("form").querySelector("[aria-invalid]") || byId("text")).focus());
  byId("save").addEventListener("click", () => (editor?.save || save)(false));
  byId("save-as").addEventListener("click", () => (editor?.save || save)(true));
  variants.wire(desk);
  sides.wire(desk, variants);
  share.wire();
  overtaken.wire(desk);
  ways.wire(standing, stand);
  library.wire(desk);
  tour.wire();
  document.addEventListener("visibilitychange", () => { if (!document.hidden) variants.refresh(); });
  files.wire(desk);
  jobs.wire(whole);
  dice.wire();
  why.wire();
  tileList.wire((text) => begun(text));
  designer.wire({ answered: desk.answered, pinned: () => pinned, whole, load: (way, name) => take(put(now.form, way, name)),
    now: () => ({ question: question(), form: now.form, forms, fields: last && showing(last)?.fields }) });
  strategy.wire();
  wanted.wire({ question, form: () => now.form, text: () => last?.text ?? now.text, keep: (text) => files.save({ name: "", text, hash: null }, () => say("Saved."), { as: true }), take });
};

/** Reads the forms again: a rulebook of the folder was changed. */
const reload = async () => {
  tiles = await ask("/api/tiles");
  if (tiles.error) return;
  byId("folder").textContent = tiles.folder;
  jobs.offer(whole, tiles.sheets);
  library.showGallery();
  showTiles();
  fields = ask("/api/forms").then((all) => { forms = all; if (byId("search").value) showTiles(); });
};

const begin = async () => {
  const said = enter();
  if (!hasKey()) { byId("locked").hidden = false; return; }
  wire();
  await reload();
  if (tiles.error) { byId("locked").hidden = false; return; }
  files.refresh().then(() => { if (byId("search").value) showTiles(); });
  rules.showTexts(desk);
  stay();
  const kept = JSON.parse(sessionStorage.getItem(KEPT) || "null");
  if (kept) ({ pinned = null } = kept);
  variants.refresh();
  if (links.holds(said) && await follow(said)) return;
  if (said.has("file") && !kept) { files.begin(said.get("file")); return; }
  if (kept?.draft) files.show(kept.draft, false);
  else if (kept?.now?.text) turn(kept.now, false);
  else showStart();
};

begin();
