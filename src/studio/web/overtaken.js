// @ts-check
// A file that another window or another program has written while it stands here: said at once, with what differs.

import { OWN_FOLDER, ask } from "./requests.js";
import { byId, element } from "./dom.js";

const PAUSE = 4000, LINES = 1500;
let desk = null, channel = null, passed = "", timer = 0;

/** The lines of two texts, those of only one marked: `[" " | "−" | "+", line]`. */
export const marked = (mine, theirs) => {
  const [a, b] = [mine.split("\n"), theirs.split("\n")];
  if (a.length > LINES || b.length > LINES) return b.map((line) => [a.includes(line) ? " " : "+", line]);
  const most = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) for (let k = b.length - 1; k >= 0; k--) most[i][k] = a[i] === b[k] ? most[i + 1][k + 1] + 1 : Math.max(most[i + 1][k], most[i][k + 1]);
  const lines = [];
  let [i, k] = [0, 0];
  while (i < a.length || k < b.length) {
    if (i < a.length && k < b.length && a[i] === b[k]) { lines.push([" ", a[i]]); i++; k++; }
    else if (i < a.length && (k >= b.length || most[i + 1][k] >= most[i][k + 1])) lines.push(["−", a[i++]]);
    else lines.push(["+", b[k++]]);
  }
  return lines;
};

/** Shows in a place what is only here and what is only there, with a few lines around. */
export const showMarked = (place, mine, theirs) => {
  const lines = marked(mine, theirs), near = (i) => lines.slice(Math.max(0, i - 2), i + 3).some(([sign]) => sign !== " ");
  const kinds = { "−": "only-mine", "+": "only-theirs", " ": "" };
  const shown = lines.map(([sign, line], i) => (near(i) ? element("span", { class: kinds[sign] }, `${sign} ${line}\n`) : null));
  const parts = shown.filter((one, i) => one || (i > 0 && shown[i - 1])).map((one) => one ?? element("span", { class: "quiet" }, "  …\n"));
  place.replaceChildren(...(parts.length ? parts : ["They are the same."]));
};

const hide = () => { byId("overtaken").hidden = true; };

/** Looks whether the file that stands there is still the one on the disk. */
export const check = async () => {
  const own = desk?.own();
  if (!own?.name || !own.hash || document.hidden || byId("desk").hidden) { hide(); return; }
  let file;
  try { file = await ask(`/api/files/${encodeURIComponent(own.name)}`); } catch { return; /* it was told */ }
  const now = desk.own();
  if (now.name !== own.name || now.hash !== own.hash) return;
  if (file.hash === own.hash || file.hash === passed) { hide(); return; }
  byId("overtaken-said").textContent = file.error ? `${own.name} is gone: another window or program took it away. Save writes it anew.`
    : `${own.name} was changed meanwhile, by another window or another program.`;
  byId("overtaken-open").hidden = byId("overtaken-look").hidden = Boolean(file.error);
  byId("overtaken").hidden = false;
  byId("overtaken-look").onclick = () => {
    const place = byId("overtaken-lines");
    place.hidden = false;
    showMarked(place, desk.own().text, file.text);
  };
  byId("overtaken-open").onclick = () => { hide(); desk.revert(own.name); };
  byId("overtaken-mine").onclick = () => { passed = file.hash ?? ""; hide(); };
};

/** Another file stands there, or it was saved. */
export const turned = () => { byId("overtaken-lines").hidden = true; hide(); };

/** Tells other windows that a file was written. */
export const wrote = (name) => { turned(); channel?.postMessage(name); };

export const wire = (own) => {
  desk = own;
  if (!OWN_FOLDER) return;
  channel = new BroadcastChannel("enfilade files");
  channel.onmessage = ({ data }) => { if (data === desk.own()?.name) check(); };
  document.addEventListener("visibilitychange", () => { if (!document.hidden) check(); });
  const next = () => { timer = setTimeout(async () => { await check(); next(); }, PAUSE); };
  clearTimeout(timer);
  next();
};
