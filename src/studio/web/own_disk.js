// @ts-check
// Files of this machine's disk, for a page that has no folder there: opened and saved in place where the browser can,
// chosen and downloaded elsewhere. A file that was changed on the disk meanwhile is not written over.

import { OWN_FOLDER } from "./requests.js";
import { button, byId, element, say } from "./dom.js";

const ENDINGS = [".toml", ".rules", ".tsv", ".csv"];
const KINDS = [{ description: "Questions, rulebooks and tables", accept: { "text/plain": ENDINGS } }];

/** Where files of this page are on the disk, by the names that they have here, and the text that each had there last. */
const places = new Map();

/** What the browser can do with files of the disk; none of it where it only downloads. */
const browser = /** @type {any} */ (globalThis);

/** Offers a text, or something else, as a file of the browser's downloads. */
export const download = (name, content) => {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: "text/plain" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};

/** Asks for files by the box that every browser has. */
const pickByBox = () => new Promise((done) => {
  const box = element("input", { type: "file", multiple: true, accept: ENDINGS.join(","), id: "disk-box", hidden: true });
  const end = () => { done([...box.files]); box.remove(); };
  box.addEventListener("change", end);
  box.addEventListener("cancel", end);
  document.body.append(box);
  box.click();
});

/** The files that somebody picks, each with its place on the disk where the browser tells it. */
const pick = async () => {
  if (!browser.showOpenFilePicker) return (await pickByBox()).map((file) => ({ file, handle: null }));
  const handles = await browser.showOpenFilePicker({ multiple: true, types: KINDS });
  return Promise.all(handles.map(async (handle) => ({ file: await handle.getFile(), handle })));
};

/** Remembers where a file is on the disk, and what it is there. */
export const remember = (name, handle, text) => { if (handle) places.set(name, { handle, text }); };

const write = async (handle, text) => {
  const stream = await handle.createWritable();
  await stream.write(text);
  await stream.close();
};

/** Writes a file that was opened from the disk back to its place. What came of it, in words; nothing where it is of no
 * place. */
export const writeBack = async (name, text) => {
  const own = places.get(name);
  if (!own) return "";
  try {
    const there = await (await own.handle.getFile()).text();
    if (there !== own.text && there !== text) return `${name} is saved in this browser alone: the file on the disk was changed meanwhile. Open it again, or save to the disk under another name.`;
    await write(own.handle, text);
  } catch (error) { return `${name} is saved in this browser alone: the disk refused it (${error.message}). Save to the disk under another name.`; }
  own.text = text;
  return `${name} is saved here and on the disk.`;
};

/** Saves a text at a place on the disk that somebody chooses, or to the downloads. */
export const keep = async (name, text) => {
  if (!browser.showSaveFilePicker) { download(name, text); return; }
  try {
    const handle = await browser.showSaveFilePicker({ suggestedName: name, types: KINDS });
    await write(handle, text);
    if (handle.name === name) remember(name, handle, text);
    say(`${handle.name} is saved on the disk.`);
  } catch (error) { if (error.name !== "AbortError") say(`The disk refused it: ${error.message}`); }
};

/** Offers to open files of the disk; `take` puts those that are picked to the files of the page. */
export const wire = (take) => {
  if (OWN_FOLDER) return;
  const open = () => pick().then((picked) => picked.length && take(picked), (error) => { if (error.name !== "AbortError") say(`The disk refused it: ${error.message}`); });
  byId("start-files").after(element("p", {}, button("Open from disk", open, { id: "from-disk" })));
  byId("files").after(element("p", {}, button("Open from disk", open, { class: "step" })));
  byId("send-file").hidden = false;
  byId("send-file").textContent = "Save to disk";
};
