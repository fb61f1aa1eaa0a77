// @ts-check
// Rows of a table in a rulebook's text: its lines, by the places of their cells in bytes. What else stands there,
// remarks too, is left as it is; a row that goes takes the remark on its own line with it.

const coded = new TextEncoder(), decoded = new TextDecoder();

/** How many bytes a text has. */
export const wide = (text) => coded.encode(text).length;

/** The text with another one between two of its bytes. */
export const spliced = (text, from, to, put) => {
  const bytes = coded.encode(text);
  return decoded.decode(bytes.slice(0, from)) + put + decoded.decode(bytes.slice(to));
};

/** As a cell stands in a file: one with blanks, or with nothing in it, in quotes. */
export const quoted = (text) => {
  const bare = text.replace(/["\n]/g, "");
  return bare === "" || /\s|--/.test(bare) ? `"${bare}"` : bare;
};

/** Where the line of a row begins and ends, its end included; null where other things stand before it on its line. */
const line = (bytes, row) => {
  const from = bytes.lastIndexOf(10, row[0][1]) + 1, end = bytes.indexOf(10, row.at(-1)[2]);
  const blank = bytes.slice(from, row[0][1]).every((one) => one === 32);
  return blank ? [from, end < 0 ? bytes.length : end + 1] : null;
};

/** A key that comes after this one and is not taken: the next number, the next range as wide, the next of a name. */
export const fresh = (key, taken) => {
  const [, first, range, end] = /^([+-]?\d+)?(\.\.)?([+-]?\d+)?$/.exec(key) || [];
  if (range && first && end) return `${Number(end) + 1}..${2 * Number(end) + 1 - Number(first)}`;
  if (first || end) return `${Number(end || first) + 1}${range && !end ? ".." : ""}`;
  const name = key.replace(/ \d+$/, "");
  for (let number = 2; ; number++) if (!taken.includes(`${name} ${number}`)) return `${name} ${number}`;
};

/** Which of these rows are lines of their own. */
export const own = (text, rows) => {
  const bytes = coded.encode(text);
  return rows.map((row) => line(bytes, row) !== null);
};

/** The text with a row like this one below it, under a fresh key. */
export const added = (text, rows, place) => {
  const bytes = coded.encode(text), row = rows[place], [from, until] = line(bytes, row);
  const key = quoted(fresh(row[0][0], rows.map((one) => one[0][0])));
  const between = (a, b) => decoded.decode(bytes.slice(a, b));
  // The columns stay where they are, as far as the key leaves room.
  const rest = between(row[0][2], row.at(-1)[2]), spare = rest.length - rest.trimStart().length;
  const longer = wide(key) - (row[0][2] - row[0][1]);
  const gap = row.length > 1 ? " ".repeat(Math.max(1, spare - longer)) : "";
  const begun = bytes[until - 1] === 10 ? "" : "\n";
  return spliced(text, until, until, `${begun}${between(from, row[0][1])}${key}${gap}${rest.trimStart()}\n`);
};

/** The text without this row. */
export const removed = (text, rows, place) => spliced(text, ...line(coded.encode(text), rows[place]), "");

/** A cell of a spreadsheet as it stands in a file: nothing is a dash. */
const put = (text) => quoted(text === "" ? "-" : text);

/** Rows as lines of their own below the last one, their cells below its cells; what is not said is as there. */
const appended = (text, rows, more) => {
  const bytes = coded.encode(text), last = rows.at(-1);
  const from = bytes.lastIndexOf(10, last[0][1]) + 1, ends = bytes.indexOf(10, last.at(-1)[2]), until = ends < 0 ? bytes.length : ends;
  const first = line(bytes, last) ? last.map((cell) => cell[1] - from) : last.map((_, i) => 4 + 10 * i);
  const lines = more.map((cells) => last.reduce((said, [old], i) => {
    const cell = cells[i] === undefined ? (i ? quoted(old) : "-") : put(cells[i]);
    return said + " ".repeat(Math.max(i ? 1 : 0, first[i] - wide(said))) + cell;
  }, ""));
  return spliced(text, until, until, lines.map((one) => `\n${one}`).join(""));
};

/** The text with these cells, `[row, column, text]`, in the place of others; rows beyond the last are new lines. */
export const filled = (text, rows, cells) => {
  const more = [], keys = rows.map((row) => row[0][0]);
  for (const [row, column, said] of cells.filter(([row]) => row >= rows.length)) (more[row - rows.length] ??= [])[column] = said;
  for (const row of more) {
    if (!row[0]) row[0] = fresh(keys.at(-1), keys);
    keys.push(row[0]);
  }
  const longer = more.length ? appended(text, rows, more) : text;
  const inner = cells.filter(([row, column]) => rows[row]?.[column]).map(([row, column, said]) => [rows[row][column], column ? put(said) : quoted(said)]);
  // From the end, so that the places before it stay.
  return inner.sort((a, b) => b[0][1] - a[0][1]).reduce((all, [[, from, to], said]) => spliced(all, from, to, said), longer);
};
