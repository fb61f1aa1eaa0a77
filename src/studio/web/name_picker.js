// @ts-check
// A name chosen from a long list by what one types: `47` finds 4-4-7.

import { element } from "./dom.js";

const MOST = 40;
const bare = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}+]/gu, "");

/** Those of `names` that are meant: what begins so, then what has it somewhere. */
export const meant = (names, typed) => {
  const wanted = bare(typed);
  if (!wanted) return names.slice(0, MOST);
  const places = names.map((name) => [bare(name).indexOf(wanted), name]).filter(([place]) => place >= 0);
  const loose = places.length ? [] : names.filter((name) => {
    let rest = bare(name);
    return [...wanted].every((letter) => { const at = rest.indexOf(letter); rest = rest.slice(at + 1); return at >= 0; });
  });
  return [...places.sort((a, b) => a[0] - b[0]).map(([, name]) => name), ...loose].slice(0, MOST);
};

let count = 0;

/** A box to type a name in, with the list of those meant below it. `chosen` is called with the name.
 * @param {{ names: string[], value?: any, label: string, placeholder: string, id?: string, describedby?: string, chosen: (name: string) => void }} asked */
export const nameBox = ({ names, value, label, placeholder, id, describedby, chosen }) => {
  const list = element("ul", { role: "listbox", id: `names-${++count}`, hidden: true, "aria-label": label });
  const box = element("input", {
    id, role: "combobox", "aria-expanded": "false", "aria-controls": list.id, "aria-autocomplete": "list", "aria-label": id ? null : label,
    "aria-describedby": describedby, placeholder, spellcheck: "false", autocomplete: "off", value: value ?? "",
  });
  let active = -1;
  const close = () => { list.hidden = true; active = -1; box.setAttribute("aria-expanded", "false"); box.removeAttribute("aria-activedescendant"); };
  const take = (name) => { box.value = name; close(); chosen(name); };
  const mark = (to) => {
    const options = [...list.children];
    options.forEach((option) => option.setAttribute("aria-selected", "false"));
    active = (to + options.length) % options.length;
    options[active].setAttribute("aria-selected", "true");
    options[active].scrollIntoView({ block: "nearest" });
    box.setAttribute("aria-activedescendant", options[active].id);
  };
  const open = () => {
    const found = meant(names, box.value === value ? "" : box.value);
    list.replaceChildren(...found.map((name, i) => element("li", {
      role: "option", id: `${list.id}-${i}`, "aria-selected": "false",
      onmousedown: (event) => { event.preventDefault(); take(name); },
    }, name)));
    list.hidden = found.length === 0;
    active = -1;
    box.setAttribute("aria-expanded", String(found.length > 0));
  };
  box.addEventListener("focus", () => box.select());
  box.addEventListener("click", open);
  box.addEventListener("input", () => {
    open();
    // What is a name already, and what was cleared, counts at once; the rest when the box is left.
    if (names.includes(box.value) || !box.value) chosen(box.value || undefined);
  });
  box.addEventListener("keydown", (event) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move) {
      event.preventDefault();
      if (list.hidden) open();
      if (!list.hidden) mark(active + move);
    } else if (event.key === "Enter") {
      event.preventDefault();
      const option = list.children[Math.max(active, 0)];
      if (!list.hidden && option) take(option.textContent);
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      close();
    }
  });
  box.addEventListener("blur", () => { close(); if (box.value !== (value ?? "")) chosen(box.value || undefined); });
  return element("span", { class: "names" }, box, list);
};
