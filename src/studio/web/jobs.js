// @ts-check
// What takes longer: a simulation with its progress, and sheets to print and to send.

import { LONG, ask } from "./requests.js";
import { button, byId, element, say } from "./dom.js";
import { simulated } from "./answer.js";
import { drawBlocks } from "./blocks.js";
import * as disk from "./own_disk.js";
import * as share from "./share.js";

/** @typedef {import("./types").JobEvent} JobEvent */

/** The job that was begun last: its number, and the text that it is of. */
let current = { id: null, text: null, all: true };
/** What stands on the desk: which question, in which text; and of which texts the numbers and the card beside it are. */
let now = { which: null, text: null }, rolled = null, drawn = null;
/** The prices that were found last, with the text that they are of. */
let prices = { text: null, found: null };
/** What stops the card that is being drawn. */
let drawing = null;

const note = () => { byId("stale").hidden = rolled === null || rolled === now.text; };

/** Another text stands there, perhaps of another question (`which`): what was made of one that is gone goes too, and
 * what was made before the last change says so. */
export const turned = (which, text) => {
  if (which !== now.which) {
    for (const id of ["simulated", "job"]) byId(id).replaceChildren();
    rolled = null;
  }
  if (text !== now.text) byId("never-bought").replaceChildren();
  if (text !== drawn) {
    drawing?.abort();
    byId("preview").replaceChildren();
  }
  now = { which, text };
  note();
};

/** Shows what a job found. */
const show = (...found) => {
  byId("simulated").replaceChildren(...found);
  rolled = found.length ? current.text : null;
  note();
};

/** The events of a job, one by one, as they come.
 * @param {number} id
 * @param {(event: JobEvent) => void} told */
export const events = async (id, told) => {
  const reply = await ask(`/api/jobs/${id}/events`, { raw: true });
  const reader = reply.body.getReader(), decoder = new TextDecoder();
  let waiting = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    waiting += decoder.decode(value, { stream: true });
    const whole = waiting.split("\n\n");
    waiting = whole.pop();
    whole.map((event) => event.replace(/^data: ?/, "")).filter(Boolean).forEach((event) => told(JSON.parse(event)));
  }
};

const running = (on) => {
  byId("stop").hidden = !on;
  byId("simulate").hidden = on;
  byId("progress").hidden = !on;
};

/** What each counts for as it is found, before prices and ranges are known.
 * @param {import("./types").InterimWorthView[]} found */
const early = (found) => {
  const row = ([name, worth]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", { class: "n" }, worth));
  show(element("div", { id: "early" }, element("table", {},
    element("caption", {}, "What each counts for, so far, in points of the troops it meets; prices and ranges follow"),
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "weapon"), element("th", { scope: "col", class: "n" }, "counts for"))), element("tbody", {}, ...found.map(row)))));
};

/** @param {JobEvent} event */
const follow = (event) => {
  if (event.fought) byId("job").textContent = `${event.fought[0]} of ${event.fought[1]} meetings of a weapon and a scenario`;
  else if (event.trials !== undefined) byId("job").textContent = `${event.trials} trials`;
  if (event.early?.length) early(event.early);
  if (event.part !== undefined) byId("progress").value = event.part;
  if (!event.done) return;
  running(false);
  if (event.faults) byId("job").textContent = event.faults.map((fault) => fault.problem).join("; ");
  else byId("job").textContent = [event.stopped ? "Stopped. What was rolled is kept: it goes on from there." : "Done.", event.said].filter(Boolean).join(" ");
  if (event.stopped && !event.prices) byId("simulate").textContent = "Go on";
  if (event.document && !event.faults && !event.stopped && current.all) prices = { text: current.text, found: event.document };
  if (event.prices) show(...drawBlocks(event.blocks), element("p", {}, button("Copy as text", () => copied(event.prices, "The prices are copied."))));
  else if (!event.early?.length) show(...(event.told ? simulated(event.told) : []));
};

/** Begins a job. */
export const begin = async (question) => {
  byId("jobs").open = true;
  /** @type {import("./types").JobIdReply & import("./requests.js").Said} */
  const job = await ask("/api/jobs", { method: "POST", body: { ...question } });
  if (job.error) { byId("job").textContent = job.error; return; }
  current = { id: job.id, text: question.text, all: question.only === undefined };
  show();
  running(true);
  byId("job").scrollIntoView({ block: "nearest" });
  byId("job").textContent = "";
  byId("progress").value = 0;
  try { await events(job.id, follow); } catch { running(false); }
};

/** The prices of a file of weapons: those that stand there, or worked out now; null where there are none.
 * @returns {Promise<import("./types").PricesDocument | null>} */
export const priced = async (question) => {
  if (prices.text !== question.text) await begin(question);
  return prices.text === question.text ? prices.found : null;
};

/** A sheet; nothing where there is none, and then it is said why. */
const made = async (question, name, signal) => {
  const reply = await ask(`/api/sheets/${name}`, { method: "POST", body: { ...question }, raw: true, signal, deadline: LONG });
  if (reply instanceof Response) return reply.blob();
  byId("job").textContent = byId("share-said").textContent = reply.faults?.map((fault) => fault.problem).join("; ") || reply.error;
  return null;
};

const download = async (question, name) => {
  const sheet = await made(question, name);
  if (sheet) disk.download(name, sheet);
};

/** Pages that are shown; the others are in the PDF. */
const SHOWN = 40;

/** Shows the card as it will be printed, page by page. */
const preview = async (question) => {
  drawing?.abort();
  drawing = new AbortController();
  drawn = question.text;
  const sheet = await made(question, "card.json", drawing.signal).catch(() => null);
  if (!sheet) return;
  const pages = JSON.parse(await sheet.text());
  const page = (drawing, i) => {
    const address = URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" }));
    const title = pages.length > 1 ? `Page ${i + 1} of ${pages.length}` : "The card as it is printed";
    return element("figure", {}, element("img", { alt: title, class: "card", onload: () => URL.revokeObjectURL(address), src: address }), pages.length > 1 ? element("figcaption", {}, title) : null);
  };
  const rest = pages.length > SHOWN ? element("p", { class: "quiet" }, `${pages.length - SHOWN} more pages are in the PDF.`) : null;
  byId("preview").replaceChildren(...[...pages.slice(0, SHOWN).map(page), rest].filter(Boolean));
};

const copied = async (text, told) => {
  try { await navigator.clipboard.writeText(text); say(told); } catch { say("The browser does not let it be copied."); }
};

const copy = async (question) => {
  const sheet = await made(question, "experiment.toml");
  if (sheet) copied(await sheet.text(), "The file is copied.");
};

/** Offers the sheets that the program can make. */
export const offer = (question, known) => share.offer(question, known, { made, download });

export const wire = (question) => {
  byId("simulate").addEventListener("click", () => begin(question()));
  byId("preview-card").addEventListener("click", () => preview(question()));
  byId("copy-toml").addEventListener("click", () => copy(question()));
  byId("stop").addEventListener("click", () => ask(`/api/jobs/${current.id}`, { method: "DELETE" }));
};
