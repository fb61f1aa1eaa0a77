// @ts-check
// All that can be sent, printed or taken to another program, behind one button.

import { button, byId, element, say } from "./dom.js";

/** What is offered, by what it is for: words, and the sheet that is asked for.
 * @type {[string, string[][]][]} */
const SHEETS = [
  ["To print", [["Card (PDF)", "card.pdf"], ["Card (SVG)", "card.svg"], ["Card (PNG)", "card.png"]]],
  ["To send", [["Report page", "report.html"]]],
  ["A picture of the odds", [["Picture (SVG)", "chart.svg"]]],
  ["Numbers", [["Workbook (xlsx)", "odds.xlsx"], ["Table (CSV)", "cells.csv"], ["Table (Parquet)", "cells.parquet"], ["Answer (JSON)", "odds.json"]]],
  ["Layout programs", [["A row a card (CSV)", "rows.csv"]]],
  ["The question", [["Experiment (TOML)", "experiment.toml"]]],
];

/** A picture of pixels of a drawing, on the ground of the page. */
const pixels = async (drawing, scale = 2) => {
  const address = URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = element("canvas", { width: image.naturalWidth * scale, height: image.naturalHeight * scale });
    const ground = canvas.getContext("2d");
    ground.fillStyle = "#fff";
    ground.fillRect(0, 0, canvas.width, canvas.height);
    ground.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally { URL.revokeObjectURL(address); }
};

/** Copies the picture of the odds: as pixels, or as the text of its drawing. */
const copyPicture = async (made, question, as) => {
  const sheet = await made(question(), "chart.svg");
  if (!sheet) return;
  const drawing = await sheet.text();
  try {
    if (as === "svg") await navigator.clipboard.writeText(drawing);
    else await navigator.clipboard.write([new ClipboardItem({ "image/png": pixels(drawing) })]);
    say("The picture is copied.");
  } catch { say("The browser does not let it be copied: download it."); }
};

/** What a page cannot make, and how the program makes it. */
const elsewhere = (known) => {
  const labels = SHEETS.flatMap(([, sheets]) => sheets).filter(([, name]) => !known.includes(name)).map(([label]) => label);
  if (!labels.length) return [];
  return [element("li", { id: "elsewhere" }, element("h3", {}, "By the program"), element("p", {}, `${labels.join(", ")}: not in this page. Save the question to a file; in a terminal `, element("code", {}, "enfilade table FILE --format pdf"), " prints the card, and ", element("code", {}, "enfilade run FILE"), " writes the rest."))];
};

/** Offers the sheets that the program can make. `made` makes one, `download` keeps one. */
export const offer = (question, known, { made, download }) => {
  const row = ([title, sheets]) => {
    const own = sheets.filter(([, name]) => known.includes(name)).map(([label, name]) => button(label, () => download(question(), name), { "data-sheet": name }));
    if (title === "A picture of the odds" && own.length) own.push(button("Copy (PNG)", () => copyPicture(made, question, "png"), { id: "copy-png" }), button("Copy (SVG)", () => copyPicture(made, question, "svg")));
    return own.length ? element("li", {}, element("h3", {}, title), element("p", { class: "row" }, ...own)) : null;
  };
  byId("downloads").replaceChildren(...SHEETS.map(row).filter(Boolean), ...elsewhere(known));
};

export const wire = () => {
  byId("share-open").addEventListener("click", () => byId("share").showModal());
  byId("share-close").addEventListener("click", () => byId("share").close());
  byId("share-link").addEventListener("click", () => byId("link").click());
};
