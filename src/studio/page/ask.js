// Questions to the studio. The secret of this start came behind the # of the address, where no server
// sees it; it is kept for this tab alone.

const KEY = "enfilade-token";
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

/** Calls `told` with `"gone"` when the studio no longer answers, with `"stranger"` when it was started anew and
 * has another secret, and with `"here"` when it answers again. */
export const onLine = (told) => watchers.push(told);

const tell = (state) => watchers.forEach((told) => told(state));

/** A reply of the studio; what is no JSON comes as it is. */
export const ask = async (path, { method = "GET", body, headers = {}, raw = false, signal } = {}) => {
  const options = { method, signal, headers: { ...headers, Authorization: `Bearer ${sessionStorage.getItem(KEY)}` } };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  let reply;
  try {
    reply = await fetch(path, options);
  } catch (error) {
    if (error.name !== "AbortError") tell("gone");
    throw error;
  }
  tell(reply.status === 401 ? "stranger" : "here");
  if (raw && reply.ok) return reply;
  return { status: reply.status, ...(await reply.json()) };
};

/** Keeps a connection as long as the page is open: it ends when the studio does, and is sought again. */
export const stay = async () => {
  for (;;) {
    try {
      const reply = await ask("/api/here", { raw: true });
      const reader = reply.body?.getReader();
      while (reader && !(await reader.read()).done);
      if (reader) tell("gone");
    } catch { /* it was told */ }
    await new Promise((next) => setTimeout(next, 1500));
  }
};

/** A door of which the newest question counts: it stops the one before. An answer is null when a newer one was asked
 * meanwhile. */
export const newest = (path) => {
  const page = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(36)).join("");
  let number = 0;
  return async (question) => {
    const own = ++number;
    const reply = await ask(path, { method: "POST", body: { page, number: own, ...question } });
    return own === number && reply.status !== 409 ? reply : null;
  };
};

export const odds = newest("/api/odds"), beside = newest("/api/odds"), rulebook = newest("/api/rules"), oneMore = newest("/api/rules");
