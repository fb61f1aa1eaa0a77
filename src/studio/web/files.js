// @ts-check
// The files of the folder: opened, kept, and never written over when somebody else changed them.

import { ask } from "./requests.js";
import { button, byId, element, say } from "./dom.js";
import * as drafts from "./drafts.js";
import { showMarked } from "./overtaken.js";
import * as disk from "./own_disk.js";
import { tablesOf } from "./paste.js";
import * as rules from "./rulebook_editor.js";
import * as sheet from "./sheet.js";

/** @typedef {import("./papers.js").Entry} Entry */

let desk = null, names = [];
/** What each file asks, as the folder says it. */
let questions = new Map();
/** @type {Entry[]} */
let papers = [];

/** Shows a text in the editor of its kind; `kept` is whether what stood there can be come back to. */
export const show = (file, kept = true) => {
  desk.see(true);
  // Of another file one looks at the answer first, from its top.
  byId("odds").scrollTop = 0;
  const { name = "", text, hash = null, saved = text } = file;
  if (name.endsWith(".toml") || !name) desk.open({ name, hash, saved, text, contest: file.contest ?? 0, form: null, cell: file.cell ?? 0, key: file.key }, kept);
  else if (name.endsWith(".rules")) rules.open({ ...file, saved }, desk, kept);
  else sheet.open({ ...file, saved }, desk, kept);
};

/** The text of a file as it is on the disk; null, and it is said why, where there is none. */
const read = async (name) => {
  /** @type {import("./types").FileReply & import("./requests.js").Said} */
  const file = await ask(`/api/files/${encodeURIComponent(name)}`);
  if (file.error) { say(file.error); return null; }
  return file;
};

/** Opens a file: with what was typed into it and not saved, where there is such a text. */
const open = async (name) => {
  const [file, all] = [await read(name), await drafts.list()];
  if (!file) return;
  const draft = await drafts.find(name, all);
  if (!draft || draft.text === file.text) {
    show(file);
    const others = await drafts.elsewhere();
    if (!draft && all.some((one) => one.of === name && others.has(one.id))) say("Another window has a text of this file that is not saved: it stands in the list of files.");
    return;
  }
  // It goes on from the text that it was typed over: if the file is another by now, saving asks.
  show({ ...file, text: draft.text, hash: draft.seen ?? null, saved: draft.seen === file.hash ? file.text : "", contest: draft.contest, cell: draft.cell, beside: draft.beside });
  say("What was typed here and not saved is here again.");
};

/** Opens a text that belongs to a file, in the place of what is there: it is not saved. */
export const openText = async (name, text, contest = 0, cell = 0) => {
  const file = name && names.includes(name) ? await read(name) : null;
  if (file) show({ name, text, hash: file.hash, saved: file.text, contest, cell });
  else show({ name, text, hash: null, saved: name ? "" : text, contest, cell });
};
/** The names of the files in the folder. */
export const all = () => names;

/** Opens a file that an address names. */
export const begin = (name) => open(name);

/** Opens a draft whose file is not there. */
const openDraft = async (one) => {
  const key = one.of || one.id, draft = await drafts.take(one, key);
  if (draft) show({ name: draft.of, text: draft.text, hash: null, saved: "", contest: draft.contest, cell: draft.cell, beside: draft.beside, key });
};

/** Shows the file as it is on the disk; what was typed can be come back to. */
export const revert = async (name) => {
  const file = await read(name);
  if (file) show(file);
};

const dot = () => element("span", { class: "dot", role: "img", "aria-label": "not saved", title: "not saved" }, " ●");

/** A text that is in no file: opened, or, pressed twice, forgotten. */
const unfiled = (one) => {
  const called = one.of || one.name || "Unsaved question";
  const drop = button("×", async () => {
    if (drop.textContent === "×") { drop.textContent = "Forget it"; return; }
    await drafts.forget(one);
    refresh();
  }, { class: "step", "aria-label": `Forget the unsaved ${called}` });
  return element("li", { "data-draft": one.id }, button(called, () => openDraft(one), { class: "step" }), dot(), drop);
};

/** The folder of a file, and its name there. */
const parted = (name) => { const at = name.lastIndexOf("/"); return [name.slice(0, Math.max(0, at)), name.slice(at + 1)]; };

/** The line of a file: its name, a mark where a text of it is not saved, its question.
 * @param {string} name
 * @param {Entry[]} papers
 * @param {Set<string>} others */
