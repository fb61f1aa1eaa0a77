// node page-weight.mjs MODULE [CRATE]: where the bytes of a module come from: of its code by crate, or the largest
// functions of one crate, and of its data in all. MODULE is the file of cargo, which still has the names.
import fs from "node:fs";
import { Reader, sections } from "./wasm.mjs";

const [, , from, only] = process.argv;
const all = sections(fs.readFileSync(from));
const section = (id) => new Reader(all.find((one) => one.id === id).body);

/** How many functions are imported: they are numbered first. */
const imported = () => {
  const reader = section(2);
  let functions = 0;
  for (let left = reader.number(); left > 0; left--) {
    reader.text();
    reader.text();
    if (reader.number() !== 0) throw new Error("an import that is no function");
    reader.number();
    functions++;
  }
  return functions;
};

const names = () => {
  const reader = new Reader(all.find((one) => one.name === "name").body), found = [];
  while (!reader.over) {
    const id = reader.number(), part = new Reader(reader.take(reader.number()));
    if (id !== 1) continue;
    for (let left = part.number(); left > 0; left--) { const at = part.number(); found[at] = part.text(); }
  }
  return found;
};

const weights = () => {
  const code = section(10), called = names(), found = [];
  for (let at = imported(), left = code.number(); left > 0; left--, at++) { const length = code.number(); code.take(length); found.push([called[at] ?? "?", length]); }
  return found;
};

/** The crate of a function: the first of ours that its name holds, as what is generic is compiled where it is used; or
 * the first of all. The compiler has two ways to write names. */
const crateOf = (name) => /enfilade_[a-z]+/.exec(name)?.[0]
  ?? /^_ZN\d+(?:_?\$LT\$(?:[A-Z]+\$|\$\w+\$|&|dyn\$u20\$)*)?([a-z_][a-z_0-9]*?)(?:\d|\.\.)/.exec(name)?.[1]
  ?? /Cs[0-9A-Za-z]*_\d+([a-z_]+)/.exec(name)?.[1] ?? "?";

const rows = (pairs) => {
  const sums = new Map();
  for (const [key, bytes] of pairs) sums.set(key, (sums.get(key) ?? 0) + bytes);
  return [...sums].sort(([, a], [, b]) => b - a);
};

const code = weights();
const shown = only ? rows(code.filter(([name]) => crateOf(name) === only).map(([name, bytes]) => [name.replace(/(::h[0-9a-f]{16})$/, ""), bytes])).slice(0, 60) : rows(code.map(([name, bytes]) => [crateOf(name), bytes]));
for (const [key, bytes] of shown) console.log(String(bytes).padStart(9), key);
if (!only) for (const { id, name, body } of all) if (id === 0 || id > 9) console.log(String(body.length).padStart(9), id === 10 ? "(code)" : id === 11 ? "(data)" : `(${name || id})`);
