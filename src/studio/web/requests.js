// @ts-check
// Questions to the studio. The secret of this start came behind the # of the address, where no server
// sees it; it is kept for this tab alone.

/** What every reply may say beside what it is for.
 * @typedef {{ status: number, error?: string, faults?: import("./types").FaultView[] }} Said */
/** How something is asked.
 * @typedef {{ method?: string, body?: any, headers?: Record<string, string>, raw?: boolean, signal?: AbortSignal, deadline?: number, keepalive?: boolean }} Asking */
/** A door of which the newest question counts.
 * @template T
 * @typedef {(question: Record<string, any>) => Promise<(T & Said) | null>} Door */

const KEY = "enfilade-token";
/** How long a reply is waited for; what is worked out on purpose may take longer than the studio gives it. */
const DEADLINE = 20_000;
export const LONG = 75_000;
/** Whether files that are put here are on somebody's disk. */
export const OWN_FOLDER = true;
const PAUSE = 1500;
const watchers = [];

/** Takes the secret out of the address; what else stands there. */
export const enter = () => {
  const said = new URLSearchParams(location.hash.slice(1));
  if (said.has("t")) {
    sessionStorage.setItem(KEY, said.get("t"));
    said.delete("t");
    history.replaceState(null, "", said.size ? `#${said}` : "/");
  }
  return said;
};

export const hasKey = () => sessionStorage.getItem(KEY) !== null;

/** Calls `told` with `"gone"` when the studio no longer answers, with `"silent"` when an answer is late, with
 * `"stranger"` when it was started anew and has another secret, and with `"here"` when it answers again. */
export const onLine = (told) => watchers.push(told);

let state = "here";
const tell = (next) => { state = next; watchers.forEach((told) => told(next)); };

/** The way to the studio, with a clock that is stopped when the reply has begun (`raw`) or is read.
 * @param {string} path
 * @param {Asking} asking */
const sent = async (path, { method, body, headers, raw, signal, deadline, keepalive }) => {
  const late = new AbortController();
  const clock = setTimeout(() => late.abort(new DOMException("the studio is silent", "TimeoutError")), deadline);
  const options = { method, keepalive, signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal, headers: { ...headers, Authorization: `Bearer ${sessionStorage.getItem(KEY)}` } };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  try {
    const reply = await fetch(path, options);
    return raw && reply.ok ? reply : { status: reply.status, ...(await reply.json()) };
  } finally { clearTimeout(clock); }
};

/** A reply of the studio; what is no JSON comes as it is. No reply is waited for without end.
 * @param {string} path
 * @param {Asking} [asking]
 * @returns {Promise<any>} */
export const ask = async (path, { method = "GET", body, headers = {}, raw = false, signal, deadline = DEADLINE, keepalive = false } = {}) => {
  let reply;
  try {
    reply = await sent(path, { method, body, headers, raw, signal, deadline, keepalive });
  } catch (error) {
    if (error.name === "TimeoutError") tell("silent");
    else if (error.name !== "AbortError") tell("gone");
    throw error;
  }
  tell(reply.status === 401 ? "stranger" : "here");
  return reply;
};

/** Keeps a connection as long as the studio is there and has this key: it ends when the studio does, and is sought
 * again. What is heard is said in the channel. */
const held = async (key, channel) => {
  while (sessionStorage.getItem(KEY) === key) {
    try {
      const reply = await ask("/api/here", { raw: true });
      channel.postMessage(state);
      const reader = reply.body?.getReader();
      while (reader && !(await reader.read()).done);
      if (reader) tell("gone");
    } catch { /* it was told */ }
    channel.postMessage(state);
    await new Promise((next) => setTimeout(next, PAUSE));
  }
};

/** Knows whether the studio is there. A browser gives few connections to one studio, however many tabs of it are open:
 * so one tab keeps one for all, and when it is closed the next one does. */
export const stay = async () => {
  for (;;) {
    const key = sessionStorage.getItem(KEY), channel = new BroadcastChannel(`enfilade ${key}`);
    channel.onmessage = ({ data }) => { if (data !== state) tell(data); };
    await navigator.locks.request(`enfilade ${key}`, () => held(key, channel));
    channel.close();
  }
};

/** A door of which the newest question counts: it stops the one before. An answer is null when a newer one was asked
 * meanwhile.
 * @param {string} path
 * @returns {Door<any>} */
export const newest = (path) => {
  const page = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(36)).join("");
  let number = 0;
  return async (question) => {
    const own = ++number;
    const reply = await ask(path, { method: "POST", body: { page, number: own, ...question }, deadline: question.patient ? LONG : DEADLINE });
    return own === number && reply.status !== 409 ? reply : null;
  };
};

/** @type {Door<import("./types").LiveReply>} */
export const odds = newest("/api/odds");
/** @type {Door<import("./types").LiveReply>} */
export const beside = newest("/api/odds");
/** @type {Door<import("./types").DraftCheckReply>} */
export const rulebook = newest("/api/rules");
/** @type {Door<import("./types").DraftCheckReply>} */
export const oneMore = newest("/api/rules");
/** @type {Door<import("./types").CompletionsReply>} */
export const completions = newest("/api/completions");
