// Browsers that a test drives: Chromium by its driver, Firefox by the protocol that it has itself. No name resolves in
// them.
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

const chromium = async (home) => {
  const driver = spawn("chromedriver", ["--port=0"]);
  const port = await new Promise((done, fail) => {
    driver.stdout.on("data", (data) => { const found = /successfully on port (\d+)/.exec(data); if (found) done(found[1]); });
    setTimeout(() => fail(new Error("chromedriver does not start")), 60_000).unref();
  });
  const post = async (what, body) => {
    const reply = await (await fetch(`http://127.0.0.1:${port}/session${what}`, { method: "POST", body: JSON.stringify(body) })).json();
    if (reply.value?.error) throw new Error(`${what}: ${reply.value.message}`);
    return reply.value;
  };
  const args = ["--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--window-size=1300,1000", `--user-data-dir=${home}`];
  const { sessionId } = await post("", { capabilities: { alwaysMatch: { "goog:chromeOptions": { args }, "goog:loggingPrefs": { browser: "ALL", performance: "ALL" }, unhandledPromptBehavior: "ignore", timeouts: { script: 100_000, pageLoad: 100_000 } } } });
  const log = (type) => post(`/${sessionId}/se/log`, { type });
  return {
    open: (url) => post(`/${sessionId}/url`, { url }),
    run: (script, ...args) => post(`/${sessionId}/execute/sync`, { script, args }),
    /** What was refused or went wrong, and what was asked for elsewhere. */
    /** A window of a width, by day or by night. */
    view: async (width, dark) => {
      const command = (cmd, params) => post(`/${sessionId}/goog/cdp/execute`, { cmd, params });
      await command("Emulation.setDeviceMetricsOverride", { width, height: 1000, deviceScaleFactor: 1, mobile: false });
      await command("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
    },
    /** The window as a picture. */
    picture: async () => Buffer.from(await (await fetch(`http://127.0.0.1:${port}/session/${sessionId}/screenshot`)).json().then(({ value }) => value), "base64"),
    problems: async (host = "file:") => {
      const sent = (await log("performance")).map((entry) => JSON.parse(entry.message).message).filter((one) => one.method === "Network.requestWillBeSent").map((one) => one.params.request.url).filter((url) => !url.startsWith(host));
      const wrong = (await log("browser")).filter((one) => one.level !== "DEBUG" && one.source !== "intervention").map((one) => one.message);
      return [...sent.filter((url) => !/^(file|blob|data|about|chrome)[:-]/.test(url)).map((url) => `the page asked for ${url}`), ...wrong];
    },
    quit: async () => {
      await fetch(`http://127.0.0.1:${port}/session/${sessionId}`, { method: "DELETE" }).catch(() => {});
      driver.kill();
    },
  };
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
  await send("WebDriver:NewSession", { capabilities: { alwaysMatch: { unhandledPromptBehavior: "ignore", timeouts: { script: 100_000, pageLoad: 100_000 } } } });
  return {
    open: (url) => send("WebDriver:Navigate", { url }),
    run: async (script, ...args) => (await send("WebDriver:ExecuteScript", { script, args })).value,
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

/** Starts a browser, `chromium` or `firefox`, with a home of its own that is gone with it. */
export const start = async (name) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "enfilade-page-"));
  const browser = await { chromium, firefox }[name](home);
  const quit = async () => {
    await browser.quit();
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  return { ...browser, quit };
};
