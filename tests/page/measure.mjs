// node measure.mjs PAGE.html [chromium|firefox]: how long a page that computes takes to its first answer, cold, and how much
// memory its engine has: five browsers, each new, that open a question by its link. The times are from the moment at which
// the page is read.
import path from "node:path";
import zlib from "node:zlib";
import { start } from "./browsers.mjs";

const [, , file, name = "chromium"] = process.argv;
const ROUNDS = 5;
const TEXT = '[[contest]]\nsystem = "asl"\naction = "fire"\nfp = 16\n[[contest.target]]\nkind = "squad"\nmorale = 7\n';
const link = `file://${path.resolve(file)}#z=${zlib.deflateRawSync(JSON.stringify({ text: TEXT, contest: 0, cell: 0 })).toString("base64url")}`;
const pause = (ms) => new Promise((next) => setTimeout(next, ms));

/** The times of one browser, from when the page was read, and the bytes of its engine. */
const measure = async () => {
  const browser = await start(name);
  try {
    await browser.open(link);
    for (let tries = 0; tries < 1200; tries++) {
      const found = await browser.run("const at = (name) => performance.getEntriesByName(name)[0]?.startTime; const read = at('page read'); return at('odds answered') && { unpacked: at('engine unpacked') - read, compiled: at('engine compiled') - read, tiles: at('tiles answered') - read, odds: at('odds answered') - read, memory: globalThis.enfilade.memory };");
      if (found) return found;
      await pause(50);
    }
    throw new Error("no answer within a minute");
  } finally { await browser.quit(); }
};

const rounds = [];
for (let round = 0; round < ROUNDS; round++) rounds.push(await measure());
const middle = (key) => Math.round(rounds.map((one) => one[key]).sort((a, b) => a - b)[ROUNDS >> 1]);
console.log(`${name}, the middle one of ${ROUNDS}, from when the page is read: engine unpacked ${middle("unpacked")} ms, compiled ${middle("compiled")} ms, tiles ${middle("tiles")} ms, first answer ${middle("odds")} ms; memory of the engine ${Math.round(middle("memory") / 2 ** 20)} MiB`);
