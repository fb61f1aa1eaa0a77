// node compare.mjs MODULE.wasm.gz PROGRAM FOLDER [TRIALS] [NAME...]: every experiment of a folder through the module and
// through the program. The exact answer has to be the same bytes; with TRIALS the counts have to be the same. Without
// names all files are compared; a file that both refuse counts as refused. With `samples` in the place of a folder: every
// sample of every action, each in a file of its own. With `sheets` in the place of TRIALS, and the module that has them: the
// card, the table and the workbook have to be the same bytes.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import { spawnSync } from "node:child_process";

const [, , packed, program, place, rolled, ...only] = process.argv;

/** A folder with the samples of all actions. */
const writeSamples = () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "enfilade-samples-"));
  const read = (...names) => JSON.parse(spawnSync(program, ["systems", ...names, "--format", "json"], { maxBuffer: 1 << 28 }).stdout);
  for (const { id, actions } of read().systems) for (const { name } of actions) read(id, name).samples.forEach((sample, at) => {
    const fields = sample.replace(/^\[+/gm, "$&contest.");
    fs.writeFileSync(path.join(folder, `${id}-${name}-${at + 1}.toml`), `[[contest]]\nsystem = "${id}"\naction = "${name}"\n${fields}`);
  });
  return folder;
};
/** The files of a folder beside the rulebooks that they name: a page has one folder. */
const flatten = (from) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "enfilade-flat-")), beside = path.join(from, "../rulebooks");
  for (const [place, words] of [[beside, /\.(rules|tsv)$/], [from, /\.(toml|rules|tsv)$/]]) for (const name of fs.readdirSync(place)) {
    if (words.test(name)) fs.writeFileSync(path.join(folder, name), fs.readFileSync(path.join(place, name), "utf8").replaceAll("../rulebooks/", ""));
  }
  return folder;
};
const folder = place === "samples" ? writeSamples() : fs.existsSync(path.join(place, "../rulebooks")) ? flatten(place) : place;
/** Sheets, and the commands that make them. */
const SHEETS = { "card.svg": ["table", "svg"], "cells.csv": ["odds", "csv"], "odds.xlsx": ["odds", "xlsx"] };
const sheets = rolled === "sheets", trials = sheets ? 0 : Number(rolled || 0), utf8 = new TextEncoder(), text = new TextDecoder();
const module = await WebAssembly.compile(zlib.gunzipSync(fs.readFileSync(packed)));
let wasm;
const bytes = (at, length) => new Uint8Array(wasm.memory.buffer, at, length);

const ask = (route, seen, body) => {
  const question = utf8.encode(`${route}\n${seen}\n${JSON.stringify(body)}`);
  bytes(wasm.room(question.length), question.length).set(question);
  const at = wasm.ask(), all = bytes(at, wasm.length());
  return [Number(text.decode(all.slice(0, 3))), Buffer.from(all.slice(3))];
};

const begin = async () => {
  const wrong = (at, length) => { throw new Error(text.decode(bytes(at, length).slice())); };
  wasm = (await WebAssembly.instantiate(module, { page: { now: () => Date.now(), over: () => 0, wrong } })).exports;
  for (const name of fs.readdirSync(folder)) if (/\.(rules|tsv)$/.test(name)) ask(`PUT /api/files/${name}`, "*", { text: fs.readFileSync(`${folder}/${name}`, "utf8") });
};

/** Of everything that is said of a simulation: what was counted. */
const counted = (document) => document.contests.map((contest) => contest.outcomes?.map((one) => one.count ?? one.simulated?.count) ?? contest.trials);

const nativeSheets = (name) => {
  const made = Object.values(SHEETS).map(([command, format]) => spawnSync(program, [command, name, "--exact-only", "--format", format], { cwd: folder, maxBuffer: 1 << 30 }));
  return made.every(({ status }) => status === 0) ? Buffer.concat(made.map(({ stdout }) => stdout)) : null;
};

const ownSheets = (question) => {
  const made = Object.keys(SHEETS).map((sheet) => ask(`POST /api/sheets/${sheet}`, "", question));
  return made.every(([status]) => status === 200) ? Buffer.concat(made.map(([, bytes]) => bytes)) : null;
};

const native = (name) => {
  if (sheets) return nativeSheets(name);
  const how = trials ? ["--trials", String(trials)] : ["--exact-only"];
  const said = spawnSync(program, ["odds", name, ...how, "--format", "json"], { cwd: folder, maxBuffer: 1 << 30 });
  return said.status === 0 ? said.stdout : null;
};

const own = (name) => {
  const question = { name, text: fs.readFileSync(`${folder}/${name}`, "utf8") };
  if (sheets) return ownSheets(question);
  if (!trials) {
    const [status, said] = ask("POST /api/sheets/odds.json", "", question);
    return status === 200 ? said : null;
  }
  const [status, said] = ask("POST /api/jobs", "", { ...question, trials });
  const event = JSON.parse(said);
  return status === 200 && event.odds ? event.odds : null;
};

const same = (found, wanted) => (trials ? JSON.stringify(counted(found)) === JSON.stringify(counted(JSON.parse(wanted))) : found.equals(wanted));

const count = { same: 0, refused: 0, other: 0 };
await begin();
for (const name of fs.readdirSync(folder).filter((name) => name.endsWith(".toml") && (!only.length || only.includes(name)))) {
  const wanted = native(name), begun = performance.now();
  let found = null, why = "";
  try { found = own(name); } catch (error) { why = error.message; await begin(); }
  const kind = !found && !wanted && !why ? "refused" : found && wanted && same(found, wanted) ? "same" : "other";
  count[kind]++;
  console.log(kind, name, `${Math.round(performance.now() - begun)} ms`, `${wasm.memory.buffer.byteLength >> 20} MiB`, why);
}
console.log(count);
if (folder !== place) fs.rmSync(folder, { recursive: true });
process.exit(count.other || !count.same ? 1 : 0);
