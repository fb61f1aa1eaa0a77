// Browsers that a test drives: Chromium and WebKit by their drivers, Firefox by the protocol that it has itself. No name
// resolves in them.
import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";

const pause = (ms) => new Promise((next) => setTimeout(next, ms));

/** A file of a folder, when it is there. */
const content = async (file) => {
  for (let tries = 0; tries < 600; tries++) {
    try { const text = fs.readFileSync(file, "utf8").trim(); if (text) return text; } catch { /* not yet there */ }
    await pause(100);
  }
  throw new Error(`${file} is not written`);
};

/** How long a page, and a script in it, may take. */
const timeouts = { script: 100_000, pageLoad: 100_000 };

/** A session of a driver that listens at a port: how it is asked, and how it is ended. */
const drive = async (port, wanted) => {
  const post = async (what, body) => {
    const reply = await (await fetch(`http://127.0.0.1:${port}/session${what}`, { method: "POST", body: JSON.stringify(body) })).json();
    if (reply.value?.error) throw new Error(`${what}: ${reply.value.message}`);
    return reply.value;
  };
  const { sessionId } = await post("", { capabilities: { alwaysMatch: { unhandledPromptBehavior: "ignore", timeouts, ...wanted } } });
  const own = (what, body) => post(`/${sessionId}${what}`, body);
  return {
    post: own,
    open: (url) => own("/url", { url }),
    run: (script, ...args) => own("/execute/sync", { script, args }),
    /** The window as a picture. */
    picture: async () => Buffer.from(await (await fetch(`http://127.0.0.1:${port}/session/${sessionId}/screenshot`)).json().then(({ value }) => value), "base64"),
    end: () => fetch(`http://127.0.0.1:${port}/session/${sessionId}`, { method: "DELETE" }).catch(() => {}),
  };
};

/** The first match of what a program prints when it has begun. */
const printed = (stream, words, name) => new Promise((done, fail) => {
  stream.on("data", (data) => { const found = words.exec(data); if (found) done(found[1]); });
  setTimeout(() => fail(new Error(`${name} does not start`)), 60_000).unref();
});

const chromium = async (home) => {
  const driver = spawn("chromedriver", ["--port=0"]);
  const port = await printed(driver.stdout, /successfully on port (\d+)/, "chromedriver");
  const args = ["--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--window-size=1300,1000", `--user-data-dir=${home}`];
  const session = await drive(port, { "goog:chromeOptions": { args }, "goog:loggingPrefs": { browser: "ALL", performance: "ALL" } });
  const log = (type) => session.post("/se/log", { type });
  return {
    ...session,
    /** A window of a width, by day or by night. */
    view: async (width, dark) => {
      const command = (cmd, params) => session.post("/goog/cdp/execute", { cmd, params });
      await command("Emulation.setDeviceMetricsOverride", { width, height: 1000, deviceScaleFactor: 1, mobile: false });
      await command("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
    },
    /** What was refused or went wrong, and what was asked for elsewhere. */
    problems: async (host = "file:") => {
      const sent = (await log("performance")).map((entry) => JSON.parse(entry.message).message).filter((one) => one.method === "Network.requestWillBeSent").map((one) => one.params.request.url).filter((url) => !url.startsWith(host));
      const wrong = (await log("browser")).filter((one) => one.level !== "DEBUG" && one.source !== "intervention").map((one) => one.message);
      return [...sent.filter((url) => !/^(file|blob|data|about|chrome)[:-]/.test(url)).map((url) => `the page asked for ${url}`), ...wrong];
    },
    quit: async () => {
      await session.end();
      driver.kill();
    },
  };
};

/** The browser that Debian has for WebKit alone. */
const miniBrowser = () => {
  const inside = (folder, words) => fs.readdirSync(folder).filter((name) => words.test(name)).map((name) => path.join(folder, name));
  return inside("/usr/lib", /-linux-gnu/).flatMap((folder) => inside(folder, /^webkit2gtk-/)).map((folder) => path.join(folder, "MiniBrowser")).find((file) => fs.existsSync(file));
};

/** WebKit has no window without a screen: it is given one that nobody sees. What its page logs is not known here. */
const webkit = async (home) => {
  const screen = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "1300x1000x24", "-nolisten", "tcp"]);
  const display = await printed(screen.stdout, /(\d+)/, "Xvfb");
  const port = await new Promise((done) => { const free = net.createServer().listen(0, "127.0.0.1", () => { const { port } = free.address(); free.close(() => done(port)); }); });
  const env = { ...process.env, DISPLAY: `:${display}`, HOME: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home };
  const driver = spawn("WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], { env, stdio: "ignore" });
  // No proxy listens at that port.
  const options = { binary: miniBrowser(), args: ["--automation", "--proxy=http://127.0.0.1:9"] };
  for (let tries = 0; !await fetch(`http://127.0.0.1:${port}/status`).catch(() => null); tries++) { if (tries > 600) throw new Error("WebKitWebDriver does not start"); await pause(100); }
  const session = await drive(port, { "webkitgtk:browserOptions": options });
  return { ...session, problems: async () => [], quit: async () => { await session.end(); driver.kill(); screen.kill(); } };
};

