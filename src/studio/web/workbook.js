// @ts-check
// A workbook (.xlsx) as tables of texts. It is a zip of XML files, and the browser itself inflates and parses both.

/** A sheet: its name, and its cells row by row.
 * @typedef {{ name: string, rows: string[][] }} Sheet */

/** Bytes of a part when it is inflated, rows and columns that are read, and sheets. */
const LARGE = 1 << 26, ROWS = 10_000, COLUMNS = 256, SHEETS = 40;
const CENTRAL = 0x02014b50, END = 0x06054b50, END_LENGTH = 22, LONGEST_COMMENT = 65_535;

/** Inflates a part, and gives up where it is too large: a small file may claim gigabytes. */
const inflated = async (bytes, method) => {
  if (method === 0) return bytes;
  if (method !== 8) throw new Error("it is packed in an unknown way");
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > LARGE) { await reader.cancel(); throw new Error("it is too large"); }
    parts.push(value);
  }
};

/** Where the list of a zip's parts begins, and how many there are. */
const directory = (view) => {
  for (let at = view.byteLength - END_LENGTH; at >= Math.max(0, view.byteLength - END_LENGTH - LONGEST_COMMENT); at--) {
    if (view.getUint32(at, true) === END) return { at: view.getUint32(at + 16, true), count: view.getUint16(at + 10, true) };
  }
  throw new Error("it is no workbook");
};

/** The parts of a zip by their names, each read when it is asked for.
 * @param {ArrayBuffer} buffer */
const partsOf = (buffer) => {
  const view = new DataView(buffer), found = new Map(), text = new TextDecoder();
  let { at, count } = directory(view);
  for (; count > 0; count--) {
    if (view.getUint32(at, true) !== CENTRAL) throw new Error("it is damaged");
    const [method, packed, name, extra, remark, begin] = [view.getUint16(at + 10, true), view.getUint32(at + 20, true), view.getUint16(at + 28, true), view.getUint16(at + 30, true), view.getUint16(at + 32, true), view.getUint32(at + 42, true)];
    found.set(text.decode(new Uint8Array(buffer, at + 46, name)), { method, packed, begin });
    at += 46 + name + extra + remark;
  }
  return {
    /** The text of a part; null where there is none. */
    read: async (name) => {
      const part = found.get(name);
      if (!part) return null;
      const from = part.begin + 30 + view.getUint16(part.begin + 26, true) + view.getUint16(part.begin + 28, true);
      return text.decode(await inflated(new Uint8Array(buffer, from, part.packed), part.method));
    },
  };
};

/** The only texts that this page may parse as markup, where a browser asks for a policy: XML, in which nothing runs.
 * @type {{ createHTML: (text: string) => any } | undefined} */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("workbook", { createHTML: (text) => text });

/** The XML of a part; null where there is none.
 * @returns {Promise<Document | null>} */
const xml = async (parts, name) => {
  const text = await parts.read(name), made = text === null ? null : new DOMParser().parseFromString(policy?.createHTML(text) ?? text, "application/xml");
  if (made?.getElementsByTagName("parsererror").length) throw new Error("it is damaged");
  return made;
};

/** Elements of this name, whatever letters stand before it.
 * @param {Document | Element} within
 * @returns {Element[]} */
const all = (within, name) => [...within.getElementsByTagNameNS("*", name)];

/** The words of a text, without how they are read aloud. */
const words = (item) => all(item, "t").filter((one) => one.parentElement?.localName !== "rPh").map((one) => one.textContent).join("");

/** The column of `BC12`, from 0. */
const columnOf = (place) => [.../^[A-Z]*/.exec(place)[0]].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1;

/** What stands in a cell: numbers as one types them, without the digits that rounding adds. */
const contentOf = (cell, texts) => {
  const kind = cell.getAttribute("t") ?? "n", value = all(cell, "v")[0]?.textContent ?? "";
  if (kind === "s") return texts[Number(value)] ?? "";
  if (kind === "inlineStr") return words(cell);
  if (kind === "b") return value === "1" ? "true" : "false";
  if (kind !== "n" || value === "" || !Number.isFinite(Number(value))) return value;
  return String(Number(Number(value).toPrecision(15)));
};

/** @param {Document} sheet
 * @param {string[]} texts */
const rowsOf = (sheet, texts) => {
  const rows = [];
  let next = 0;
  for (const row of all(sheet, "row")) {
    const at = Number(row.getAttribute("r") ?? next + 1) - 1, cells = [];
    next = at + 1;
    if (!(at >= 0 && at < ROWS)) continue;
    for (const cell of all(row, "c")) {
      const place = cell.getAttribute("r"), column = place ? columnOf(place) : cells.length;
      if (column >= 0 && column < COLUMNS) cells[column] = contentOf(cell, texts).trim();
    }
    rows[at] = cells;
  }
  const wide = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return rows.map((row) => Array.from({ length: wide }, (_, i) => row[i] ?? "")).filter((row) => row.some((cell) => cell !== ""));
};

/** The sheets of a workbook that hold anything, in their order.
 * @param {ArrayBuffer} buffer
 * @returns {Promise<Sheet[]>} */
export const sheetsOf = async (buffer) => {
  const parts = partsOf(buffer), book = await xml(parts, "xl/workbook.xml"), links = await xml(parts, "xl/_rels/workbook.xml.rels");
  if (!book || !links) throw new Error("it is no workbook");
  const shared = await xml(parts, "xl/sharedStrings.xml");
  const texts = shared ? all(shared, "si").map(words) : [];
  const targets = new Map(all(links, "Relationship").map((one) => [one.getAttribute("Id"), one.getAttribute("Target")]));
  const found = [];
  for (const sheet of all(book, "sheet").slice(0, SHEETS)) {
    const target = targets.get([...sheet.attributes].find((one) => one.localName === "id")?.value) ?? "";
    const part = await xml(parts, target.startsWith("/") ? target.slice(1) : `xl/${target}`);
    const rows = part ? rowsOf(part, texts) : [];
    if (rows.length) found.push({ name: sheet.getAttribute("name") ?? "", rows });
  }
  return found;
};
