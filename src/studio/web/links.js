// @ts-check
// Links: what is behind the # of an address holds a question, the files that it names and variants of it, deflated. No
// server sees it. A link is a stranger's: what it brings is small, plain, and takes the place of nothing.

import { OWN_FOLDER } from "./requests.js";
import { byId, element, say } from "./dom.js";
import * as files from "./files.js";
import * as variants from "./variants.js";

/** Letters that chat programs and mails leave whole. */
const WHOLE = 8000;
/** Bytes that a link may unpack to, files and variants that it may bring. */
const MOST = 4 << 20, FILES = 20, VARIANTS = 20;

/** A value as letters that no program changes. */
const pack = async (value) => {
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};

/** The text of a stream, which ends with an error where it is too long: a short link may unpack to gigabytes. */
const limited = async (stream) => {
  const reader = stream.getReader(), decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "", size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > MOST) { await reader.cancel(); throw new Error("a link that is too large"); }
    text += decoder.decode(value, { stream: true });
  }
};

const unpack = async (letters) => {
  const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  return JSON.parse(await limited(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))));
};

/** Whether an address holds a question. */
export const holds = (said) => said.has("z") || said.has("q");

/** What an address holds; null where that is nothing sound. `q` is what older links have. */
export const held = async (said) => {
  try { return said.has("z") ? await unpack(said.get("z")) : JSON.parse(said.get("q")); } catch { return null; }
};

/** The texts of a link that have a name. */
const named = (all, most) => (Array.isArray(all) ? all.filter((one) => typeof one?.name === "string" && typeof one.text === "string").slice(0, most) : []);

/** Copies the link to what is asked; `name` is of the file that it is, or is in. */
export const copy = async (asked, name) => {
  const all = asked.rules ? {} : { files: await files.needed(asked.text), variants: await variants.of(name) };
  const address = `${location.href.split("#")[0]}#z=${await pack({ ...asked, ...all })}`;
  history.replaceState(history.state, "", address.slice(address.indexOf("#")));
  let told = "The link is copied.";
  try { await navigator.clipboard.writeText(address); } catch { told = "The link is in the address bar."; }
  const long = address.length > WHOLE;
  byId("send-file").hidden = OWN_FOLDER && !long;
  say(long ? `${told} It has ${address.length} letters, and some programs cut long ones: send the file instead.` : told);
};

/** Asks whether what a link brings may be put to one's own. */
const allowed = (names) => new Promise((done) => {
  const dialog = byId("brought");
  byId("brought-names").replaceChildren(...names.map((name) => element("li", {}, name)));
  dialog.onclose = () => done(dialog.returnValue === "take");
  dialog.returnValue = "";
  dialog.showModal();
});

/** Takes what a link brings beside its question. The text of the question, which names files as they are called here.
 * In a folder of one's own nothing is written unasked, and nowhere is a file replaced. */
export const receive = async (it) => {
  const brought = named(it.files, FILES), others = named(it.variants, VARIANTS);
  const fresh = await files.unlike(brought);
  const asks = fresh.length && (OWN_FOLDER || fresh.some((one) => one.other !== one.name));
  if (asks && !await allowed(fresh.map(({ name, other }) => (other === name ? name : `${name}, which is called ${other} here: yours is another one`)))) return it.text;
  const text = await files.receive(fresh, it.text);
  if (!OWN_FOLDER) await variants.receive(others);
  return text;
};

/** Whether these are a text, and places where there are any. */
export const sound = ({ text, contest = 0, cell = 0, square = 0 }) => typeof text === "string" && [contest, cell, square].every((place) => Number.isInteger(place) && place >= 0);

/** The rulebook that a link holds, as a text to be shown; null where it holds none. */
export const rulesOf = (it) => {
  const draft = it?.rules, isText = (one) => typeof one?.name === "string" && typeof one.text === "string";
  if (!isText(draft)) return null;
  return { name: draft.name, text: draft.text, beside: Array.isArray(draft.beside) ? draft.beside.filter(isText) : [], hash: null, saved: "" };
};

/** Opens links that are pasted; `follow` opens one, and says whether it is one. */
export const wire = (follow) => byId("paste").addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = byId("pasted").value;
  if (!await follow(new URLSearchParams(text.slice(text.indexOf("#") + 1)))) say("That is no link of a studio.");
});