/** Marionette: `LENGTH:[0, number, command, parameters]`, and the same back. */
const marionette = async (port) => {
  const socket = net.connect(port, "127.0.0.1"), waiting = new Map();
  let read = Buffer.alloc(0), number = 0;
  await new Promise((done, fail) => socket.once("connect", done).once("error", fail));
  socket.on("data", (data) => {
    read = Buffer.concat([read, data]);
    for (;;) {
      const colon = read.indexOf(58), length = Number(read.subarray(0, colon));
      if (colon < 0 || read.length < colon + 1 + length) return;
      const message = JSON.parse(read.subarray(colon + 1, colon + 1 + length));
      read = read.subarray(colon + 1 + length);
      if (!Array.isArray(message)) continue;
      const [, answered, error, value] = message, { done, fail } = waiting.get(answered);
      if (error) fail(new Error(error.message)); else done(value);
    }
  });
  return { socket, send: (command, parameters) => new Promise((done, fail) => {
    waiting.set(++number, { done, fail });
    const text = JSON.stringify([0, number, command, parameters]);
    socket.write(`${Buffer.byteLength(text)}:${text}`);
  }) };
};

const firefox = async (home) => {
  // No proxy listens at that port.
  const prefs = { "marionette.port": 0, "network.proxy.type": 1, "network.proxy.socks": "127.0.0.1", "network.proxy.socks_port": 9, "network.proxy.allow_hijacking_localhost": false, "browser.shell.checkDefaultBrowser": false, "datareporting.policy.dataSubmissionEnabled": false, "toolkit.telemetry.enabled": false, "app.update.disabledForTesting": true };
  fs.writeFileSync(path.join(home, "user.js"), Object.entries(prefs).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(""));
  const program = spawn("firefox-esr", ["--headless", "--no-remote", "--marionette", "--remote-allow-system-access", "--profile", home], { stdio: "ignore" });
  const { socket, send } = await marionette(Number(await content(path.join(home, "MarionetteActivePort"))));
  await send("WebDriver:NewSession", { capabilities: { alwaysMatch: { unhandledPromptBehavior: "ignore", timeouts } } });
  return {
    open: (url) => send("WebDriver:Navigate", { url }),
    // A script may wait, as in the drivers of the other two.
    run: async (script, ...args) => (await send("WebDriver:ExecuteScript", { script: `return (async function () { ${script}\n }).apply(null, arguments)`, args })).value,
    problems: async () => {
      await send("Marionette:SetContext", { value: "chrome" });
      const script = "return Services.console.getMessageArray().filter((one) => one instanceof Ci.nsIScriptError && /^(file|blob):/.test(one.sourceName)).map(String)";
      const { value } = await send("WebDriver:ExecuteScript", { script, args: [] });
      await send("Marionette:SetContext", { value: "content" });
      return value;
    },
    quit: async () => {
      await send("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => {});
      socket.destroy();
      program.kill();
    },
  };
};

/** Starts a browser, `chromium`, `firefox` or `webkit`, with a home of its own that is gone with it. */
export const start = async (name) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "enfilade-page-"));
  const browser = await { chromium, firefox, webkit }[name](home);
  const quit = async () => {
    await browser.quit();
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  return { ...browser, quit };
};
