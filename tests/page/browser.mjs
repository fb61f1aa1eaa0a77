// node browser.mjs PAGE.html PROGRAM [chromium|firefox]: a newcomer with the page that computes, opened from the disk.
// The number that they read has to be the one of the program. No name resolves in this browser.
import { spawnSync } from "node:child_process";
import path from "node:path";
import zlib from "node:zlib";
import { start } from "./browsers.mjs";

const [, , file, program, name = "chromium"] = process.argv;
const PATIENCE = Number(process.env.PATIENCE ?? 90_000);
const browser = await start(name);
const { run } = browser;
const until = async (what, script, ...args) => {
  const begun = Date.now();
  for (;;) {
    let found = null;
    try { found = await run(script, ...args); } catch { /* not yet there */ }
    if (found) { console.log(`${String(Date.now() - begun).padStart(6)} ms  ${what}`); return found; }
    if (Date.now() - begun > PATIENCE) throw new Error(`${what}: ${await run("return document.querySelector('#job').textContent + document.body.innerText.slice(0, 2000)")}`);
    await new Promise((next) => setTimeout(next, 20));
  }
};
const click = (css) => run("document.querySelector(arguments[0]).click()", css);
const fill = (css, value) => run("const box = document.querySelector(arguments[0]); box.value = arguments[1]; box.dispatchEvent(new Event('input', { bubbles: true }))", css, value);
const open = () => browser.open(`file://${path.resolve(file)}`);

const deflated = (value) => zlib.deflateRawSync(Buffer.isBuffer(value) ? value : JSON.stringify(value)).toString("base64url");
const paste = async (hash) => {
  await click("#start");
  await fill("#pasted", hash);
  await run("document.querySelector('#paste').requestSubmit()");
};
const EVIL = "<img src=x onerror=document.title='evil'><script>document.title='evil'</script>";
const RULES = "game luck\n  name \"Luck\"\n";
/** What of links holds no question: no letters of base64, no deflate, no JSON, other values, 200 MB in 200 KB. */
const UNSOUND = ["#z=", "#z=%00", "#z=AAAA", `#z=${"A".repeat(100_000)}`, `#z=${deflated(Buffer.alloc(200 << 20, 32))}`, "#q=[", "#q=null", `#z=${deflated({ text: 7 })}`, `#z=${deflated([[[]]])}`, `#z=${deflated({ text: "", cell: -1 })}`];
/** Files that no folder takes, one that is markup, and one whose name is that of a file which is there. */
const brought = [{ name: "../../x.rules", text: RULES }, { name: `${EVIL}.rules`, text: RULES }, { name: "__proto__", text: "x" }, { name: "mine.toml", text: EVIL }, { name: "theirs.rules", text: RULES }];
let asked16 = "";

/** How long it takes from a key to its numbers, and which tasks block the screen meanwhile (Chromium says so). */
const measureKeys = async () => {
  await run(`
    const box = document.querySelector("[data-path='fp'] input"), values = [1, 2, 4, 6, 8, 12, 20, 24, 30, 36];
    const found = window.measured = { keys: [], tasks: [], done: false };
    if (PerformanceObserver.supportedEntryTypes.includes("longtask")) new PerformanceObserver((list) => found.tasks.push(...list.getEntries().map((one) => one.duration))).observe({ type: "longtask" });
    const next = () => {
      if (found.keys.length === 40) { found.done = true; return; }
      const begun = performance.now(), watch = new MutationObserver(() => { watch.disconnect(); found.keys.push(performance.now() - begun); setTimeout(next, 60); });
      watch.observe(document.querySelector("#headline"), { childList: true, subtree: true, characterData: true });
      box.value = values[found.keys.length % values.length];
      box.dispatchEvent(new Event("input", { bubbles: true }));
    };
    next();`);
  const { keys, tasks } = await until("forty keys have their numbers", "return window.measured.done && window.measured");
  keys.sort((a, b) => a - b);
  const ms = (time) => `${Math.round(time)} ms`;
  console.log(`           keys: median ${ms(keys[20])}, 95 of 100 within ${ms(keys[38])}; tasks over 50 ms: ${tasks.map(ms).join(", ") || "none"}`);
};

/** Links of strangers: none ends the page, fills its memory, writes over a file, or is taken for markup. */
const hostile = async () => {
  for (const hash of UNSOUND) {
    await run("document.querySelector('#said').textContent = ''");
    await paste(hash);
    await until(`refused: ${hash.slice(0, 12)}`, "return document.querySelector('#said').textContent.startsWith('That is no link')");
  }
  await paste(`#z=${deflated({ text: `name = "${EVIL}"\n`, files: brought })}`);
  await until("what it brings is asked about", "return document.querySelector('#brought').open && document.querySelector('#brought-names').textContent.includes('mine_2.toml')");
  await run("document.querySelector('#brought button[value=take]').click()");
  await until("a plain file is taken", "return [...document.querySelectorAll('#files button')].some((one) => one.textContent === 'theirs.rules')");
  await until("its text is shown as text", "return document.title !== 'evil' && !document.querySelector('main img[src=x]')");
  const own = await run("return Object.entries(localStorage).filter(([key]) => key.endsWith('/files/mine.toml')).map(([, text]) => JSON.parse(text).text)[0]");
  if (own.trim() !== asked16.trim()) throw new Error(`mine.toml was replaced: ${own}`);
};

