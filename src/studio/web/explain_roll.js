// @ts-check
// One way in which the dice fall, told step by step, with dice that can be turned.

import { newest } from "./requests.js";
import { button, element } from "./dom.js";

/** Shows ways in two places of the page: their steps, and how they end. `ask` has the question and what the way is
 * to come to; the returned function rolls anew. */
export const rolls = (steps, outcome) => {
  // A way that is asked for stops the one before.
  /** @type {import("./requests.js").Door<import("./types").RollExplanation>} */
  const way = newest("/api/explain");
  /** @type {{ wanted?: number[], measure?: string }} */
  let asked = {};
  let seed = 1;
  /** What the die in each place showed last, its sides first: a way that grows longer again finds its dice. */
  let known = [];
  const tell = async (faces) => {
    const wanted = faces ? { wanted: null, measure: null, faces } : { faces: [] };
    const reply = await way({ ...asked, ...wanted, seed });
    if (!reply) return;
    if (reply.faults || reply.error) {
      steps.replaceChildren();
      outcome.textContent = reply.error || reply.faults.map((fault) => fault.problem).join("; ");
      return;
    }
    const shown = reply.steps.flatMap((step) => step.dice);
    known = [...shown, ...(faces ? known.slice(shown.length) : [])];
    let at = 0;
    steps.replaceChildren(...reply.steps.map((step) => {
      const dice = step.dice.map(([sides, face]) => {
        const place = at++, next = (face % sides) + 1;
        // The others keep their faces; one falls anew only where there was none, or one of other sides.
        return button(`${face}`, () => tell(known.with(place, [sides, next])), { class: "die", "aria-label": `d${sides} shows ${face}; press for ${next}`, title: `d${sides}` });
      });
      return element("li", {}, ...dice, element("span", {}, [...step.decided, step.text].join(" ")), step.rule ? element("span", { class: "quiet" }, ` [${step.rule}]`) : null);
    }));
    const near = asked.wanted || asked.measure ? reply.found || faces : true;
    outcome.textContent = `${near ? "" : "None of 20 000 rolls came to it; this is one of them. "}${reply.outcome ? `Outcome: ${reply.outcome}.` : "Not over yet."}`;
  };
  return {
    open: (question) => { [asked, seed] = [question, 1]; return tell(null); },
    again: () => { [seed, known] = [seed + 1000, []]; return tell(null); },
  };
};
