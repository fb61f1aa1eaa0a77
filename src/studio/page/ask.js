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

/** Calls `told` with false when the studio no longer answers, and with true when it does again. */
export const onLine = (told) => watchers.push(told);

const tell = (up) => watchers.forEach((told) => told(up));

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
    if (error.name !== "AbortError") tell(false);
    throw error;
  }
  tell(true);
  if (raw && reply.ok) return reply;
  return { status: reply.status, ...(await reply.json()) };
};

const page = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(36)).join("");
let number = 0;

/** Asks for odds; null when a newer question was asked meanwhile, which stops this one. */
export const odds = async (question) => {
  const own = ++number;
  const reply = await ask("/api/odds", { method: "POST", body: { page, number: own, ...question } });
  return own === number && reply.status !== 409 ? reply : null;
};
