// @ts-check
// Colours of a text, line by line: those of a grammar as other editors have it, cut into what has a colour.

import { TEXTS } from "./texts.js";

/** What the scopes of a grammar look like here, the longer first.
 * @type {[string, string][]} */
const LOOKS = [["comment", "aside"], ["string", "quote"], ["markup", "aside"], ["constant.numeric", "number"], ["constant", "word"], ["keyword.operator.dice", "word"],
  ["keyword.operator", ""], ["keyword", "word"], ["storage", "word"], ["support", "word"], ["entity", "called"], ["variable", "called"]];

/** @typedef {{ name?: string, match?: string, begin?: string, end?: string, captures?: Record<string, { name: string }> }} Pattern */

/** Files of questions and weapons.
 * @type {Pattern[]} */
const TOML = [{ name: "comment", match: "#.*$" }, { name: "string", match: "\"[^\"]*\"?|'[^']*'?" }, { name: "entity", match: "^\\s*\\[.*\\]" },
  { name: "variable", match: "^\\s*[A-Za-z0-9_.-]+(?=\\s*=)|[A-Za-z0-9_-]+(?=\\s*=)" }, { name: "constant.numeric", match: "(?<![A-Za-z_])-?[0-9][0-9_.]*" }, { name: "constant", match: "\\b(?:true|false)\\b" }];

const look = (scope = "") => LOOKS.find(([start]) => scope.startsWith(start))?.[1] ?? "";

/** A pattern for the letters of a browser: one that begins and ends lies in one line here. */
const expression = (pattern) => new RegExp((pattern.match ?? `${pattern.begin}.*?(?:${pattern.end})`).replaceAll("\\\"", "\""), "duy");

/** @param {Pattern[]} patterns */
const compiled = (patterns) => patterns.map((pattern) => ({ way: expression(pattern), look: look(pattern.name), parts: Object.entries(pattern.captures ?? {}).map(([place, { name }]) => ({ place: Number(place), look: look(name) })) }));

const rules = () => {
  const { patterns, repository } = JSON.parse(TEXTS["enfilade-rules.tmLanguage.json"]);
  return compiled(patterns.map(({ include }) => repository[include.slice(1)]));
};

const known = {};
/** The patterns of a kind of text, made when they are first needed. */
const patternsOf = (kind) => (known[kind] ??= kind === "toml" ? compiled(TOML) : rules());

/** Letters that are part of a word: where a pattern has none, nothing begins within one. */
const WORD = /[\p{L}\p{N}_]+|./uy;

/** A line as parts with a start, an end and a look; what lies between has none.
 * @returns {[number, number, string][]} */
export const coloured = (line, kind) => {
  /** @type {[number, number, string][]} */
  const found = [];
  const patterns = patternsOf(kind);
  for (let at = 0; at < line.length;) {
    let end = 0;
    for (const { way, look, parts } of patterns) {
      way.lastIndex = at;
      const match = /** @type {any} */ (way.exec(line));
      if (!match || !match[0]) continue;
      end = at + match[0].length;
      if (look) found.push([at, end, look]);
      for (const part of parts) if (part.look && match.indices[part.place]) found.push([match.indices[part.place][0], match.indices[part.place][1], part.look]);
      break;
    }
    if (!end) { WORD.lastIndex = at; end = at + (WORD.exec(line)?.[0].length || 1); }
    at = end;
  }
  return found;
};