const fileLine = (name, papers, others) => {
  const own = papers.filter((one) => one.of === name);
  const opened = own.filter((one) => !others.has(one.id)).at(-1);
  const rest = own.filter((one) => one !== opened).map((one) => button(`unsaved, ${new Date(one.kept).toLocaleTimeString()}`, () => openOther(name, one), { class: "step" }));
  const asks = questions.get(name);
  return element("li", { class: "file" }, button(parted(name)[1], () => open(name), { class: "step", "data-file": name, title: name }), own.length ? dot() : null, ...rest,
    button("…", () => doWith(name), { class: "step more", "aria-label": `Rename, move, copy or delete ${name}`, title: "Rename, move, copy, delete" }), asks ? element("small", {}, asks) : null);
};

/** Folders that are looked into: they stay so when the list is drawn again. */
const unfolded = new Set();

/** The files of a folder, folded until somebody looks into it. */
const folderOf = (path, lines) => {
  const inner = element("details", { open: unfolded.has(path), "data-folder": path }, element("summary", {}, `${path}/ `, element("span", { class: "quiet" }, String(lines.length))), element("ul", { class: "plain" }, ...lines));
  inner.addEventListener("toggle", () => unfolded[inner.open ? "add" : "delete"](path));
  return element("li", { class: "folder" }, inner);
};

/** The list of files, read again, with a mark at those that have a text which is not saved. */
export const refresh = async () => {
  /** @type {import("./types").FolderReply & import("./requests.js").Said} */
  let listed;
  let all, others;
  try { [listed, all, others] = [await ask("/api/files"), await drafts.list(), await drafts.elsewhere()]; } catch { return; /* it was told */ }
  [names, papers] = [(listed.files || []).map((file) => file.name), all];
  questions = new Map((listed.files || []).map((file) => [file.name, file.question ?? ""]));
  const folders = [...new Set(names.map((name) => parted(name)[0]))].sort();
  const within = (path) => names.filter((name) => parted(name)[0] === path).map((name) => fileLine(name, all, others));
  const list = () => [...within(""), ...folders.filter(Boolean).map((path) => folderOf(path, within(path))),
    ...papers.filter((one) => !names.includes(one.of)).map((one) => (one.fault ? element("li", { class: "alarm" }, one.fault) : unfiled(one)))];
  byId("files").replaceChildren(...list());
  byId("start-files").replaceChildren(...list());
  byId("none").hidden = list().length > 0;
};

/** Renames, copies or deletes a file. */
const doWith = (name) => {
  const dialog = byId("file-do"), box = byId("file-do-name"), drop = byId("file-do-delete");
  const ending = name.slice(name.lastIndexOf("."));
  const wanted = () => { const typed = box.value.trim(); return typed.endsWith(ending) ? typed : typed + ending; };
  /** Writes it under the name that is wanted, and says whether that is done. */
  const copied = async () => {
    const file = await read(name);
    if (!file) return null;
    const reply = await bring({ name: wanted(), text: file.text });
    if (reply.status === 409) say(`There is a file ${wanted()} already.`); else if (reply.error) say(reply.error);
    return reply.error || reply.status === 409 ? null : file;
  };
  const away = (hash) => ask(`/api/files/${encodeURIComponent(name)}`, { method: "DELETE", headers: { "If-Match": `"${hash}"` } });
  const end = async (told) => { dialog.close(); say(told); await refresh(); };
  byId("file-do-title").textContent = name;
  box.value = name;
  drop.textContent = "Delete";
  byId("file-do-form").onsubmit = async (event) => {
    event.preventDefault();
    const to = wanted(), file = to === name ? null : await copied();
    if (!file) return;
    const reply = await away(file.hash);
    if (reply.error) say(reply.error);
    if (desk.name() === name) open(to);
    end(`${name} is called ${to} now. Files that name it still say ${name}.`);
  };
  byId("file-do-copy").onclick = async () => {
    if (wanted() === name) box.value = free(name, "");
    if (await copied()) end(`${wanted()} is a copy of ${name}.`);
  };
  drop.onclick = async () => {
    if (drop.textContent === "Delete") { drop.textContent = "Delete it"; return; }
    const file = await read(name);
    if (!file) return;
    const reply = await away(file.hash);
    if (reply.error) { say(reply.error); return; }
    await drafts.keep(name, { of: name, name: "", seen: null, kept: new Date().toISOString(), contest: 0, cell: 0, text: file.text, beside: [] });
    end(`${name} is deleted; its text stands in the list until you forget it.`);
  };
  byId("file-do-close").onclick = () => dialog.close();
  dialog.showModal();
};

/** Opens one of several unsaved texts of a file. */
const openOther = async (name, one) => {
  const draft = await drafts.take(one, name);
  if (draft) show({ name, text: draft.text, hash: draft.seen ?? null, saved: "", contest: draft.contest, cell: draft.cell, beside: draft.beside });
};

