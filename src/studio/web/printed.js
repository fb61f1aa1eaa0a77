// @ts-check
// The numbers that are printed with what a form names, beside the boxes that say none.

import { plain, steps } from "./form_paths.js";

/** Shows the numbers that are printed with what is named, by their paths, where a form says none: ready to be dragged.
 * @param {HTMLElement} place
 * @param {Record<string, number>} numbers */
export const showPrinted = (place, numbers) => {
  const known = new Map(Object.entries(numbers).map(([path, number]) => [plain(steps(path)), number]));
  for (const own of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll(".field[data-path]"))) {
    const box = /** @type {HTMLInputElement | null} */ (own.querySelector(":scope > .control > input[type=number]"));
    const number = known.get(own.dataset.path);
    if (!box || (number === undefined && own.dataset.printed === undefined)) continue;
    own.dataset.given ??= box.placeholder;
    box.placeholder = number === undefined ? own.dataset.given : String(number);
    const slider = /** @type {HTMLInputElement | null} */ (own.querySelector(":scope > .control > input[type=range]"));
    if (slider && box.value === "" && number !== undefined) slider.value = String(number);
    if (number === undefined) delete own.dataset.printed; else own.dataset.printed = String(number);
  }
};
