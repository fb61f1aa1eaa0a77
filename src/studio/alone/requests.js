// @ts-check
// Questions to the engine in this page: the same words and the same answers as those of a server, and nobody else
// hears them. It stands in the place of the module that asks a server.

/** What every reply may say beside what it is for.
 * @typedef {{ status: number, error?: string, faults?: import("../web/types").FaultView[] }} Said */
/** How something is asked.
 * @typedef {{ method?: string, body?: any, headers?: Record<string, string>, raw?: boolean, signal?: AbortSignal, deadline?: number, keepalive?: boolean }} Asking */
/** A door of which the newest question counts.
 * @template T
 * @typedef {(question: Record<string, any>) => Promise<(T & Said) | null>} Door */

/** The engine, the one with sheets where there is one, where its thread begins, what the page brings, and the name of
 * what it keeps. */
/** @type {{ engine: WebAssembly.Module, sheets: (() => Promise<WebAssembly.Module>) | null, serve: (port: any) => void, files: [string, string][], store: string, memory?: number, drawn?: WebAssembly.Module }} */
const page = /** @type {any} */ (globalThis).enfilade;

export const LONG = 75_000;
/** Whether files that are put here are on somebody's disk. */
export const OWN_FOLDER = false;
const BUDGET = 250, PATIENT = 60_000, NEVER = 1e12;
/** What the first answer of a kind may take: browsers compile the engine's functions when they are called first. */
const COLD = 2000;
/** How long a slice of a job that is to stop is waited for, beyond the time that it has. */
const GRACE = 3000;
/** What is kept in this browser: files, and what stands beside them. */
const KEPT = /^PUT \/api\/(files|variants|drafts)\/(.+)$/, TAKEN = /^DELETE \/api\/(files|variants|drafts)\/(.+)$/;
/** Sheets that the module with sheets alone can make: those of `export_route.rs` that need no library for pixels or PDF. */
const DRAWN = ["card.svg", "card.json", "chart.svg", "rows.csv", "report.html", "cells.csv", "odds.xlsx"];
const engines = {}, jobs = new Map(), warm = new Set();

const keyOf = (kind, name) => `${page.store}/${kind}/${name}`;

/** What this browser keeps of this page, as it was put there. */
const kept = () => Object.keys(localStorage).filter((key) => key.startsWith(`${page.store}/`)).map((key) => {
  const [kind, ...name] = key.slice(page.store.length + 1).split("/");
  return { route: `PUT /api/${kind}/${name.join("/")}`, body: localStorage.getItem(key) };
});

/** What the page brings goes to what is kept, where that has none of its name. */
const bring = () => {
  for (const [name, text] of page.files) if (localStorage.getItem(keyOf("files", name)) === null) localStorage.setItem(keyOf("files", name), JSON.stringify({ text }));
};

/** A thread of its own; where the browser gives none, the engine works between two looks at the page. */
const thread = () => {
  try {
    const place = URL.createObjectURL(new Blob([`(${page.serve})(self);`], { type: "text/javascript" }));
    return new Worker(place);
  } catch {
    const here = { onmessage: null, postMessage: (data) => setTimeout(() => outside.onmessage({ data })) };
    const outside = { onmessage: null, postMessage: (data) => setTimeout(() => here.onmessage({ data })), terminate: () => { outside.onmessage = () => {}; } };
    page.serve(here);
    return /** @type {any} */ (outside);
  }
};

/** One engine: its thread, what waits for it, and how it is begun anew when it was ended in the middle of something. */
class Engine {
  /** @param {() => WebAssembly.Module} module */
  constructor(module) { this.module = module; this.waiting = new Map(); this.number = 0; this.start(); }

  start() {
    this.thread = thread();
    this.thread.onmessage = ({ data }) => {
      const asked = this.waiting.get(data.number ?? data.job);
      if (data.job) { if (data.slice) asked?.slice?.(data.slice, data.next); else asked?.event?.(data.event); return; }
      this.waiting.delete(data.number);
      asked?.done(data);
      // A module that went wrong is in no state to go on: the others are asked again of a new one.
      if (data.dead) this.end();
    };
    this.thread.postMessage({ engine: this.module() });
    for (const one of kept()) this.keep(one.route, one.body);
  }

