// A rulebook in a text file: faults under their lines while one writes, and the odds of its first
// question beside it.

import { ask } from "./ask.js";
import { button, byId, element } from "./dom.js";
import * as files from "./files.js";
import { answer, headline } from "./answer.js";

const REST = 150;
let timer = 0, number = 0;

/** Opens the editor in the place of the form. */
export const open = (file, desk) => {
  let { hash } = file;
  const box = element("textarea", { rows: 26, spellcheck: "false", "aria-label": `The rulebook ${file.name}`, id: "rulebook" });
  box.value = file.text;
  const said = element("ul", { class: "editor-faults", role: "status", id: "rule-faults" });
  const title = element("h2", {}, file.name);
  const choice = element("select", { "aria-label": "Question", id: "rule-question" });
  let questions = [];

  const show = (reply) => {
    const go = (fault) => () => {
      const start = box.value.split("\n").slice(0, fault.line - 1).join("\n").length + (fault.line > 1 ? 1 : 0);
      box.focus();
      box.setSelectionRange(start + fault.column - 1, start + fault.column - 1);
    };
    const line = (kind) => (fault) => element("li", {}, button(`${kind} in line ${fault.line}: ${fault.problem}${fault.help ? `; ${fault.help}` : ""}\n    ${box.value.split("\n")[fault.line - 1] ?? ""}`, go(fault)));
    said.replaceChildren(...(reply.faults || []).map(line("Fault")), ...(reply.warnings || []).map(line("Remark")));
    if (reply.questions) {
      const chosen = choice.value;
      questions = reply.questions;
      choice.replaceChildren(...questions.map((one, i) => element("option", { value: i, selected: String(i) === chosen }, one.question)));
    }
    byId("mend").hidden = true;
    if (reply.odds?.told) {
      byId("headline").replaceChildren(...headline(reply.odds.told, null));
      byId("answer").replaceChildren(...answer(reply.odds.told, null, () => {}));
    } else if (reply.odds?.faults) byId("headline").replaceChildren(element("p", { class: "alarm" }, reply.odds.faults.map((fault) => fault.problem).join("; ")));
    byId("grid").replaceChildren();
    byId("timing").textContent = "";
  };
  const check = async () => {
    const own = ++number;
    const reply = await ask("/api/rules", { method: "POST", body: { name: file.name, text: box.value, question: Number(choice.value) || 0 } });
    if (own === number) show(reply);
  };
  box.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(check, REST); });
  choice.addEventListener("input", check);
  const save = () => files.put(file.name, box.value, hash, (next) => { hash = next; desk.reload(); });
  const ask_it = () => desk.open({ name: "", hash: null, saved: "", text: questions[Number(choice.value)].file, contest: 0, form: null, cell: 0 });
  desk.saver(save);
  byId("tiles").hidden = true;
  byId("desk").hidden = false;
  byId("about").textContent = "";
  byId("faults").replaceChildren();
  byId("file-title").textContent = file.name;
  byId("form").hidden = false;
  byId("text-row").hidden = true;
  byId("form").replaceChildren(title, element("p", { class: "row" }, choice, button("Open as a question", ask_it), button("Save rulebook", save)), box, said);
  check();
};
