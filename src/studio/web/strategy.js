// @ts-check
// Best play at the decisions of a contest: the shortest rules, what a simpler one costs, and the situations. It is
// solved when it is unfolded.

import { newest } from "./requests.js";
import { drawBlocks } from "./blocks.js";
import { byId, element } from "./dom.js";

/** @type {import("./requests.js").Door<import("./types").StrategyReply>} */
const door = newest("/api/strategy");
/** The question that is asked. */
let question = () => ({});

const seek = async () => {
  const place = byId("play-found");
  let reply;
  try { reply = await door(question()); } catch { return; }
  if (!reply) return;
  const faults = (reply.faults ?? []).map((fault) => element("p", { class: "alarm" }, fault.problem));
  place.replaceChildren(...faults, ...drawBlocks(reply.blocks ?? []));
};

/** Follows an answer to the question that `asked` returns: where players decide, best play can be unfolded.
 * @param {number | undefined} decisions
 * @param {() => Record<string, any>} asked */
export const follow = (decisions, asked) => {
  const place = byId("play");
  question = asked;
  place.hidden = !decisions;
  byId("play-found").replaceChildren();
  if (decisions && place.open) seek();
};

export const wire = () => byId("play").addEventListener("toggle", () => byId("play").open && seek());