  /** Puts there what is kept. */
  keep(route, body) { return this.send({ route, seen: "*", body, budget: NEVER }); }

  /** Ends what is under way, and begins anew; what waits is asked again, but for what is given up. */
  end(givenUp = (_question) => false) {
    this.thread.terminate();
    const lost = [...this.waiting.values()].filter(({ question }) => !KEPT.test(question.route) || question.own);
    this.waiting.clear();
    this.start();
    for (const one of lost) if (givenUp(one.question)) one.done(null); else this.post(one);
  }

  post(one) {
    const number = ++this.number;
    this.waiting.set(number, one);
    this.thread.postMessage({ number, ...one.question });
  }

  /** @param {{ event?: (event: string) => void, slice?: (bytes: ArrayBuffer, next: number) => void }} [heard] */
  send(question, heard = {}) { return new Promise((done) => { this.post({ question, ...heard, done }); }); }

  /** Asks a job to stop at the end of its slice. */
  stop(number) { this.thread.postMessage({ stop: number }); }
}

/** Questions while one types, what is waited for on purpose, and jobs do not wait for each other: each kind has an engine
 * of its own, begun when it is asked first.
 * @param {"typed" | "patient" | "jobs"} name
 * @returns {Engine} */
const engine = (name) => (engines[name] ??= new Engine(() => page.engine));

/** The engine with sheets, unpacked when it is asked first. */
const drawer = async () => {
  page.drawn ??= await page.sheets();
  return (engines.drawn ??= new Engine(() => page.drawn));
};

bring();

export const enter = () => {
  const said = new URLSearchParams(location.hash.slice(1));
  if (!said.size && page.files.length) said.set("file", page.files[0][0]);
  return said;
};

export const hasKey = () => true;

export const onLine = (_told) => {};

export const stay = async () => {};

const text = new TextDecoder();

/** @returns {any} */
const reply = (said) => (said.dead ? { status: 500, error: said.dead, faults: [{ path: "", problem: said.dead, help: null }] } : { status: said.status, ...JSON.parse(text.decode(said.body)) });

/** Keeps in the browser what was put into the engine, and takes away what was taken from it. */
const mirror = (route, body, headers) => {
  const [, kind, name] = KEPT.exec(route) ?? [], [, from, gone] = TAKEN.exec(route) ?? [];
  if (gone) localStorage.removeItem(keyOf(from, gone));
  // The other engines hold the same files: each knows by the hash which text it has.
  if ([kind, from].includes("files")) for (const other of [engines.patient, engines.jobs, engines.drawn]) other?.send({ route, seen: headers, body, budget: NEVER });
  if (!kind) return null;
  try { localStorage.setItem(keyOf(kind, name), body); } catch { return "This browser keeps no more: copy the text, or save the file to the disk."; }
  return null;
};

/** A question as an engine gets it. */
const worded = (path, { method = "GET", body = null, headers = {} }, budget = NEVER) => {
  const seen = headers["If-Match"]?.replaceAll('"', "") ?? headers["If-None-Match"] ?? "";
  return { route: `${method} ${decodeURIComponent(path)}`, seen, body: JSON.stringify(body), budget, own: true };
};

/** Notes when the first of what somebody waits for is answered, and the memory of the engine: tests/page/measure.mjs. */
const note = (route, said) => {
  if (said?.memory) page.memory = Math.max(page.memory ?? 0, said.memory);
  const [, waited] = /^\w+ \/api\/(tiles|odds)$/.exec(route) ?? [];
  if (waited && !performance.getEntriesByName(`${waited} answered`).length) performance.mark(`${waited} answered`);
};

/** @param {Engine} [to] */
const sent = async (question, to = engine("typed")) => {
  const said = await to.send(question);
  note(question.route, said);
  if (said?.status !== 200) return said;
  const full = mirror(question.route, question.body, question.seen);
  return full ? { status: 507, body: new TextEncoder().encode(JSON.stringify({ error: full })) } : said;
};

/** The last event of a job that was ended in the middle of a slice: what there was at the end of the one before.
 * @param {string | null} found */
const cutOff = (found) => {
  const last = found ? JSON.parse(found) : { early: [] };
  return JSON.stringify({ ...last, done: true, stopped: true, faults: [{ path: "", problem: "Stopped in the middle of a long step. What is shown was found before; it begins anew", help: null }] });
};

