// node browser.mjs PAGE.html PROGRAM: a newcomer with the page that computes, opened from the disk in Chromium. The
// number that they read has to be the one of the program. No name resolves in this browser.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const [, , file, program] = process.argv;
const home = fs.mkdtempSync(path.join(os.tmpdir(), "enfilade-page-"));
const driver = spawn("chromedriver", ["--port=0"]);
const port = await new Promise((done, fail) => {
  driver.stdout.on("data", (data) => { const found = /successfully on port (\d+)/.exec(data); if (found) done(found[1]); });
  setTimeout(() => fail(new Error("chromedriver does not start")), 60_000).unref();
});
const PATIENCE = Number(process.env.PATIENCE ?? 90_000);
const post = async (what, body) => {
  const said = await (await fetch(`http://127.0.0.1:${port}/session${what}`, { method: "POST", body: JSON.stringify(body) })).json();
  if (said.value?.error) throw new Error(`${what}: ${said.value.message}`);
  return said.value;
};
const args = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--window-size=1300,1000", `--user-data-dir=${home}`];
const { sessionId } = await post("", { capabilities: { alwaysMatch: { "goog:chromeOptions": { args }, "goog:loggingPrefs": { browser: "ALL", performance: "ALL" }, unhandledPromptBehavior: "ignore", timeouts: { script: 100_000, pageLoad: 100_000 } } } });
const run = (script, ...args) => post(`/${sessionId}/execute/sync`, { script, args });
const until = async (what, script, ...args) => {
  const begun = Date.now();
  for (;;) {
    let found = null;
    try { found = await run(script, ...args); } catch { /* not yet there */ }
    if (found) { console.log(`${String(Date.now() - begun).padStart(6)} ms  ${what}`); return found; }
    if (Date.now() - begun > PATIENCE) throw new Error(`${what}: ${await run("return document.body.innerText.slice(0, 2000)")}`);
    await new Promise((next) => setTimeout(next, 20));
  }
};
const click = (css) => run("document.querySelector(arguments[0]).click()", css);
const fill = (css, value) => run("const box = document.querySelector(arguments[0]); box.value = arguments[1]; box.dispatchEvent(new Event('input', { bubbles: true }))", css, value);
const open = async () => post(`/${sessionId}/url`, { url: `file://${path.resolve(file)}` });

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
  const asked16 = await until("the file says 16", "document.querySelector('#as-text').click(); const text = document.querySelector('#text').value; return text.includes('fp = 16') && text");
  await click("#as-form");
  await until("the form is there again", "return document.querySelector(\"[data-path='fp'] input\")");
  const told = JSON.parse(spawnSync(program, ["odds", "-", "--exact-only", "--format", "json"], { input: asked16 }).stdout);
  const wanted = `${(100 * told.contests[0].measures.find((one) => one.name === "p_kill").exact).toFixed(2)} %`;
  await until(`killed is ${wanted}, as the program says`, "return [...document.querySelectorAll('#answer tr')].some((row) => row.firstChild.firstChild?.textContent === 'killed' && row.children[1].textContent === arguments[0])", wanted);
  await fill("[data-path='fp'] input", "9999");
  await until("a fault is told at its field", "return !document.querySelector('#mend').hidden");
  await fill("[data-path='fp'] input", "16");
  await until("and mended", "return document.querySelector('#mend').hidden");
  await run("[...document.querySelectorAll('#answer button')][0].click()");
  await until("why? shows a roll", "return document.querySelector('#steps li')");
  await click("#why-close");
  await click("#simulate");
  await until("a simulation ends", "return document.querySelector('#job').textContent.startsWith('Done.')");
  await click("#save");
  await until("it asks for a name", "return document.querySelector('#name-it').open");
  await fill("#new-name", "mine.toml");
  await run("document.querySelector('#name-form').requestSubmit()");
  await until("the file is kept", "return [...document.querySelectorAll('#files button')].some((one) => one.textContent === 'mine.toml')");
  await click("#link");
  const link = await until("the link is there", "return location.hash.startsWith('#q=') && location.href");
  await run("sessionStorage.clear()");
  await post(`/${sessionId}/url`, { url: "about:blank" });
  await post(`/${sessionId}/url`, { url: link });
  await until("the link opens the same", "return [...document.querySelectorAll('#answer tr')].some((row) => row.children[1]?.textContent === arguments[0])", wanted);
  await until("the file is there again", "return [...document.querySelectorAll('#files button')].some((one) => one.textContent === 'mine.toml')");
  await click("#start");
  await run("document.querySelector('#new-rules').open = true");
  await until("a rulebook can be begun", "return document.querySelector('#first-rules')");
  await click("#first-rules");
  await until("a rulebook has odds while it is written", "return document.querySelector('#headline .sentence')");
  const text = (entry) => JSON.parse(entry.message).message;
  const asked = (await post(`/${sessionId}/se/log`, { type: "performance" })).map(text).filter((one) => one.method === "Network.requestWillBeSent").map((one) => one.params.request.url);
  const out = asked.filter((url) => !/^(file|blob|data|about|chrome)[:-]/.test(url));
  if (out.length) throw new Error(`the page asked for ${out}`);
  const wrong = (await post(`/${sessionId}/se/log`, { type: "browser" })).filter((one) => one.level !== "DEBUG" && one.source !== "intervention");
  if (wrong.length) throw new Error(wrong.map((one) => one.message).join("\n"));
  console.log("nothing was asked for elsewhere, and nothing refused");
} catch (error) {
  console.log((await post(`/${sessionId}/se/log`, { type: "browser" })).map((one) => one.message).join("\n"));
  throw error;
} finally {
  await fetch(`http://127.0.0.1:${port}/session/${sessionId}`, { method: "DELETE" }).catch(() => {});
  driver.kill();
  fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
