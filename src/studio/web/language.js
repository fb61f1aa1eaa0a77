// @ts-check
// The language of rulebooks beside the text: pieces of games, the reference row by row, and the tutorial. All of it is
// read from the pages of the documentation; what a row shows goes into the text at a key.

import { button as made, byId, element, say } from "./dom.js";
import { TEXTS } from "./texts.js";

const NARROW = "(max-width: 49.99rem)";
/** Words that begin a line outside of actions, and those that report. */
const TOP = new Set("field words data table record part check remark marks group reading left absent price example action die".split(" "));
const REPORTS = new Set("show keep measure carry".split(" "));

/** @typedef {{ title: string, about: string, lines: string[], game?: boolean }} Row */
/** @typedef {{ title: string, rows: Row[] }} Chapter */

/** Parts of a page, each with the heading above it. */
const sections = (page) => page.split(/^## /m).slice(1).map((part) => ({ title: part.split("\n", 1)[0].trim(), body: part.slice(part.indexOf("\n") + 1) }));

/** The code in a fence of this kind. */
const fences = (body, kind) => [...body.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(([, code]) => code.trimEnd().split("\n"));

const uncoded = (text) => text.replace(/^`|`$/g, "").replaceAll("\u0000", "|");

/** The rows of a table with a construct, its meaning and an example. */
const rowsOf = (body) => body.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| construct")).map((line) => {
  const [, construct, about, example] = line.replaceAll("\\|", "\u0000").split("|").map((cell) => cell.trim());
  return { title: construct.replaceAll("\u0000", "|"), about: about.replaceAll("\u0000", "|"), lines: example ? example.split("<br>").map(uncoded) : [] };
});

/** Everything that the panel holds.
 * @returns {Chapter[]} */
const chapters = () => [
  { title: "Pieces of games", rows: sections(TEXTS["snippets.md"]).map(({ title, body }) => ({ title, about: body.split("```")[0].trim(), lines: fences(body, "rules")[0] ?? [] })) },
  ...sections(TEXTS["rule_reference.md"]).map(({ title, body }) => ({ title, rows: rowsOf(body) })).filter(({ rows }) => rows.length),
  { title: "A game from three lines to thirty", rows: sections(TEXTS["rulebooks.md"]).filter(({ body }) => fences(body, "rules").length).map(({ title, body }) => ({ title, about: body.split("```")[0].trim(), lines: fences(body, "rules").at(-1) ?? [], game: true })) },
];

