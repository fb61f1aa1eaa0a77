// @ts-check
// What takes longer than a key has, worked out on purpose: a bar, how many squares there are, and a way to stop it.

import { ask } from "./requests.js";
import { byId } from "./dom.js";
import { events } from "./jobs.js";

/** @typedef {import("./types").JobEvent} JobEvent */

let current = null;

/** A number as the program writes it. */
export const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");

const running = (on) => {
  byId("work").hidden = !on;
  byId("wait").hidden = on;
  byId("work-said").textContent = "";
  byId("work-part").removeAttribute("value");
};

/** How far it is: of one square nobody knows.
 * @param {JobEvent} event */
const follow = (event) => {
  const [done, of] = event.squares || [0, 0];
  if (of > 1) [byId("work-part").value, byId("work-said").textContent] = [done / of, `${grouped(done)} of ${grouped(of)} squares`];
};

/** Works a question out. What came of it, as an answer has it; null where it did not begin, or was given up. */
export const out = async (question) => {
  await drop();
  /** @type {import("./types").JobIdReply & import("./requests.js").Said} */
  const job = await ask("/api/jobs", { method: "POST", body: { ...question, exact: true } });
  if (job.error) { byId("slow-said").textContent = `Not yet: ${job.error}.`; return null; }
  const own = current = { id: job.id };
  running(true);
  const ends = /** @type {JobEvent[]} */ ([]);
  try { await events(job.id, (event) => { if (current === own) follow(event); if (event.done) ends.push(event); }); } catch { /* it was told */ }
  if (current !== own) return null;
  current = null;
  running(false);
  const [last] = ends;
  return last ? { faults: last.faults, ...last.worked } : null;
};

/** Stops it; what there is of it is shown. */
export const stop = () => current && ask(`/api/jobs/${current.id}`, { method: "DELETE" });

/** Gives it up: another question stands there. */
export const drop = async () => {
  if (!current) return;
  const { id } = current;
  current = null;
  running(false);
  try { await ask(`/api/jobs/${id}`, { method: "DELETE" }); } catch { /* it was told */ }
};

/** Says of an answer what it lacks, and offers to work that out where that can be done here; `name` is the file's.
 * @param {Partial<import("./types").LiveReply & import("./types").SolvedCellAndGridView> | null} reply */
export const lacking = (reply, name = "") => {
  byId("slow").hidden = !reply?.slow && !reply?.vast;
  byId("wait").hidden = byId("simulate-slow").hidden = Boolean(reply?.beyond);
  const [done, of] = reply?.squares || [];
  byId("slow-said").textContent = reply?.beyond ? `${grouped(reply.cells)} squares are more than a page can hold: save it, and let the terminal work on it, enfilade sweep run ${name || "question.toml"}` : reply?.vast ? `${grouped(reply.cells)} squares: too many to draw while you type.`
    : done < of ? `Stopped: ${grouped(done)} of ${grouped(of)} squares are worked out.` : "This takes long.";
};