/** Begins a job on its own thread; its events come as those of a server do. */
const begin = (body) => {
  const id = jobs.size + 1, own = engine("jobs"), encoder = new TextEncoder();
  let found = null, ends = 0;
  const events = new ReadableStream({
    start(stream) {
      const put = (event) => { try { stream.enqueue(encoder.encode(`data: ${event}\n\n`)); } catch { /* nobody listens */ } };
      const over = (event) => { put(event); try { stream.close(); } catch { /* it is closed */ } };
      const fault = (problem) => over(JSON.stringify({ done: true, early: [], faults: [{ path: "", problem, help: null }] }));
      let late = 0, number = 0;
      const stop = () => {
        own.stop(number);
        late ||= setTimeout(() => { own.end(() => true); over(cutOff(found)); }, GRACE + Math.max(0, ends - performance.now()));
      };
      jobs.set(id, { stop });
      own.send({ route: "POST /api/jobs", seen: "", body: JSON.stringify(body), isJob: true }, { event: put, slice: (bytes, next) => { found = text.decode(bytes); ends = performance.now() + next; } }).then((said) => {
        clearTimeout(late);
        if (said?.dead) fault(said.dead); else if (said) over(text.decode(said.body));
        jobs.get(id).stop = () => {};
      });
      number = own.number;
    },
  });
  jobs.get(id).events = events;
  return { status: 200, id };
};

/** The engine that makes a sheet. */
const maker = (sheet) => (page.sheets && DRAWN.includes(sheet) ? drawer() : engine("patient"));

/** The first reply, with the sheets of the other module. */
const withDrawn = (tiles) => ({ ...tiles, sheets: [...new Set([...tiles.sheets ?? [], ...DRAWN])] });

/** A reply of the engine; what is no JSON comes as it is.
 * @param {string} path
 * @param {Asking} [asking]
 * @returns {Promise<any>} */
export const ask = async (path, asking = {}) => {
  const { method = "GET", body, raw = false } = asking;
  const [, , kind, number, last] = path.split("/");
  if (kind === "jobs" && method === "POST") return begin(body);
  if (kind === "jobs" && method === "DELETE") { jobs.get(Number(number))?.stop(); return { status: 200 }; }
  if (kind === "jobs" && last === "events") return new Response(jobs.get(Number(number)).events);
  // A sheet takes as long as it takes, and nobody's keys wait for it.
  const said = await (kind === "sheets" ? sent(worded(path, asking, PATIENT), await maker(number)) : sent(worded(path, asking)));
  if (!said) throw new DOMException("stopped", "AbortError");
  if (raw && said.status === 200) return new Response(said.body);
  return kind === "tiles" && page.sheets ? withDrawn(reply(said)) : reply(said);
};

/** A door of which the newest question counts. One that is waited for on purpose has an engine of its own, and is ended by a
 * newer one; the others end by themselves when their time is over. Of those that wait only the newest is asked.
 * @param {string} path
 * @returns {Door<any>} */
export const newest = (path) => {
  let number = 0, under = null;
  return async (question) => {
    const own = ++number;
    const before = under;
    if (before?.patient) engine("patient").end((other) => other === before.asked);
    else if (before) await before.over;
    if (own !== number) return null;
    const patient = Boolean(question.patient), asked = worded(path, { method: "POST", body: question }, patient ? PATIENT : warm.has(path) ? BUDGET : COLD);
    const over = sent(asked, engine(patient ? "patient" : "typed"));
    under = { patient, asked, over };
    const said = await over;
    if (said && !patient) warm.add(path);
    if (under?.over === over) under = null;
    return own === number && said ? reply(said) : null;
  };
};

/** @type {Door<import("../web/types").LiveReply>} */
export const odds = newest("/api/odds");
/** @type {Door<import("../web/types").LiveReply>} */
export const beside = newest("/api/odds");
/** @type {Door<import("../web/types").DraftCheckReply>} */
export const rulebook = newest("/api/rules");
/** @type {Door<import("../web/types").DraftCheckReply>} */
export const oneMore = newest("/api/rules");
/** @type {Door<import("../web/types").CompletionsReply>} */
export const completions = newest("/api/completions");
