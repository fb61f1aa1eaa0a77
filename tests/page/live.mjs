// node live.mjs REPORT.html PROGRAM: a report page with the engine in it, opened from the disk. A value between and
// beyond those of its sliders has the odds of the program.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { start } from "./browsers.mjs";

const [, , file, program, name = "chromium"] = process.argv;
const browser = await start(name), { run } = browser;
const until = async (what, script, ...args) => {
  for (const begun = Date.now(); ;) {
    let found = null;
    try { found = await run(script, ...args); } catch { /* not yet there */ }
    if (found) { console.log(`${String(Date.now() - begun).padStart(6)} ms  ${what}`); return found; }
    if (Date.now() - begun > 90_000) throw new Error(`${what}: ${await run("return document.querySelector('#computing').textContent + document.body.innerText.slice(0, 2000)")}`);
    await new Promise((next) => setTimeout(next, 50));
  }
};
const type = (css, value) => run("const box = document.querySelector(arguments[0]); box.value = arguments[1]; box.dispatchEvent(new Event('input', { bubbles: true }))", css, value);
const shown = "return document.documentElement.classList.contains('computed') && [...document.querySelectorAll('#measures tr')].map((row) => [row.children[0].textContent, row.children[1].textContent])";

try {
  await browser.open(`file://${path.resolve(file)}`);
  const place = await until("a cell of the run is shown", "return document.querySelector('#place').textContent");
  await until("the engine is there", "return !document.querySelector('#edited').hidden && document.querySelector('.any')");
  await type("#any-1", "9");
  const rows = await until("a value that no slider has is computed", shown);
  const text = await run("return document.querySelector('#edited').value");
  if (!/= 9$/m.test(text)) throw new Error(text);
  const told = JSON.parse(spawnSync(program, ["odds", "-", "--exact-only", "--format", "json"], { input: text }).stdout);
  const wanted = told.contests[0].measures.filter((one) => one.name.startsWith("p_")).map((one) => 100 * one.exact);
  for (const [label, value] of rows.filter(([label]) => label.endsWith("%"))) {
    if (!wanted.some((percent) => Math.abs(percent - Number(value)) <= 0.5 * 10 ** -(value.split(".")[1] ?? "").length + 1e-9)) throw new Error(`${label}: ${value} is none of ${wanted}`);
  }
  const address = await until("the address leads back", "return location.hash.includes('toml=') && location.href");
  await run("const slider = document.querySelector('#axis-0'); slider.value = 0; slider.dispatchEvent(new Event('input'))");
  await until("a cell of the run is shown again", "return !document.documentElement.classList.contains('computed') && document.querySelector('#place').textContent.length > 0 && document.querySelector('#any-1').value === ''");
  await type("#any-1", "999");
  await until("a fault is shown", "return document.querySelector('#computing').textContent.length > 20");
  await browser.open("about:blank");
  await browser.open(address);
  const again = await until("the address opens the same", shown);
  if (JSON.stringify(again) !== JSON.stringify(rows)) throw new Error(`${again} is not ${rows}, after ${place}`);
  const problems = await browser.problems();
  if (problems.length) throw new Error(problems.join("\n"));
  console.log("nothing was asked for elsewhere, and nothing refused");
} finally { await browser.quit(); }
