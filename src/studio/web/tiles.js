// @ts-check
// The start: every action of every game as a tile with its question.

import { button, byId, element } from "./dom.js";

/** Opens the text of a question that is in no file yet. */
let begin = (_) => {};

/** @param {import("./types").SystemTiles} system
 * @param {import("./types").ActionTile} action */
const tile = (system, action) => {
  const [first, ...others] = action.questions;
  if (!first) return null;
  const more = others.length ? element("details", {}, element("summary", {}, `${others.length} more ready`),
    ...others.map((one) => button(one.question || action.about, () => begin(one.file), { class: "tile" }))) : null;
  return element("li", { "data-action": `${system.id} ${action.name}` }, button("", () => begin(first.file), { class: "tile" }), more);
};

/** Draws the tiles that fit what is sought.
 * @param {import("./types").TilesReply} tiles */
export const draw = (tiles) => {
  const wanted = byId("search").value.toLowerCase();
  const systems = tiles.systems.map((system) => {
    const fits = (action) => [system.title, action.label, action.about, action.question].join(" ").toLowerCase().includes(wanted);
    const items = system.actions.filter(fits).map((action) => {
      const item = tile(system, action);
      item?.firstChild.append(element("strong", {}, action.label), element("span", {}, action.question || action.about));
      return item;
    });
    const kept = items.filter(Boolean);
    const arsenal = system.arsenal && `prices weapons cost arsenal ${system.title}`.toLowerCase().includes(wanted)
      ? element("li", { "data-prices": system.id }, button("", () => begin(system.arsenal), { class: "tile" })) : null;
    arsenal?.firstChild.append(element("strong", {}, "prices"), element("span", {}, "What should its weapons cost? A table of weapons, and what they meet."));
    kept.push(...(arsenal ? [arsenal] : []));
    const open = Boolean(wanted) || matchMedia("(min-width: 50rem)").matches;
    return kept.length ? element("details", { class: "system", open }, element("summary", {}, element("h3", {}, system.title)), element("ul", { class: "tiles" }, ...kept)) : null;
  });
  byId("systems").replaceChildren(...systems.filter(Boolean));
};

/** `opened` is called with the text of a question. */
export const wire = (opened) => { begin = opened; };