try {
  await open();
  await until("the tiles are there", "return document.querySelector('.tile')");
  await until("the page says that it sends nothing", "return document.querySelector('#alone').innerText.includes('send nothing')");
  await fill("#dice", "d8 + 4d6 >= 20");
  await until("dice have their law", "return document.querySelector('#dice-law').innerText.includes('%')");
  await click("[data-action='asl fire'] .tile");
  await until("a question is answered", "return document.querySelector('#headline .sentence')?.textContent");
  await until("it has a form", "return document.querySelector(\"[data-path='fp'] input\")");
  await fill("[data-path='fp'] input", "16");
  asked16 = await until("the file says 16", "document.querySelector('#as-text').click(); const text = document.querySelector('#text').value; return text.includes('fp = 16') && text");
  await click("#as-form");
  await until("the form is there again", "return document.querySelector(\"[data-path='fp'] input\")");
  const told = JSON.parse(spawnSync(program, ["odds", "-", "--exact-only", "--format", "json"], { input: asked16 }).stdout);
  const wanted = `${(100 * told.contests[0].measures.find((one) => one.name === "p_kill").exact).toFixed(2)} %`;
  await until(`killed is ${wanted}, as the program says`, "return [...document.querySelectorAll('#answer tr')].some((row) => [...row.firstChild.children].some((name) => name.textContent === 'killed') && row.children[1].firstChild.title.startsWith(arguments[0]))", wanted);
  await measureKeys();
  await fill("[data-path='fp'] input", "9999");
  await until("a fault is told at its field", "return !document.querySelector('#mend').hidden");
  await fill("[data-path='fp'] input", "16");
  await until("and mended", "return document.querySelector('#mend').hidden");
  await run("[...document.querySelectorAll('#answer button')][0].click()");
  await until("why? shows a roll", "return document.querySelector('#steps li')");
  await click("#why-close");
  await click("#simulate");
  await until("a simulation ends", "return document.querySelector('#job').textContent.startsWith('Done.')");
  // Long enough that it is stopped; it goes on from what was rolled.
  await click("#as-text");
  await fill("#text", `trials = 4_000_000_000\n${asked16.replace(/^trials.*$/m, "")}`);
  await until("what was simulated is of the text before", "return !document.querySelector('#stale').hidden");
  await click("#simulate");
  const rolled = () => run("return Number((/^([\\d\\u202f\\u00a0, ]+) trials/.exec(document.querySelector('#job').textContent)?.[1] ?? '0').replace(/\\D/g, ''))");
  await until("a long simulation is under way", "return document.querySelector('#progress').value > 0.002");
  const before = await rolled();
  await click("#stop");
  await until("it stops, and what was rolled is kept", "return document.querySelector('#job').textContent.startsWith('Stopped. What was rolled is kept')");
  await click("#simulate");
  await until("it goes on", "return document.querySelector('#progress').value > 0");
  const after = await rolled();
  if (!before || after < before) throw new Error(`${before} trials were rolled, and it goes on from ${after}`);
  await click("#stop");
  await until("it stops again", "return document.querySelector('#job').textContent.startsWith('Stopped.')");
  await fill("#text", asked16);
  await click("#as-form");
  await until("the form is there once more", "return document.querySelector(\"[data-path='fp'] input\")");
  await click("#save");
  await until("it asks for a name", "return document.querySelector('#name-it').open");
  await fill("#new-name", "mine.toml");
  await run("document.querySelector('#name-form').requestSubmit()");
  await until("the file is kept", "return [...document.querySelectorAll('#files button')].some((one) => one.textContent === 'mine.toml')");
  await click("#link");
  const link = await until("the link is there", "return location.hash.startsWith('#z=') && location.href");
  await run("sessionStorage.clear()");
  await browser.open("about:blank");
  await browser.open(link);
  await until("the link opens the same", "return [...document.querySelectorAll('#answer tr')].some((row) => row.children[1]?.firstChild?.title?.startsWith(arguments[0]))", wanted);
  await until("the file is there again", "return [...document.querySelectorAll('#files button')].some((one) => one.textContent === 'mine.toml')");
  await hostile();
  await click("#start");
  await run("document.querySelector('#new-rules').open = true");
  await until("a rulebook can be begun", "return document.querySelector('#first-rules')");
  await click("#first-rules");
  await until("a rulebook has odds while it is written", "return document.querySelector('#headline .sentence')");
  const problems = await browser.problems();
  if (problems.length) throw new Error(problems.join("\n"));
  console.log("nothing was asked for elsewhere, and nothing refused");
} catch (error) {
  console.log((await browser.problems().catch(() => [])).join("\n"));
  throw error;
} finally {
  await browser.quit();
}