/** A line of a page: its code as code, its links as their words. */
const inline = (text) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("**", "").split(/(`[^`]*`)/).filter(Boolean)
  .map((part) => (part.startsWith("`") ? element("code", {}, part.slice(1, -1)) : part));

/** The lines of a piece by their place: above the actions, in one, or in its report. */
const placed = (lines) => {
  const parts = { top: [], body: [], report: [] };
  let place = parts.body;
  for (const line of lines) {
    const word = /^\S+/.exec(line)?.[0] ?? "";
    if (word) place = TOP.has(word) ? parts.top : REPORTS.has(word) ? parts.report : parts.body;
    place.push(line);
  }
  return parts;
};

const first = (line) => /^\s*(\S*)/.exec(line)[1];
const outer = (line) => /^[^\s-]/.test(line);

/** The first and the last line of the action around a line; those of the first action where there is none around. */
const actionAt = (lines, at) => {
  let start = at;
  while (start > 0 && !outer(lines[start] ?? "")) start--;
  if (!/^(action|part)\b/.test(lines[start] ?? "")) start = lines.findIndex((line) => /^action\b/.test(line));
  if (start < 0) return null;
  let end = start + 1;
  while (end < lines.length && !outer(lines[end]) && !lines[end].startsWith("--")) end++;
  while (end > start + 1 && !lines[end - 1].trim()) end--;
  return { start, end };
};

/** A text with the lines of a piece in their places: declarations above the actions, statements after the line `at` where
 * that is one of a rule, and what is shown below what is shown. Where there is no action, one is begun. */
export const inserted = (text, at, piece) => {
  const { top, body, report } = placed(piece), lines = text.split("\n");
  let action = actionAt(lines, at);
  if (!action && (body.length || report.length)) {
    while (lines.length && !lines.at(-1).trim()) lines.pop();
    lines.push(...(lines.length ? [""] : []), "action play:", "");
    action = { start: lines.length - 2, end: lines.length - 1 };
  }
  let line = at;
  if (action) {
    const { start, end } = action, shown = lines.findIndex((one, i) => i > start && i < end && REPORTS.has(first(one)));
    let rule = shown < 0 ? end : shown;
    while (shown >= 0 && rule > start + 1 && lines[rule - 1].trim().startsWith("--")) rule--;
    const here = at > start && at < rule && lines[at].trim() ? at + 1 : rule;
    const above = lines[here - 1] ?? "", deep = here - 1 === start ? "    " : /^ */.exec(above)[0] + (/:\s*$/.test(above) ? "    " : "");
    const inner = deep || "    ";
    lines.splice(end, 0, ...report.map((one) => `    ${one}`));
    lines.splice(here, 0, ...body.map((one) => `${here === rule ? "    " : inner}${one}`));
    line = here + body.length - 1;
  }
  if (top.length) {
    let place = lines.findIndex((one) => /^(action|part|example)\b/.test(one));
    if (place < 0) place = lines.length;
    while (place > 0 && lines[place - 1].startsWith("--")) place--;
    const gap = place > 0 && lines[place - 1].trim() ? [""] : [];
    lines.splice(place, 0, ...gap, ...top, ...(lines[place]?.trim() ? [""] : []));
    line = body.length || report.length ? line + top.length + gap.length + 1 : place + top.length - 1;
  }
  return { text: lines.join("\n"), line };
};

/** Puts a piece into the text as if it were typed. */
const insert = (box, dressed, piece) => {
  const before = box.value, at = before.slice(0, box.selectionStart).split("\n").length - 1;
  const { text, line } = inserted(before, at, piece);
  let from = 0, end = 0;
  while (from < Math.min(before.length, text.length) && before[from] === text[from]) from++;
  while (end < Math.min(before.length, text.length) - from && before.at(-1 - end) === text.at(-1 - end)) end++;
  dressed.type(from, before.length - end, text.slice(from, text.length - end));
  const place = text.split("\n").slice(0, line + 1).join("\n").length;
  box.setSelectionRange(place, place);
  const high = parseFloat(getComputedStyle(box).lineHeight);
  box.scrollTop = Math.max(0, (line - 6) * high);
  say("It is in the text.");
};

let asked = "", opened = false;

const row = (one, act) => element("li", { class: "construct" },
  element("p", {}, ...inline(one.title)), element("p", { class: "quiet" }, ...inline(one.about)),
  one.lines.length ? element("pre", { tabindex: 0, role: "region", "aria-label": `Example: ${one.title.replaceAll("`", "")}` }, one.lines.join("\n")) : null,
  one.lines.length ? made(one.game ? "Open it as a game" : "Insert", () => act(one), { class: "step", "aria-label": `${one.game ? "Open it as a game" : "Insert"}: ${one.title.replaceAll("`", "")}` }) : null);

/** The panel, with what is sought in it. */
const draw = (place, act) => {
  const wanted = asked.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (one) => wanted.every((word) => [one.title, one.about, ...one.lines].join(" ").toLowerCase().includes(word));
  const found = chapters().map(({ title, rows }) => ({ title, rows: rows.filter((one) => !wanted.length || title.toLowerCase().includes(asked.toLowerCase()) || fits(one)) })).filter(({ rows }) => rows.length);
  place.replaceChildren(...found.map(({ title, rows }, i) => element("details", { open: wanted.length > 0 || i === 0 }, element("summary", {}, title), element("ul", { class: "plain" }, ...rows.map((one) => row(one, act))))),
    ...(found.length ? [] : [element("p", {}, `Nothing in the language is called ${asked}.`)]));
};

const turn = (on) => {
  opened = on;
  byId("language").hidden = !on;
  byId("to-language")?.setAttribute("aria-pressed", String(on));
  if (!on) return;
  if (matchMedia(NARROW).matches) byId("language").scrollIntoView({ block: "start" });
  else byId("language-search").focus();
};

/** The key that opens the panel. */
export const button = () => made("Language", () => turn(!opened), { id: "to-language", "aria-pressed": String(opened) });

/** Prepares the panel for a text box; `begin` opens a game of its own. */
export const show = (box, dressed, begin) => {
  const place = element("div"), search = element("input", { type: "search", id: "language-search", autocomplete: "off", spellcheck: "false", value: asked });
  const act = (one) => {
    if (one.game) begin("my_game.rules", `${one.lines.join("\n")}\n`);
    else { insert(box, dressed, one.lines); if (matchMedia(NARROW).matches) box.scrollIntoView({ block: "center" }); }
  };
  search.addEventListener("input", () => { asked = search.value; draw(place, act); });
  byId("language").replaceChildren(
    element("div", { class: "row spread" }, element("h2", { id: "language-title" }, "Language"), made("Close", () => { turn(false); box.focus(); }, { class: "step" })),
    element("p", { class: "row" }, element("label", { for: "language-search" }, "Search"), search), place);
  byId("language").hidden = !opened;
  draw(place, act);
};
