// @ts-check
// Variants of a question, each with a name and a note: on disk beside the questions, for every window and every start.

import { ask } from "./requests.js";
import { button, byId, element, say } from "./dom.js";
import { called, drawer } from "./papers.js";
import { SAVED } from "./sides.js";

const REST = 300, LARGE = 60_000;
const papers = drawer("variants");

let variants = [], timer = 0, desk = null;
const changed = new Map();

/** Keeps the names and notes that were changed. */
const flush = async (keepalive = false) => {
  clearTimeout(timer);
  const all = [...changed.values()];
  changed.clear();
  for (const one of all) {
    const { id, hash, name, note } = one, paper = { ...(one.paper ?? await papers.read(id)), name, note };
    const kept = await papers.put({ id, hash }, paper, keepalive && paper.text.length < LARGE);
    if (kept.error) { changed.set(id, one); say(`The variant could not be kept: ${kept.error}`); continue; }
    Object.assign(one, { id: kept.id, hash: kept.hash });
    if (kept.twice) { say("Another window has changed this variant too: both are kept."); refresh(); }
  }
};

const soon = (one) => {
  changed.set(one.id, one);
  // There in time where the page is closed before it is kept.
  if (!one.paper) papers.read(one.id).then((paper) => { one.paper ??= paper; }, () => {});
  clearTimeout(timer);
  timer = setTimeout(() => flush().catch(() => changed.set(one.id, one)), REST);
};

/** A box for the name or the note of a variant. */
const box = (one, key, attributes) => {
  const made = element("input", { value: one[key], ...attributes });
  made.addEventListener("input", () => { one[key] = made.value; soon(one); });
  return made;
};

const whole = async (one) => {
  const paper = await papers.read(one.id);
  if (paper.error) { say(paper.error); return null; }
  return paper;
};

/** Opens a variant: as an unsaved text of its file, if that is still there. */
const open = async (one) => {
  const paper = await whole(one);
  if (!paper) return;
  /** @type {Partial<import("./types").FileReply> & Partial<import("./requests.js").Said>} */
  const file = paper.of ? await ask(`/api/files/${encodeURIComponent(paper.of)}`) : {};
  const own = file.error === undefined && file.hash ? { name: paper.of, hash: file.hash, saved: file.text } : { name: "", hash: null, saved: paper.text };
  desk.open({ ...own, text: paper.text, contest: paper.contest, form: null, cell: paper.cell });
};

const pin = async (one) => {
  const paper = await whole(one);
  if (paper) desk.pin({ text: paper.text, contest: paper.contest, cell: paper.cell });
};

const forget = async (one) => {
  const reply = await papers.forget(one);
  if (reply.error && reply.status !== 404) say("Another window has changed this variant: look at it first.");
  refresh();
};

const row = (one) => {
  if (one.fault) return element("li", { class: "alarm" }, one.fault);
  return element("li", {},
    box(one, "name", { "aria-label": "Name of the variant", maxlength: 60 }),
    box(one, "note", { placeholder: "note", "aria-label": `Note to ${one.name}`, maxlength: 200 }),
    element("div", { class: "row" },
      button("Open", () => open(one), { "aria-label": `Open ${one.name}` }),
      button("As A", () => pin(one), { "aria-label": `Pin ${one.name} as A` }),
      button("×", () => forget(one), { "aria-label": `Forget ${one.name}` }),
      one.of ? element("small", {}, one.of) : null));
};

const show = () => byId("variants").replaceChildren(...variants.map(row));

/** Reads the variants again, unless one is being named. */
export const refresh = async () => {
  if (changed.size || byId("variants").contains(document.activeElement)) return;
  // What a file was at each save is among them, and has a place of its own.
  try { variants = (await papers.list()).filter((one) => !one.id.startsWith(SAVED)); } catch { return; /* it was told */ }
  show();
};

/** Keeps a question with its answer's sentence as its note. */
export const keep = async (question, sentence) => {
  const paper = { name: `Variant ${variants.length + 1}`, note: sentence.slice(0, 200), kept: new Date().toISOString(), ...question };
  const kept = await papers.put({ id: called(question.of), hash: null }, paper, paper.text.length < LARGE);
  if (kept.error) { say(`The variant could not be kept: ${kept.error}`); return; }
  variants.push({ ...paper, id: kept.id, hash: kept.hash, paper });
  show();
};

/** All of them with their texts. */
export const read = async () => (await Promise.all(variants.filter((one) => !one.fault).map(async (one) => ({ ...await whole(one), name: one.name, note: one.note })))).filter((one) => one.text !== undefined);

/** The variants of a file, as a link holds them. */
export const of = async (name) => {
  const own = variants.filter((one) => name && one.of === name).slice(0, 20);
  const all = await Promise.all(own.map(whole));
  return all.filter(Boolean).map((paper, i) => ({ of: name, name: own[i].name, note: own[i].note, text: paper.text, contest: paper.contest, cell: paper.cell }));
};

/** Keeps the variants of a link beside one's own, but for those that are there. */
export const receive = async (brought) => {
  await refresh();
  const there = await Promise.all(variants.map(whole));
  const place = (n) => (Number.isInteger(n) && n >= 0 ? n : 0), words = (text, most) => (typeof text === "string" ? text.slice(0, most) : "");
  for (const one of brought.filter(({ text }) => !there.some((own) => own?.text === text))) {
    const paper = { of: words(one.of, 200), name: words(one.name, 60), note: words(one.note, 200), text: one.text, contest: place(one.contest), cell: place(one.cell), kept: new Date().toISOString() };
    const kept = await papers.put({ id: called(paper.of), hash: null }, paper);
    if (kept.error) say(`The variant could not be kept: ${kept.error}`);
  }
  if (brought.length) await refresh();
};

/** `own` opens a question, and pins another one as A. */
export const wire = (own) => {
  desk = own;
  addEventListener("beforeunload", (event) => { if (changed.size) event.preventDefault(); });
  addEventListener("pagehide", () => { flush(true); });
};
