// node site.mjs FOLDER [chromium|firefox]: a site as a visitor meets it, served on this machine by a server that writes
// down what it is asked for. Every page is looked at on three widths, by day and by night, by axe-core; no request may
// leave the host, and without a network the site goes on. PICTURES is a folder for pictures of what was looked at.
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { start } from "./browsers.mjs";

const [, , folder, name = "chromium"] = process.argv;
const TYPES = { css: "text/css", html: "text/html; charset=utf-8", js: "text/javascript", png: "image/png", svg: "image/svg+xml", webmanifest: "application/manifest+json", gz: "application/gzip" };
const AXE = path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), ".cache"), "enfilade/axe/node_modules/axe-core/axe.min.js");
const asked = [];
const server = http.createServer((request, reply) => {
  const wanted = decodeURIComponent(request.url.split("?")[0]).replace(/\/$/, "/index.html");
  asked.push(request.url);
  const file = path.join(folder, path.normalize(wanted));
  if (!fs.existsSync(file)) { reply.writeHead(404); reply.end(); return; }
  reply.writeHead(200, { "Content-Type": TYPES[file.split(".").at(-1)] ?? "application/octet-stream" });
  reply.end(fs.readFileSync(file));
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const host = `http://127.0.0.1:${server.address().port}/`;
const browser = await start(name), { run } = browser;
const until = async (what, script, ...args) => {
  for (const begun = Date.now(); ;) {
    let found = null;
    try { found = await run(script, ...args); } catch { /* not yet there */ }
    if (found) { console.log(`${String(Date.now() - begun).padStart(6)} ms  ${what}`); return found; }
    if (Date.now() - begun > 90_000) throw new Error(`${what}: ${await run("return document.body.innerText.slice(0, 2000)")}`);
    await new Promise((next) => setTimeout(next, 50));
  }
};
const pages = fs.readdirSync(folder, { recursive: true }).filter((one) => one.endsWith(".html")).sort();
const check = (found, why) => { if (!found) throw new Error(why); };

/** Links within the site lead to a file of it, and pictures and styles are there. */
const checkLinks = () => {
  let count = 0;
  for (const page of pages) {
    const html = fs.readFileSync(path.join(folder, page), "utf8");
    for (const [, to] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
      if (/^(https?:|data:|#)/.test(to)) continue;
      const [plain] = to.split("#"), file = path.join(folder, path.dirname(page), plain);
      check(fs.existsSync(file), `${page} leads to ${to}, which is not there`);
      count++;
    }
  }
  console.log(`${pages.length} pages, ${count} links`);
};

/** What axe-core finds, and whether a page is wider than its window. */
const look = async (page) => {
  await browser.open(host + page);
  if (page === "studio.html") await until("the studio has begun", "return document.querySelector('.tile')");
  for (const dark of [false, true]) for (const width of [360, 800, 1400]) {
    await browser.view?.(width, dark);
    const wide = await run("return document.documentElement.scrollWidth > innerWidth + 1 && [document.documentElement.scrollWidth, innerWidth]");
    check(!wide, `${page} at ${width}: ${wide}`);
    await run(`if (!window.axe) { ${fs.readFileSync(AXE, "utf8")}; }`);
    await run("window.found = null; axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => { window.found = violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.target).join(' ')); })");
    const found = await until(`${page} at ${width}${dark ? ", dark" : ""}`, "return window.found");
    check(!found.length, `${page} at ${width}: ${found.join("; ")}`);
    if (process.env.PICTURES) fs.writeFileSync(path.join(process.env.PICTURES, `${page.replaceAll("/", "-")}-${width}${dark ? "-dark" : ""}.png`), await browser.picture());
  }
};

try {
  checkLinks();
  for (const page of ["index.html", "gallery.html", "gallery/ift_odds.html", "docs/index.html", "docs/rule_reference.html", "studio.html"]) await look(page);
  await browser.view?.(1300, false);
  await browser.open(`${host}gallery/ift_odds.html`);
  await run("document.querySelector('.go').click()");
  await until("a question of the gallery is answered live", "return location.pathname === '/studio.html' && document.querySelector('#headline .sentence')?.textContent");
  await until("the site is kept", "return navigator.serviceWorker.controller && caches.keys().then((names) => names.length)");
  const problems = await browser.problems(host);
  check(!problems.length, problems.join("\n"));
  check(asked.every((url) => url.startsWith("/")), asked.join("\n"));
  console.log(`${asked.length} requests, all to the host`);
  await new Promise((done) => { server.close(done); server.closeAllConnections(); });
  await browser.open(`${host}studio.html`);
  await until("without a network there is the studio", "return document.querySelector('.tile')");
  await browser.open(`${host}docs/rulebooks.html`);
  await until("and the documentation", "return document.querySelector('h1').textContent.startsWith('Your own game')");
} finally {
  server.close();
  await browser.quit();
}
