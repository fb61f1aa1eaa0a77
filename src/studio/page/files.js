// The files of the folder: opened, kept, and never written over when somebody else changed them.

import { ask } from "./ask.js";
import { button, byId, element, say } from "./dom.js";
import * as rules from "./rules.js";

let desk = null;

const open = async (name) => {
  const file = await ask(`/api/files/${encodeURIComponent(name)}`);
  if (file.error) { say(file.error); return; }
  desk.see(true);
  if (name.endsWith(".toml")) desk.open({ name, hash: file.hash, saved: file.text, text: file.text, contest: 0, form: null, cell: 0 });
  else rules.open(file, desk);
};

/** The list of files, read again. */
export const refresh = async () => {
  const listed = await ask("/api/files");
  const list = () => (listed.files || []).map((file) => element("li", {}, button(file.name, () => open(file.name), { class: "step" })));
  byId("files").replaceChildren(...list());
  byId("start-files").replaceChildren(...list());
  byId("own").hidden = !list().length;
};

/** Puts a text into a file; `seen` is the hash of the text it replaces, null for a new file. */
export const put = async (name, text, seen, saved) => {
  const headers = seen ? { "If-Match": `"${seen}"` } : { "If-None-Match": "*" };
  const reply = await ask(`/api/files/${encodeURIComponent(name)}`, { method: "PUT", headers, body: { text } });
  if (reply.status === 409) { settle(name, text, reply.there, saved); return; }
  if (reply.error) { say(reply.error); return; }
  saved(reply.hash);
  say(`${name} is saved.`);
  refresh();
};

/** Puts a file into the folder that others there need, unless there is one of its name. */
export const bring = ({ name, text }) => ask(`/api/files/${encodeURIComponent(name)}`, { method: "PUT", headers: { "If-None-Match": "*" }, body: { text } });

/** Asks what is to become of two texts of one file. */
const settle = (name, mine, theirs, saved) => {
  const dialog = byId("conflict");
  byId("theirs").textContent = theirs ? theirs.text : "(the file is gone)";
  const end = (then) => () => { dialog.close(); then(); };
  byId("take-theirs").onclick = end(() => open(name));
  byId("keep-mine").onclick = end(() => put(name, mine, theirs ? theirs.hash : null, saved));
  byId("conflict-close").onclick = end(() => {});
  dialog.showModal();
};

const keep = (name, seen) => {
  const text = desk.text();
  return put(name, text, seen, (hash) => desk.saved(name, hash, text));
};

/** Saves the question under its name; one that has none is given one. */
export const save = () => {
  const { name, hash } = desk.now();
  if (name) keep(name, hash);
  else byId("name-it").showModal();
};

export const wire = (own) => {
  desk = own;
  byId("name-close").addEventListener("click", () => byId("name-it").close());
  byId("name-form").addEventListener("submit", () => {
    const name = byId("new-name").value.trim();
    if (name) keep(name.endsWith(".toml") ? name : `${name}.toml`, null);
  });
};
