// @ts-check
// What is another in B than in A: every field that differs, in the words of its form.

import { element } from "./dom.js";

const shown = (value) => (value === undefined ? "default" : typeof value === "object" && value !== null ? JSON.stringify(value).replace(/["{}[\]]/g, "").replace(/[:,]/g, (sign) => (sign === ":" ? " " : ", ")) : String(value));

const isTable = (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !("from" in value);

/** The fields in which two forms differ: labels, then, now. */
const differing = (forms, fields, then, now, before) => {
  const keys = [...new Set([...Object.keys(then), ...Object.keys(now)])];
  return keys.flatMap((key) => {
    const field = fields?.find((one) => one.name === key);
    const label = before + (field?.label || key), [a, b] = [then[key], now[key]];
    if (JSON.stringify(a) === JSON.stringify(b)) return [];
    if (isTable(a) && isTable(b)) return differing(forms, forms.groups[field?.fields], a, b, `${label}, `);
    const paired = [a, b].every((side) => Array.isArray(side) && side.every(isTable)) && a.length === b.length;
    if (paired) return a.flatMap((one, i) => differing(forms, forms.groups[field?.fields], one, b[i], `${label} ${i + 1}, `));
    return [{ label, then: shown(a), now: shown(b) }];
  });
};

/** A list of what was changed since A; nothing where nothing was. */
export const changes = (forms, action, then, now) => {
  const all = differing(forms, forms.groups[action?.fields], then, now, "");
  return all.length ? [element("ul", { class: "plain", id: "changed", "aria-label": "What differs from A" }, ...all.map((one) => element("li", {}, `${one.label}: ${one.then} → `, element("strong", {}, one.now))))] : [];
};
