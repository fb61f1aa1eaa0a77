// How a number comes about: one way in which the dice fall so, told step by step, with dice to turn.

import { ask } from "./ask.js";
import { button, byId, element } from "./dom.js";

let question = null, wanted = null, seed = 0;

const tell = async (faces) => {
  const reply = await ask("/api/explain", { method: "POST", body: { ...question, wanted: faces ? null : wanted, faces: faces || [], seed } });
  if (reply.faults || reply.error) {
    byId("steps").replaceChildren();
    byId("outcome").textContent = reply.error || reply.faults.map((fault) => fault.problem).join("; ");
    return;
  }
  const shown = reply.steps.flatMap((step) => step.dice.map((die) => die[1]));
  let at = 0;
  byId("steps").replaceChildren(...reply.steps.map((step) => {
    const dice = step.dice.map(([sides, face]) => {
      const place = at++;
      // A die that is turned keeps those before it; those after it fall anew.
      return button(`${face}`, () => tell([...shown.slice(0, place), (face % sides) + 1]), { class: "die", "aria-label": `d${sides} shows ${face}; press for ${(face % sides) + 1}`, title: `d${sides}` });
    });
    return element("li", {}, ...dice, element("span", {}, [...step.decided, step.text].join(" ")), step.rule ? element("span", { class: "quiet" }, ` [${step.rule}]`) : null);
  }));
  byId("outcome").textContent = reply.outcome ? `Outcome: ${reply.outcome}.` : "Not over yet.";
};

/** Tells a way to the outcome with these values. */
export const open = (asked, values) => {
  [question, wanted, seed] = [asked, values, 1];
  tell(null);
  if (!byId("why").open) byId("why").showModal();
};

export const wire = () => {
  byId("why-close").addEventListener("click", () => byId("why").close());
  byId("again").addEventListener("click", () => { seed += 1000; tell(null); });
};
