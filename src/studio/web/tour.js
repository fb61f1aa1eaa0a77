// @ts-check
// A tour in six steps on the game to begin with: what each step says can be done at its key, or by hand.

import { button, byId, element } from "./dom.js";
import * as files from "./files.js";
import { TEXTS } from "./texts.js";

/** @typedef {{ title: string, about: string, at: string, label?: string, act?: () => void }} Step */

/** What is pinned is asked for first. */
const PAUSE = 400;

/** Changes the text as somebody who types it would. */
const write = (from, to) => {
  const box = byId("rulebook");
  box.value = box.value.replace(from, to);
  box.dispatchEvent(new Event("input", { bubbles: true }));
  const at = box.value.indexOf(to);
  box.setSelectionRange(at, at + to.length);
};

/** @type {Step[]} */
const STEPS = [
  { title: "A game is a text", about: "On the left is Bridgehead: words, weapons, a table, and one action. Beside it are its odds, worked out exactly, with every key that you press.", at: ".editor" },
  { title: "Change a number", about: "Each of four rifles has one shot. Give them two: the odds follow at once.", at: ".editor", label: "Give the rifles two shots", act: () => write(/rifles {2}\d/, "rifles  2") },
  { title: "Ask why", about: "Every number is a key. Press one, and dice are rolled until it comes about: each line names the rule, and each die can be turned.", at: "#answer", label: "Roll for one", act: () => byId("answer").querySelector("button.why")?.click() },
  { title: "Compare", about: "Pin the odds as A. Whatever you change next is compared with it: the difference is shown beside every number.", at: "#pins", label: "Pin, and hand out machine guns", act: () => { if (byId("pin").getAttribute("aria-pressed") !== "true") byId("pin").click(); setTimeout(() => write(/weapons = \w+/, "weapons = lmg"), PAUSE); } },
  { title: "Look things up", about: "Language has pieces of games, everything the language knows, and a tutorial. Each row goes into your text at a key.", at: "#to-language", label: "Open the language", act: () => { if (byId("language").hidden) byId("to-language").click(); } },
  { title: "Ask a question of your own", about: "Save the game first. Open as a question then shows its fields as a form: try several values at once, and send the answer as a page or a card.", at: "#rule-question", label: "Save the game", act: () => byId("save").click() },
];

let at = 0, game = "";

const clear = () => document.querySelectorAll(".toured").forEach((one) => one.classList.remove("toured"));

const end = () => { clear(); byId("tour").hidden = true; byId("tour").replaceChildren(); };

const show = (next) => {
  at = next;
  clear();
  const step = STEPS[at], last = at === STEPS.length - 1;
  const act = step.label && button(step.label, () => { step.act(); document.querySelector(step.at)?.scrollIntoView({ block: "nearest" }); }, { id: "tour-act" });
  byId("tour").replaceChildren(element("h2", { tabindex: -1, id: "tour-title" }, `${at + 1} of ${STEPS.length}: ${step.title}`), element("p", {}, step.about),
    element("p", { class: "row" }, act || null, at ? button("Back", () => show(at - 1)) : null, last ? null : button("Next", () => show(at + 1), { id: "tour-next" }), button(last ? "Done" : "End the tour", end, { id: "tour-end" })));
  byId("tour").hidden = false;
  document.querySelector(step.at)?.classList.add("toured");
  byId("tour-title").focus({ preventScroll: true });
};

/** Begins: a copy of the game to begin with is opened, which is nobody's file yet. */
const begin = () => {
  game = files.free("bridgehead.rules");
  files.show({ name: game, text: TEXTS["bridgehead.rules"], hash: null, saved: "" });
  show(0);
  scrollTo(0, 0);
};

/** Ends when another file is opened, of which nothing is true that the tour says; its last step leads to one. */
const left = () => { if (!byId("tour").hidden && at < STEPS.length - 1 && byId("file-title").textContent.replace(/ \*$/, "") !== game) end(); };

export const wire = () => {
  byId("take-tour").addEventListener("click", begin);
  new MutationObserver(left).observe(byId("file-title"), { childList: true, characterData: true, subtree: true });
};
