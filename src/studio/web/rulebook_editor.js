// @ts-check
// A rulebook in a text file: faults under their lines while one writes, the odds of one of its questions beside it,
// test rolls and its tables below.

import { ask, completions, oneMore, rulebook } from "./requests.js";
import { button, behind, byId, element } from "./dom.js";
import { dress, faultList } from "./editor.js";
import * as files from "./files.js";
import { answer, difference, headline } from "./answer.js";
import * as language from "./language.js";
import { rolls } from "./explain_roll.js";
import * as strategy from "./strategy.js";
import * as tables from "./rulebook_tables.js";
import { TEXTS } from "./texts.js";
import * as work from "./work.js";

/** @typedef {import("./types").DraftCheckReply} DraftCheckReply */

const REST = 15, STEP = 1000, LATE = 400;
/** The game to begin with. */
const FIRST = "bridgehead.rules";
let timer = 0, late = 0;

/** The parts of the editor, empty. */
const parts = (name) => ({
  box: element("textarea", { rows: 26, wrap: "off", spellcheck: "false", "aria-label": `The rulebook ${name}`, id: "rulebook" }),
  said: element("ul", { class: "editor-faults", id: "rule-faults" }),
  choice: element("select", { "aria-label": "Question", id: "rule-question" }),
  steps: element("ol", { id: "rule-steps" }),
  outcome: element("p", { id: "rule-outcome", role: "status" }),
  heading: element("h3", { hidden: true }, "Tables"),
  sheets: element("div", { id: "rule-tables" }),
  worth: element("p", { id: "rule-worth", class: "quiet", role: "status" }, "Go into a number of a table to see what one more is worth."),
});

/** Opens the editor in the place of the form; a text without a hash is of no file yet. What stood there is `kept`, to be
 * come back to. */
