// @ts-check
// A text box with line numbers, colours, marks under what is at fault, indentation that goes on, and a list of names.
// It stays a plain text box, which every keyboard, screen reader and telephone knows: the colours lie behind it.

import { coloured } from "./colours.js";
import { button, element } from "./dom.js";

/** @typedef {import("./types").FaultView} FaultView */
/** @typedef {{ back: number, names: { text: string, role: string, detail: string }[] }} Names */
/** @typedef {{ line: number, from: number, to: number, kind: string }} Mark */

const INDENT = 4, LEAST = 2, SHOWN = 8;
let number = 0;

/** How many of a line's characters come before a column, which counts letters and not their halves. */
const offset = (line, column) => Array.from(line).slice(0, column - 1).join("").length;

/** Where a place of a fault is in a text, from 0. */
export const placeOf = (text, line, column) => {
  const lines = text.split("\n"), before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return before + offset(lines[line - 1] ?? "", column);
};

/** The faults and remarks of a text as marks of its lines; one without a width marks the rest of its line.
 * @param {string} text
 * @param {FaultView[]} faults
 * @returns {Mark[]} */
export const marksOf = (text, faults) => {
  const lines = text.split("\n");
  return faults.filter((fault) => fault.line).map((fault) => {
    const line = lines[fault.line - 1] ?? "", from = offset(line, fault.column ?? 1);
    const to = fault.width ? offset(line, (fault.column ?? 1) + fault.width) : line.trimEnd().length;
    return { line: fault.line - 1, from: Math.min(from, Math.max(line.length - 1, 0)), to: Math.max(to, from + 1), kind: fault.severity };
  });
};

/** A line with its colours and marks, as parts one after the other. */
const drawnLine = (text, kind, marks) => {
  const looks = coloured(text, kind), edges = new Set([0, text.length, ...looks.flatMap(([from, to]) => [from, to]), ...marks.flatMap(({ from, to }) => [from, Math.min(to, text.length)])]);
  const places = [...edges].filter((at) => at <= text.length).sort((a, b) => a - b), parts = [];
  places.slice(0, -1).forEach((from, i) => {
    const to = places[i + 1], inside = (start, end) => start <= from && to <= end;
    const look = looks.findLast(([start, end]) => inside(start, end)), mark = marks.find((one) => inside(one.from, one.to));
    const classes = [look && `ink-${look[2]}`, mark && `mark-${mark.kind}`].filter(Boolean).join(" ");
    parts.push(classes ? element("span", { class: classes }, text.slice(from, to)) : text.slice(from, to));
  });
  // A mark behind the last letter has a place of its own.
  const behind = marks.find((mark) => mark.from >= text.length);
  if (behind) parts.push(element("span", { class: `mark-${behind.kind}` }, " "));
  return element("div", {}, ...parts);
};

/** Boxes that a text is being put into: a browser tells of each of its lines. */
const busy = new WeakSet();

/** Puts a text in the place of another, as if it were typed: the browser can undo it. */
const typed = (box, from, to, text) => {
  const { value } = box, wanted = value.slice(0, from) + text + value.slice(to);
  box.focus();
  box.setSelectionRange(from, to);
  busy.add(box);
  // The command is the one way into the history of a text box.
  if (text === "") document.execCommand("delete"); else document.execCommand("insertText", false, text);
  if (box.value !== wanted) { box.value = wanted; box.setSelectionRange(from + text.length, from + text.length); }
  busy.delete(box);
  box.dispatchEvent(new Event("input", { bubbles: true }));
};

/** The list of names below the cursor.
 * @param {any} box
 * @param {(text: string, at: number) => Promise<Names | null>} complete */
