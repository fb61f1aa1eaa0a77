// @ts-check
// Elements made by hand. Words reach the page as text nodes only, never as markup.

/** An element of the page, whose kind the page knows.
 * @param {string} id
 * @returns {any} */
export const byId = (id) => document.getElementById(id);

/** An element with attributes and children; an attribute that is false or null is left out.
 * @param {string} name
 * @param {Record<string, any>} attributes
 * @param {(Node | string | null | undefined)[]} children
 * @returns {any} */
export const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
};

/** The same in a drawing. */
export const drawn = (name, attributes = {}, ...children) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
};

export const button = (text, onclick, attributes = {}) =>
  element("button", { type: "button", onclick, ...attributes }, text);

let quiet = 0;

/** Says something in passing, to eyes and to screen readers. */
export const say = (text) => {
  clearTimeout(quiet);
  byId("said").textContent = text;
  quiet = setTimeout(() => { byId("said").textContent = ""; }, 4000);
};

/** Says of the answer that it is of a text which is no longer there, and shows it so. */
export const behind = (on) => {
  byId("odds").classList.toggle("behind", on);
  byId("behind").hidden = !on;
};
