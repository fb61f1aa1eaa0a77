// @ts-check
// The library: twelve games to copy, one for each thing that dice do, and one search over everything that there is.

import { ask } from "./requests.js";
import { button, byId, element } from "./dom.js";
import * as files from "./files.js";
import { put } from "./form_paths.js";
import { TEXTS } from "./texts.js";

/** What the dice of a game do, and the game.
 * @type {[string, string][]} */
const GALLERY = [["Dice pool", "shield_wall"], ["Roll under", "cold_trail"], ["Opposed roll", "lists_of_honour"], ["Cards and counters", "order_deck"],
  ["Exploding dice", "powder_keg"], ["Saves", "hail_of_bolts"], ["Morale ladder", "wavering_line"], ["Duel", "first_blood"],
  ["Hit locations", "chinks"], ["Rerolls", "veterans"], ["Decisions", "press_your_luck"], ["Campaign", "winter_march"],
  ["Symbol dice", "symbol_dice"], ["Hidden choices", "raid"], ["Fire and morale", "bridgehead"]];
const SHOWN = 8, LEAST = 2;

/** @typedef {{ name: string, about: string, words: string, of?: string, open: () => void }} Thing */
/** @typedef {import("./types").AllActionFormsReply} Forms */
/** @typedef {import("./types").FormFieldDescription | import("./types").FieldValuesDescription} Field */

let desk = null;
/** The texts of rulebooks that come with the program, read when something is sought. */
let texts = null;

const copy = (name, text, beside = []) => files.show({ name: files.free(name), text, beside, hash: null, saved: "" });

/** The games to copy, as things that can be sought. */
const games = () => GALLERY.map(([mechanism, id]) => {
  const text = TEXTS[`${id}.rules`], title = /^game "([^"]*)"/m.exec(text)?.[1] ?? id, about = /^-- (.*)$/m.exec(text)?.[1] ?? "";
  return { name: mechanism, title, about, words: `${mechanism} ${title} ${about} ${id}`, open: () => copy(`my_${id}.rules`, text), id };
});

/** Draws the games to copy. */
export const showGallery = () => byId("gallery").replaceChildren(...games().map((one) => {
  const tile = button("", one.open, { class: "tile", "data-game": one.id });
  tile.append(element("strong", {}, one.name), element("span", {}, one.about.startsWith(one.title) ? one.about : `${one.title}: ${one.about}`));
  return element("li", {}, tile);
}));

/** Every way to a list of names in the fields of an action: the steps to it, and the number of the list.
 * @param {Forms} forms
 * @param {number} group
 * @returns {[(string | number)[], number][]} */
const waysToNames = (forms, group, before = [], depth = 0) => forms.groups[group].flatMap((field) => {
  /** @type {Field} */
  const inner = field.of ?? field, way = [...before, field.name, ...(field.many ? [0] : [])];
  const own = inner.kind === "name" && inner.names !== null && inner.names !== undefined ? [[way, inner.names]] : [];
  const below = inner.fields !== null && inner.fields !== undefined && depth < 3 ? waysToNames(forms, inner.fields, way, depth + 1) : [];
  return /** @type {[(string | number)[], number][]} */ ([...own, ...below]);
});

/** Units, weapons and whatever else has a name, each with the first question that it can be put into.
 * @param {Forms} forms
 * @returns {Thing[]} */
const named = (forms) => {
  const found = new Map();
  for (const system of forms.systems) for (const action of system.actions) {
    if (!action.questions.length) continue;
    for (const [way, list] of waysToNames(forms, action.fields)) for (const name of forms.names[list].names) {
      const key = `${system.id} ${name}`;
      if (!found.has(key)) found.set(key, { name, about: `${system.title}: ${action.label}, ${way.filter((step) => step !== 0).join(" ").replaceAll("_", " ")}`, words: `${name} ${system.title}`, of: system.title,
        open: () => desk.begin(action.questions[0].file).then(() => desk.set((form) => put(form, way, name))) });
    }
  }
  return [...found.values()];
};

const tablesOf = (name, text, open) => [...text.matchAll(/^(table|data) (\w+)/gm)].map(([, kind, called]) => ({ name: called.replaceAll("_", " "), about: `${kind === "table" ? "table" : "data"} of ${name}`, words: `${called} ${called.replaceAll("_", " ")} ${name}`, open }));

/** Reads the texts that come with the program. */
const readTexts = async () => {
  /** @type {import("./types").BundledTextListReply} */
  const { texts: all = [] } = await ask("/api/texts");
  const read = all.filter(({ name }) => name.endsWith(".rules")).map(({ name }) => ask(`/api/texts/${encodeURIComponent(name)}`));
  texts = (await Promise.all(read)).filter((one) => one.text !== undefined);
};

/** @returns {Thing[]} */
const tables = () => [...(texts ?? []).flatMap(({ name, text, beside }) => tablesOf(name, text, () => copy(`my_${name}`, text, beside))),
  ...GALLERY.flatMap(([, id]) => tablesOf(`${id}.rules`, TEXTS[`${id}.rules`], () => copy(`my_${id}.rules`, TEXTS[`${id}.rules`])))];

/** @returns {Thing[]} */
const folder = () => files.all().map((name) => ({ name, about: "file of the folder", words: name, open: () => files.begin(name) }));

/** Draws what fits a text, kind by kind; whether anything does.
 * @param {string} text
 * @param {Forms | null} forms */
export const search = (text, forms) => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean), place = byId("found");
  if (text.trim().length < LEAST) { place.replaceChildren(); return; }
  if (!texts) { texts = []; readTexts().then(() => search(byId("search").value, forms)); }
  // The words of a game find its names only together with a word of the name.
  const fits = (one) => words.every((word) => one.words.toLowerCase().includes(word)) && words.some((word) => one.name.toLowerCase().includes(word) || !one.of);
  const first = (one) => (one.name.toLowerCase().startsWith(words[0]) ? 0 : 1);
  /** @type {[string, Thing[]][]} */
  const kinds = [["Files", folder()], ["Games to copy", games()], ["Units, weapons and others by name", forms ? named(forms) : []], ["Tables", tables()]];
  const found = kinds.map(([kind, all]) => /** @type {[string, Thing[]]} */ ([kind, all.filter(fits).sort((a, b) => first(a) - first(b))])).filter(([, all]) => all.length);
  const line = (one) => element("li", {}, button("", one.open, { class: "tile", "data-found": one.name }));
  place.replaceChildren(...found.map(([kind, all]) => element("section", {}, element("h3", {}, `${kind} `, element("span", { class: "quiet" }, all.length > SHOWN ? `${SHOWN} of ${all.length}` : String(all.length))),
    element("ul", { class: "tiles" }, ...all.slice(0, SHOWN).map((one) => { const item = line(one); item.firstChild.append(element("strong", {}, one.name), element("span", {}, one.about)); return item; })))),
  ...(found.length || byId("systems").childElementCount ? [] : [element("p", { id: "nothing-found" }, `Nothing here is called ${text.trim()}. Search for a game, a unit, a weapon, a table or a file.`)]));
};

/** Prepares the library; `own` begins questions and sets their values. */
export const wire = (own) => { desk = own; };
