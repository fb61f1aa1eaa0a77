// @ts-check
// A list of names with a number each, as lists of units are: filled from the cells of a spreadsheet.

import { say } from "./dom.js";

/** What the two columns may be called. */
export const HEADS = [["name", "unit", "weapon", "what"], ["number", "count", "how many", "amount", "models", "points", "n"]];

const bare = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Which column has the names and which the numbers; null where the first line has no heads. */
const headed = (line) => {
  const at = HEADS.map((names) => line.findIndex((text) => names.map(bare).includes(bare(text))));
  return at[0] < 0 && at[1] < 0 ? null : { name: at[0] < 0 ? 1 - at[1] : at[0], number: at[1] };
};

/** The columns of a block without heads: the numbers are where its first line has one. */
const guessed = (line) => {
  const number = line.findIndex((text) => /^[+-]?\d+$/.test(text));
  return { name: number === 0 ? 1 : 0, number };
};

/** The pairs of a list with those of a block: a name that is there gets its number, another one is added. Names that no
 * rulebook knows are left out, and it is said which.
 * @param {string[][]} block
 * @param {string[]} names
 * @param {string} label
 * @param {[string, any][]} pairs
 * @returns {[string, any][]} */
export const filledEntries = (block, names, label, pairs) => {
  const heads = headed(block[0]), columns = heads ?? guessed(block[0]);
  const known = new Map(names.map((name) => [bare(name), name])), next = new Map(pairs), left = [];
  for (const line of heads ? block.slice(1) : block) {
    const said = line[columns.name] ?? "", name = known.get(bare(said)), number = line[columns.number] ?? "";
    if (name === undefined) { if (said !== "") left.push(said); continue; }
    next.set(name, /^[+-]?\d+$/.test(number) ? Number(number) : true);
  }
  const added = next.size - pairs.length;
  say([`${label}: ${added} ${added === 1 ? "name" : "names"} added`, left.length ? `nothing is called ${left.slice(0, 4).join(", ")}${left.length > 4 ? " …" : ""}` : ""].filter(Boolean).join(", ") + ".");
  return [...next];
};