/** The first of these names that neither a file nor an unsaved text has: `my_game.rules`, `my_game_2.rules`. */
export const free = (name, own = null) => {
  const [, stem, ending] = /^(.*?)(?:_\d+)?(\.\w+)$/.exec(name) ?? [null, name, ""];
  const taken = (one) => names.includes(one) || (one !== own && papers.some((paper) => paper.of === one));
  for (let number = 1, next = name; ; next = `${stem}_${++number}${ending}`) if (!taken(next)) return next;
};

/** Asks what a new file is to be called, and calls `then` with it; it ends as `like` does. */
export const name = (like, then) => {
  const ending = like.slice(like.lastIndexOf(".")), box = byId("new-name");
  box.value = free(like, like);
  byId("name-form").onsubmit = () => {
    const wanted = box.value.trim();
    if (wanted) then(wanted.endsWith(ending) ? wanted : wanted + ending);
  };
  byId("name-it").showModal();
  box.setSelectionRange(0, box.value.length - ending.length);
};

/** Puts a text into a file; `seen` is the hash of the text it replaces, null for a new file. */
export const put = async (name, text, seen, saved) => {
  const headers = seen ? { "If-Match": `"${seen}"` } : { "If-None-Match": "*" };
  /** @type {import("./types").FileReply & Partial<import("./types").SaveConflictReply> & import("./requests.js").Said} */
  const reply = await ask(`/api/files/${encodeURIComponent(name)}`, { method: "PUT", headers, body: { text } });
  if (reply.status === 409) { settle(name, text, reply.there, seen, saved); return; }
  if (reply.error) { say(reply.error); return; }
  saved(reply.hash, name);
  say(await disk.writeBack(name, text) || `${name} is saved.`);
  refresh();
};

/** Puts a file into the folder that others there need, unless there is one of its name. */
export const bring = ({ name, text }) => ask(`/api/files/${encodeURIComponent(name)}`, { method: "PUT", headers: { "If-None-Match": "*" }, body: { text } });

/** What a text calls a file: by its path, or by its name where both are in one folder; undefined where it does not. */
const named = (text, path) => [path, parted(path)[1]].find((name) => text.includes(`"${name}"`) || text.includes(`'${name}'`));

/** Rulebooks and tables of the folder that a text names, and those that they name. */
export const needed = async (text) => {
  const found = new Map(), waiting = [text];
  while (waiting.length) {
    const now = waiting.pop();
    for (const path of names.filter((name) => /\.(rules|tsv|csv)$/.test(name))) {
      const name = named(now, path);
      if (name === undefined || found.has(name)) continue;
      const file = await read(path);
      found.set(name, file?.text ?? "");
      waiting.push(file?.text ?? "");
    }
  }
  return [...found].map(([name, text]) => ({ name, text }));
};

/** Of files that are brought, those that are not there yet, each with the name that is free for it. */
export const unlike = async (brought) => {
  await refresh();
  const fresh = [];
  // Tables first: a rulebook has to name them as they are called here.
  for (const file of brought.filter((one) => TAKEN.test(one.name)).sort((a, b) => Number(a.name.endsWith(".rules")) - Number(b.name.endsWith(".rules")))) {
    const there = names.includes(file.name) ? await read(file.name) : null;
    if (there?.text !== file.text) fresh.push({ ...file, other: free(file.name) });
  }
  return fresh;
};

/** Puts these files into the folder, and gives a text with their names. */
export const receive = async (fresh, text) => {
  const renamed = fresh.filter(({ name, other }) => name !== other);
  const called = (text) => renamed.reduce((text, { name, other }) => text.replaceAll(`"${name}"`, `"${other}"`).replaceAll(`'${name}'`, `'${other}'`), text);
  for (const { other, text } of fresh) {
    const reply = await bring({ name: other, text: called(text) });
    if (reply.error) say(reply.error);
  }
  await refresh();
  return called(text);
};

/** Asks what is to become of two texts of one file. */
const settle = (file, mine, theirs, seen, saved) => {
  const dialog = byId("conflict");
  byId("conflict-title").textContent = seen ? "The file was changed meanwhile" : `There is a file ${file} already`;
  byId("conflict-said").textContent = seen ? `${file} is not what was opened here: another program, or another window, wrote it since.` : "It was not opened here. What you have written would take its place.";
  if (theirs) showMarked(byId("theirs"), mine, theirs.text); else byId("theirs").textContent = "(the file is gone)";
  const end = (then) => () => { dialog.close(); then(); };
  byId("take-theirs").onclick = end(() => revert(file));
  byId("keep-mine").onclick = end(() => put(file, mine, theirs ? theirs.hash : null, saved));
  byId("keep-both").onclick = end(() => name(file, (other) => put(other, mine, null, saved)));
  byId("conflict-close").onclick = end(() => {});
  dialog.showModal();
};