const namesBelow = (box, complete) => {
  const id = `names-${++number}`, list = element("ul", { role: "listbox", id, "aria-label": "Names that go on here", class: "completions", hidden: true });
  let back = 0, at = -1, asked = 0;
  const close = () => { list.hidden = true; at = -1; asked++; box.removeAttribute("aria-activedescendant"); };
  const options = () => /** @type {any[]} */ ([...list.children]);
  const go = (next) => {
    at = (next + options().length) % options().length;
    options().forEach((one, i) => one.setAttribute("aria-selected", String(i === at)));
    options()[at].scrollIntoView({ block: "nearest" });
    box.setAttribute("aria-activedescendant", options()[at].id);
  };
  const take = (i) => {
    const end = box.selectionStart, text = options()[i].dataset.name;
    close();
    typed(box, end - back, end, text);
    close();
  };
  const place = () => {
    const style = getComputedStyle(box), before = box.value.slice(0, box.selectionStart - back), line = before.slice(before.lastIndexOf("\n") + 1);
    const letter = list.parentElement.querySelector(".letter").getBoundingClientRect().width / 10, high = parseFloat(style.lineHeight);
    const x = box.offsetLeft + parseFloat(style.paddingLeft) + line.length * letter - box.scrollLeft, y = box.offsetTop + parseFloat(style.paddingTop) + before.split("\n").length * high - box.scrollTop;
    list.style.left = `${Math.max(0, Math.min(x, box.offsetLeft + box.clientWidth - list.offsetWidth))}px`;
    list.style.top = `${y + 2}px`;
  };
  /** Asks what goes on here; what was asked before a newer letter does not count. */
  const open = async (wanted) => {
    const own = ++asked, end = box.selectionStart, text = box.value;
    if (end !== box.selectionEnd) { close(); return; }
    const word = /[\p{L}\p{N}_]*$/u.exec(text.slice(0, end))[0], point = text[end - word.length - 1] === "." && text[end - word.length - 2] !== ".";
    if (!wanted && !point && word.length < LEAST) { close(); return; }
    let found = null;
    try { found = await complete(text, Array.from(text.slice(0, end)).length); } catch { /* the box works without */ }
    if (own !== asked || box.value !== text || box.selectionStart !== end) return;
    if (!found?.names?.length) { close(); return; }
    back = found.back;
    list.replaceChildren(...found.names.slice(0, SHOWN).map((one, i) => element("li", { role: "option", id: `${id}-${i}`, "aria-selected": "false", "data-name": one.text,
      onmousedown: (event) => { event.preventDefault(); take(i); } }, element("span", {}, one.text), element("small", {}, [one.role, one.detail].filter(Boolean).join(", ")))));
    list.hidden = false;
    at = -1;
    place();
    if (wanted) go(0);
  };
  /** Whether a key was for the list. */
  const key = (event) => {
    if (event.key === " " && event.ctrlKey) { open(true); return true; }
    if (list.hidden) return false;
    if (event.key === "ArrowDown") go(at + 1);
    else if (event.key === "ArrowUp") go(at < 0 ? -1 : at - 1);
    else if (event.key === "Escape") close();
    else if (event.key === "Tab" && !event.shiftKey) take(Math.max(at, 0));
    else if (event.key === "Enter" && at >= 0) take(at);
    else { if (["Enter", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"].includes(event.key)) close(); return false; }
    return true;
  };
  box.setAttribute("aria-autocomplete", "list");
  box.setAttribute("aria-controls", id);
  box.addEventListener("blur", close);
  box.addEventListener("scroll", close);
  box.addEventListener("mousedown", close);
  return { list, key, open, close };
};

/** A new line begins where the one above it does, and deeper behind a colon. */
const newLine = (box) => {
  const { value, selectionStart: from, selectionEnd: to } = box, line = value.slice(value.lastIndexOf("\n", from - 1) + 1, from);
  const blanks = /^ */.exec(line)[0].length, opens = /:\s*(?:--.*)?$/.test(line) ? INDENT : 0;
  if (!blanks && !opens) return false;
  typed(box, from, to, `\n${" ".repeat(blanks + opens)}`);
  return true;
};

/** One step of indentation is one key to go back over. */
const stepBack = (box) => {
  const { value, selectionStart: from, selectionEnd: to } = box, line = value.slice(value.lastIndexOf("\n", from - 1) + 1, from);
  if (from !== to || !line || line.trim()) return false;
  typed(box, from - ((line.length - 1) % INDENT) - 1, from, "");
  return true;
};

/** Dresses a text box: what it is framed in, and what may be done with it. `kind` is of its colours, and `complete` gives
 * the names that may go on at a place.
 * @param {any} box
 * @param {{ kind: string, complete?: ((text: string, at: number) => Promise<Names | null>) | null }} how */
export const dress = (box, { kind, complete = null }) => {
  const count = element("div"), numbers = element("pre", { class: "line-numbers", "aria-hidden": "true" }, count), inner = element("div"), colours = element("pre", { class: "colours", "aria-hidden": "true" }, inner, element("span", { class: "letter" }, "0000000000"));
  const names = complete && namesBelow(box, complete), frame = element("div", { class: "editor" });
  let lines = [], marks = [], marked = new Map();
  const markedBy = (i) => marks.filter((mark) => mark.line === i);
  /** One number for each line; those of marked lines have the look of the worst mark. */
  const number = () => {
    while (count.childElementCount > lines.length) count.lastChild.remove();
    while (count.childElementCount < lines.length) count.append(element("div", {}, String(count.childElementCount + 1)));
    const kinds = new Map(marks.map((mark) => [mark.line, mark.kind]));
    for (const mark of marks) if (mark.kind === "fault") kinds.set(mark.line, "fault");
    for (const line of new Set([...marked.keys(), ...kinds.keys()])) if (marked.get(line) !== kinds.get(line) && count.children[line]) count.children[line].className = kinds.get(line) ?? "";
    marked = kinds;
  };
  const follow = () => {
    inner.style.transform = `translate(${-box.scrollLeft}px, ${-box.scrollTop}px)`;
    count.style.transform = `translateY(${-box.scrollTop}px)`;
  };
  /** Draws the lines that are others than before, and those whose marks are. */
  const draw = (all = false) => {
    const next = box.value.split("\n");
    let head = 0, tail = 0;
    if (!all) {
      while (head < Math.min(lines.length, next.length) && lines[head] === next[head]) head++;
      while (tail < Math.min(lines.length, next.length) - head && lines.at(-1 - tail) === next.at(-1 - tail)) tail++;
      // Marks below go with their lines; those of the lines between are of a text that is gone.
      const longer = next.length - lines.length, end = lines.length - tail;
      marks = marks.filter((mark) => mark.line < head || mark.line >= end).map((mark) => (mark.line >= end ? { ...mark, line: mark.line + longer } : mark));
    }
    const gone = [...inner.children].slice(head, lines.length - tail), after = inner.children[lines.length - tail] ?? null;
    const drawn = next.slice(head, next.length - tail).map((line, i) => drawnLine(line, kind, markedBy(head + i)));
    lines = next;
    for (const one of gone) one.remove();
    const made = document.createDocumentFragment();
    made.append(...drawn);
    inner.insertBefore(made, after);
    number();
  };
  /** Marks what is at fault. */
  const mark = (faults) => {
    const before = new Set(marks.map(({ line }) => line));
    marks = marksOf(box.value, faults);
    for (const i of new Set([...before, ...marks.map(({ line }) => line)])) inner.children[i]?.replaceWith(drawnLine(lines[i] ?? "", kind, markedBy(i)));
    number();
  };
  box.classList.add("dressed");
  box.setAttribute("wrap", "off");
  for (const off of ["autocapitalize", "autocorrect"]) box.setAttribute(off, "off");
  // In the capture: what is put in piece by piece is one change to everybody else.
  box.addEventListener("input", (event) => {
    if (busy.has(box)) { event.stopImmediatePropagation(); return; }
    draw();
    if (names && event.inputType) names.open(false);
  }, true);
  box.addEventListener("scroll", follow);
  box.addEventListener("keydown", (event) => {
    if (names?.key(event)) { event.preventDefault(); event.stopPropagation(); }
    else if (event.key === "Backspace" && kind === "rules" && !event.ctrlKey && !event.metaKey && !event.altKey && stepBack(box)) event.preventDefault();
  });
  box.addEventListener("beforeinput", (event) => { if (!busy.has(box) && event.inputType === "insertLineBreak" && kind === "rules" && newLine(box)) event.preventDefault(); });
  frame.append(numbers, element("div", { class: "sheet" }, colours, box, ...(names ? [names.list] : [])));
  return { frame, draw, mark, go: (line, column) => { const at = placeOf(box.value, line, column); box.focus(); box.setSelectionRange(at, at); },
    type: (from, to, text) => typed(box, from, to, text) };
};

/** The faults and remarks below a box: each goes to its place, and has its mend beside it where one is known. */
export const faultList = (box, dressed, faults, remarks) => {
  const line = (kind) => (fault) => {
    const { mend } = fault;
    const help = fault.help ? `; ${fault.help}` : "", text = fault.line ? box.value.split("\n")[fault.line - 1] ?? "" : "";
    const put = () => {
      const at = placeOf(box.value, mend.line, mend.column), row = box.value.slice(at).split("\n")[0];
      dressed.type(at, at + offset(row, mend.width + 1), mend.text);
    };
    return element("li", { class: fault.severity }, button(`${kind}${fault.line ? ` in line ${fault.line}` : ""}: ${fault.problem}${help}\n    ${text}`, () => dressed.go(fault.line ?? 1, fault.column ?? 1)),
      mend ? button(`Write ${mend.text}`, put, { class: "mend" }) : null);
  };
  return [...faults.map(line("Fault")), ...remarks.map(line("Remark"))];
};
