// @ts-check
// Unpacks the engine and begins the page. `serve` is the whole of the engine's thread.

/** One module, one question after the other. */
const serve = (port) => {
  let wasm = null, end = Infinity, job = 0, told = 0, ready = null;
  const utf8 = new TextEncoder(), text = new TextDecoder(), BEAT = 100;
  const bytes = (at, length) => new Uint8Array(wasm.memory.buffer, at, length);
  const page = {
    now: () => performance.timeOrigin + performance.now(),
    // The page hears of a job from here, because nothing else of this thread runs meanwhile.
    over: () => {
      const now = performance.now();
      if (job && now - told > BEAT) {
        told = now;
        const at = wasm.event();
        port.postMessage({ job, event: text.decode(bytes(at, wasm.event_length())) });
      }
      return now > end ? 1 : 0;
    },
    wrong: (at, length) => { throw new Error(text.decode(bytes(at, length).slice())); },
  };
  const begin = async (/** @type {WebAssembly.Module} */ engine) => { wasm = (await WebAssembly.instantiate(engine, { page })).exports; };
  const ask = ({ number, route, seen, body, budget, isJob }) => {
    const question = utf8.encode(`${route}\n${seen}\n${body}`), begun = performance.now();
    [end, job, told] = [begun + budget, isJob ? number : 0, begun];
    bytes(wasm.room(question.length), question.length).set(question);
    const at = wasm.ask(), all = bytes(at, wasm.length());
    const [status, answer] = [Number(text.decode(all.slice(0, 3))), all.slice(3)];
    job = 0;
    port.postMessage({ number, status, body: answer.buffer, took: performance.now() - begun, memory: wasm.memory.buffer.byteLength });
  };
  port.onmessage = async ({ data }) => {
    if (data.engine) { ready = begin(data.engine); return; }
    try {
      await ready;
      ask(data);
    } catch (error) {
      port.postMessage({ number: data.number, status: 500, dead: `This went wrong here; the program may do it: ${error.message ?? error}` });
    }
  };
};

const start = async () => {
  const held = /** @type {any} */ (globalThis), { packed, files, store } = held.enfilade;
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const engine = await WebAssembly.compile(await new Response(stream).arrayBuffer());
  held.enfilade = { engine, serve, files, store };
  held.studio();
};

start().catch((error) => { document.body.append(`The engine does not start in this browser: ${error.message}`); });
