// @ts-check
// What was typed and is not saved: kept on disk a moment after the last key, so that neither a closed tab nor another
// port nor a machine that goes down takes it along. A file has one draft in a window; of two windows each keeps its own.

import { say } from "./dom.js";
import { called, drawer } from "./papers.js";

const REST = 300, MINE = "enfilade-drafts", LARGE = 60_000;
const drafts = drawer("drafts");

/** The drafts of this window: by file, or by the name that a text without a file was given. */
const mine = JSON.parse(sessionStorage.getItem(MINE) || "{}");
/** What is to be kept, by the same; null where it is to be forgotten. */
const waiting = new Map();
let timer = 0, writing = Promise.resolve(), changed = () => {}, expected = false;

/** What ends the hold of this window on a draft, by its id: other windows see which drafts are being written. */
const holds = new Map();
const LOCK = "enfilade draft ";

const hold = (id) => {
  if (holds.has(id) || !navigator.locks) return;
  holds.set(id, () => {});
  navigator.locks.request(LOCK + id, () => holds.has(id) && new Promise((end) => holds.set(id, end)));
};

const letGo = (id) => {
  holds.get(id)?.();
  holds.delete(id);
};

/** The drafts that other windows are at work on. */
export const elsewhere = async () => {
  const { held = [] } = await navigator.locks?.query() ?? {};
  return new Set(held.map(({ name }) => name.slice(LOCK.length)).filter((id) => !holds.has(id)));
};

Object.values(mine).forEach(({ id }) => hold(id));

const own = (key, paper) => {
  if (mine[key] && mine[key].id !== paper?.id) letGo(mine[key].id);
  if (paper) hold(paper.id);
  if (paper) mine[key] = paper; else delete mine[key];
  const known = Object.entries(mine).map(([file, { id, hash }]) => [file, { id, hash }]);
  sessionStorage.setItem(MINE, JSON.stringify(Object.fromEntries(known)));
};

/** Something was typed of which it is not known yet how the text reads. */
export const expect = (on) => { expected = on; };

/** Whether something was typed that is not on the disk yet. */
const pending = () => expected || waiting.size > 0;

const settle = async (key, paper, keepalive) => {
  const before = mine[key];
  if (!paper) {
    own(key, null);
    if (before) await drafts.forget(before);
  } else {
    const kept = await drafts.put(before ?? { id: called(paper.of), hash: null }, paper, keepalive);
    if (kept.error) {
      if (!waiting.has(key)) waiting.set(key, paper);
      say(`What was typed could not be kept: ${kept.error}`);
      return;
    }
    if (kept.twice) say("Another window has changed this text too: both are kept.");
    own(key, { id: kept.id, hash: kept.hash, text: paper.text });
  }
  if (Boolean(before) !== Boolean(mine[key]) || before?.id !== mine[key]?.id) changed();
};

/** Puts what waits on the disk, one after the other. */
const flush = (keepalive = false) => {
  clearTimeout(timer);
  const all = [...waiting];
  waiting.clear();
  writing = all.reduce((before, [key, paper]) => before.then(() => settle(key, paper, keepalive && (!paper || paper.text.length < LARGE)))
    .catch(() => { if (!waiting.has(key)) waiting.set(key, paper); }), writing);
  return writing;
};

/** Keeps the unsaved text of a file, or, where it is null, forgets the one that was kept. */
export const keep = (key, paper) => {
  if (!key || (!paper && !mine[key] && !waiting.has(key))) return;
  if (paper && mine[key]?.text === paper.text && !waiting.has(key)) return;
  waiting.set(key, paper);
  clearTimeout(timer);
  timer = setTimeout(flush, REST);
};

/** Tries again what could not be kept. */
export const again = () => { if (waiting.size) flush(); };

/** The drafts that there are, with those that wait on their way first. */
export const list = async () => { await flush(); return drafts.list(); };

/** The draft of this window of a file, or the last one that a window left which is closed; null where there is none.
 * It is this window's from now on. */
export const find = async (name, all) => {
  const there = all.filter((one) => one.of === name && !one.fault), others = await elsewhere();
  const one = there.find(({ id }) => id === mine[name]?.id) ?? there.filter(({ id }) => !others.has(id)).at(-1);
  return one ? take(one, name) : null;
};

/** Reads a draft, which is this window's from now on. */
export const take = async ({ id }, key) => {
  const paper = await drafts.read(id);
  if (paper.error) { say(paper.error); return null; }
  own(key, { id, hash: paper.hash, text: paper.text });
  return paper;
};

/** Forgets one that was listed. */
export const forget = async (one) => {
  Object.keys(mine).filter((key) => mine[key].id === one.id).forEach((key) => own(key, null));
  const reply = await drafts.forget(one);
  if (reply.error) say(reply.error);
};

/** `told` is called when a draft came or went. */
export const wire = (told) => {
  changed = told;
  addEventListener("beforeunload", (event) => { if (pending()) event.preventDefault(); });
  addEventListener("pagehide", () => flush(true));
  document.addEventListener("visibilitychange", () => { if (document.hidden) flush(true); });
};

/** Keeps on disk what stands there and is in no file: the text of a question, called by what it asks, or of what is
 * edited in its place. */
export const keepText = (own, text, asks = "") => {
  const { name, key, hash, saved, contest = 0, cell = 0, beside = [] } = own;
  keep(name || key, text === saved ? null : { of: name, name: name ? "" : asks, seen: hash, kept: new Date().toISOString(), contest, cell, text, beside });
};