/** Saves a text under its name, or where it has none, or another one is wanted, under a new one. */
export const save = (file, saved, { as = false, like = "question.toml" } = {}) => {
  if (file.name && file.hash && !as) put(file.name, file.text, file.hash, saved);
  else name(file.name || like, (wanted) => put(wanted, file.text, null, saved));
};

const TAKEN = /\.(toml|rules|tsv|csv)$/;

/** Why a file is not taken, and what to do. */
const refusal = (name) => (/\.(xls|ods|numbers)$/.test(name) ? `${name} is an old or another workbook: in its program, save it as .xlsx, or the sheet as CSV.`
  : `${name} is none of .toml, .rules, .tsv, .csv and .xlsx`);

/** A row as a line between tabs. */
const line = (row) => row.map((cell) => cell.replace(/[\t\n\r]+/g, " ")).join("\t");

/** A sheet of a workbook as a file between tabs, called by the workbook, and by the sheet where there are several. */
const sheetFile = (book, sheet, alone) => {
  const called = sheet.name.replace(/[^\p{L}\p{N} _-]+/gu, " ").trim(), stem = book.replace(/\.\w+$/, "");
  return { name: `${alone || !called ? stem : `${stem} ${called}`}.tsv`, text: sheet.rows.map(line).join("\n") + "\n" };
};

/** The texts that a dropped file brings: itself, or each sheet of a workbook; null where it brings none.
 * @param {File} file */
const brought = async (file) => {
  if (TAKEN.test(file.name)) return [{ name: file.name, text: await file.text() }];
  const sheets = /\.xlsx$/i.test(file.name) ? await tablesOf(file) : null;
  return sheets && sheets.map((sheet) => sheetFile(file.name, sheet, sheets.length === 1));
};

/** Puts a text into the folder: under a name that is free, unless the same text is there under its own. `handle` is the
 * file on somebody's disk that it is the whole of. */
const takeText = async ({ name, text }, handle) => {
  const there = names.includes(name) ? await read(name) : null, own = there?.text === text ? name : free(name);
  const reply = own === name && there ? there : await bring({ name: own, text });
  if (!reply.error) { disk.remember(own, handle, text); names.push(own); }
  return { error: reply.error, own };
};

/** Puts a file into the folder, or the sheets of a workbook. */
const takeOne = async ({ file, handle }) => {
  const texts = await brought(file), done = [];
  // Why a workbook is not read was told.
  if (!texts) return [{ error: /\.xlsx$/i.test(file.name) ? "" : refusal(file.name), own: null }];
  for (const one of texts) done.push(await takeText(one, TAKEN.test(file.name) ? handle : null));
  return done;
};

/** Puts files that are dropped on the page, or were picked, into the folder, and opens the last. */
const take = async (picked) => {
  await refresh();
  let last = null;
  const refused = [];
  for (const one of picked) for (const { error, own } of await takeOne(one)) {
    if (error) refused.push(error); else last = own ?? last;
  }
  await refresh();
  if (last) await open(last);
  if (last || refused.length) say([last ? `${last} is in the folder.` : "", ...refused].filter(Boolean).join(" "));
};

/** Files without a place on the disk that can be written. */
const unplaced = (files) => [...files].map((file) => ({ file, handle: null }));

/** Lets files be dropped anywhere: otherwise the browser would leave the studio for them. */
const wireDrop = () => {
  const brings = (event) => [...event.dataTransfer?.types ?? []].includes("Files");
  document.addEventListener("dragover", (event) => { if (brings(event)) event.preventDefault(); });
  document.addEventListener("drop", (event) => {
    if (!brings(event)) return;
    event.preventDefault();
    take(unplaced(event.dataTransfer.files));
  });
  document.addEventListener("paste", (event) => {
    const pasted = [...event.clipboardData?.files ?? []].filter((file) => /\.(toml|rules|tsv|csv|xlsx)$/i.test(file.name));
    if (!pasted.length) return;
    event.preventDefault();
    take(unplaced(pasted));
  });
  byId("add-files").addEventListener("click", () => byId("added-files").click());
  byId("added-files").addEventListener("change", () => { take(unplaced(byId("added-files").files)); byId("added-files").value = ""; });
};

export const wire = (own) => {
  desk = own;
  wireDrop();
  disk.wire(take);
  byId("name-close").addEventListener("click", () => byId("name-it").close());
  byId("revert").addEventListener("click", () => revert(desk.name()));
  drafts.wire(refresh);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
};
