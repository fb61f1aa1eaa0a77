// @ts-check
// The dice box: what is typed has its law at once, several expressions side by side.

import { newest } from "./requests.js";
import { byId, element } from "./dom.js";

const REST = 30, MOST = 120;
let timer = 0;
/** @type {import("./types").DistributionJson[]} */
let laws = [];

// What is typed now stops what was typed before.
/** @type {import("./requests.js").Door<import("./types").DiceReply>} */
const counted = newest("/api/dice");

const percent = (share) => (share === undefined ? "" : share > 0 && share < 5e-5 ? "<0.01 %" : share < 1 && share > 0.99995 ? ">99.99 %" : `${(100 * share).toFixed(2)} %`);

const word = (value) => (value === true ? "yes" : value === false ? "no" : String(value));

/** A row for every value that one of the laws can have.
 * @param {"exact" | "at_least"} of */
const rows = (of) => {
  const values = [...new Map(laws.flatMap((law) => law.values.map((one) => [word(one.value), one.value]))).values()];
  if (values.every((value) => typeof value === "number")) values.sort((a, b) => a - b);
  const most = Math.max(...laws.flatMap((law) => law.values.map((one) => one[of])), 1e-9);
  return values.slice(0, MOST).map((value) => element("tr", {}, element("th", { scope: "row" }, word(value)), ...laws.flatMap((law) => {
    const one = law.values.find((known) => known.value === value);
    const bar = element("span", { class: "bar" });
    bar.style.inlineSize = `${(100 * (one?.[of] ?? 0)) / most}%`;
    return [element("td", { class: "n" }, percent(one?.[of])), element("td", { class: "scale", "aria-hidden": "true" }, bar)];
  })));
};

/** @param {import("./types").DiceReply} reply */
const show = (reply) => {
  const faults = (reply.faults || []).map((fault) => element("p", { class: "alarm" }, [fault.problem, fault.help].filter(Boolean).join("; ")));
  byId("dice-said").replaceChildren(...faults, ...(reply.said || []).map((text) => element("p", { class: "quiet" }, text)));
  laws = reply.laws || [];
  if (!laws.length) { byId("dice-law").replaceChildren(); return; }
  const heads = laws.flatMap((law) => [element("th", { scope: "col", class: "n" }, law.expression), element("td", { class: "scale" })]);
  byId("dice-law").replaceChildren(element("table", {}, element("caption", {}, "How often each value comes up"),
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "value"), ...heads)),
    element("tbody", {}, ...rows(byId("dice-least").checked ? "at_least" : "exact"))));
};

const rolled = async () => {
  try {
    const reply = await counted({ text: byId("dice").value });
    if (reply) show(reply);
  } catch { /* it was told */ }
};

export const wire = () => {
  byId("dice").addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(rolled, REST); });
  byId("dice-least").addEventListener("input", rolled);
};