export const open = (given, desk, kept = true) => {
  const file = { ...given };
  let { hash = null, saved = file.text } = file;
  const { box, said, choice, steps, outcome, heading, sheets, worth } = parts(file.name);
  const roll = rolls(steps, outcome);
  const dressed = dress(box, { kind: "rules", complete: (text, at) => completions({ ...draft(text), at }) });
  let questions = [], last = null, shown = null, a = null;
  box.value = file.text;

  const beside = file.beside ?? [];
  const draft = (text = box.value) => ({ name: file.name, text, beside });
  const chosen = () => Number(choice.value || file.question) || 0;
  const question = () => ({ text: questions[chosen()]?.file ?? "", rules: draft() });

  /** @param {DraftCheckReply} reply */
  const showFaults = (reply) => {
    const { faults = [], warnings = [] } = reply;
    dressed.mark([...faults ?? [], ...warnings ?? []].filter((one) => !one.file || one.file === file.name));
    said.replaceChildren(...faultList(box, dressed, faults ?? [], warnings ?? []));
  };
  /** What one more is worth, where the cursor is. */
  const step = async (text, place) => {
    const before = last;
    const reply = before && await oneMore({ ...draft(text), question: chosen() });
    if (last !== before || !reply) return;
    const gap = reply.odds?.told && difference(reply.odds.told, before);
    worth.textContent = !gap ? `One more at ${place} is no rulebook.` : gap === "the same as A" ? `One more at ${place} changes nothing here: this question may be about another row. Choose one above that uses it.` : `One more at ${place}: ${gap}.`;
  };
  const titled = () => desk.titled(file.name, box.value !== saved || !hash, hash);
  let written = file.text, since = 0;
  const own = () => ({ name: file.name, text: written, beside, hash, saved, question: chosen() });
  /** Another text stands there; what is typed without a rest is one step to be undone. */
  const noted = () => {
    if (Date.now() - since > STEP) desk.step();
    [written, since] = [box.value, Date.now()];
    titled();
    desk.remember();
    soon();
  };
  /** Puts another text there; what changes rows is a step of its own. */
  const change = (text, rows = false) => {
    if (rows) since = 0;
    box.value = text;
    dressed.draw();
    noted();
    if (rows) since = 0;
  };
  const pins = () => {
    byId("pin").setAttribute("aria-pressed", String(Boolean(a)));
    byId("pin").textContent = a ? "Unpin A" : "Pin as A";
    byId("pinned").textContent = a && last ? `Now against A: ${difference(last, a)}` : "";
  };
  /** Sets the odds as they are now aside, to be compared with what the rules are changed to. */
  const pin = () => { a = a ? null : last; check(); };
  /** @param {DraftCheckReply} reply */
  const show = (reply) => {
    showFaults(reply);
    if (reply.questions) {
      const now = String(chosen());
      questions = reply.questions;
      choice.replaceChildren(...questions.map((one, i) => element("option", { value: i, selected: String(i) === now }, one.question || `Question ${i + 1}`)));
    }
    byId("mend").hidden = true;
    work.lacking(reply.odds);
    clearTimeout(late);
    behind(Boolean(last) && !reply.odds?.told);
    shown = reply;
    last = reply.odds?.told ?? last;
    if (reply.odds?.told) {
      const why = (wanted) => roll.open({ ...question(), ...wanted }).then(() => steps.scrollIntoView({ block: "nearest" }));
      byId("headline").replaceChildren(...headline(last, a));
      byId("answer").replaceChildren(...answer(last, a, why));
      pins();
    } else if (reply.odds?.faults) byId("headline").replaceChildren(element("p", { class: "alarm" }, reply.odds.faults.map((fault) => fault.problem).join("; ")));
    byId("grid").replaceChildren();
    strategy.follow(reply.odds?.told ? reply.odds.decisions : 0, question);
    byId("timing").textContent = reply.odds?.milliseconds === undefined ? "" : `exact · ${reply.odds.milliseconds.toFixed(1)} ms`;
    tables.draw(sheets, reply.tables || [], { text: () => box.value, change, step });
    heading.hidden = worth.hidden = !(reply.tables || []).length;
  };
  const check = async () => {
    let reply;
    try { reply = await rulebook({ ...draft(), question: chosen() }); } catch { behind(Boolean(last)); return; }
    if (reply && box.isConnected) show(reply);
  };
  /** Works the odds out that take longer than a key has. */
  const wait = async () => {
    const text = box.value, found = await work.out(question());
    if (found && box.isConnected && box.value === text) show({ ...shown, odds: found });
  };
  const soon = () => {
    clearTimeout(timer);
    clearTimeout(late);
    work.drop();
    timer = setTimeout(() => check(), REST);
    late = setTimeout(() => behind(Boolean(last)), LATE);
  };
  box.addEventListener("input", noted);
  choice.addEventListener("input", () => check());
  const save = async (as) => {
    const text = box.value;
    for (const one of beside) await files.bring(one);
    files.save({ name: file.name, text, hash }, (next, name) => {
      [hash, saved] = [next, text];
      desk.kept(file.name, next, text, name);
      file.name = name;
      titled();
      desk.remember();
      desk.reload();
      check();
    }, { as });
  };
  const ask_it = () => desk.begin(question().text);
  desk.edit({ save, draft: own, again: check, wait, pin, told: () => last }, kept);
  if (byId("desk").hidden) desk.see(true);
  byId("odds-title").textContent = "Odds";
  byId("desk").dataset.kind = "rules";
  byId("about").textContent = "";
  byId("faults").replaceChildren();
  for (const id of ["headline", "answer", "grid", "changes"]) byId(id).replaceChildren();
  behind(false);
  work.drop();
  pins();
  titled();
  byId("form").hidden = false;
  byId("text-row").hidden = true;
  byId("form").replaceChildren(element("p", { class: "row" }, choice, button("Open as a question", ask_it), language.button()), dressed.frame, element("div", { role: "status" }, said),
    element("h3", {}, "Test rolls"), element("p", { class: "row" }, button("Roll", () => (steps.childElementCount ? roll.again() : roll.open(question())), { id: "rule-roll" })), steps, outcome,
    heading, worth, sheets);
  dressed.draw(true);
  language.show(box, dressed, (name, text) => open({ name: files.free(name), text, hash: null }, desk));
  desk.remember();
  check();
};

/** Lists what a new rulebook may begin with: a small one, or one that comes with the program. */
export const showTexts = async (desk) => {
  /** @type {import("./types").BundledTextListReply & import("./requests.js").Said} */
  const { texts = [] } = await ask("/api/texts");
  const begin = (name, text) => open({ name: files.free(name), text, hash: null }, desk);
  const copied = async (one) => {
    /** @type {import("./types").BundledTextWithCompanions & import("./requests.js").Said} */
    const found = await ask(`/api/texts/${encodeURIComponent(one.name)}`);
    if (found.text !== undefined) open({ name: files.free(`my_${one.name}`), text: found.text, beside: found.beside, hash: null }, desk);
  };
  const rulebooks = texts.filter((one) => one.name.endsWith(".rules"));
  byId("texts").replaceChildren(
    element("li", {}, button("", () => begin("my_game.rules", TEXTS[FIRST]), { class: "tile", id: "first-rules" })),
    ...rulebooks.map((one) => element("li", {}, button("", () => copied(one), { class: "tile", "data-text": one.name }))));
  byId("first-rules").append(element("strong", {}, "A game of my own"), element("span", {}, "Bridgehead: a volley at men in cover, saves and morale. Change it into yours."));
  byId("texts").querySelectorAll("[data-text]").forEach((tile, i) => tile.append(element("strong", {}, `A copy of ${rulebooks[i].name}`), element("span", {}, rulebooks[i].about || rulebooks[i].of)));
};
