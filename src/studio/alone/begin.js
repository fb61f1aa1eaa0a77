// @ts-check
// Unpacks the engine and begins the page. `serve` is the whole of the engine's thread.

/** One module, one question after the other; a job in slices, between which the thread listens. */
const serve = (port) => {
  let wasm = null, end = Infinity, job = null, ready = null, stopped = 0;
  const utf8 = new TextEncoder(), text = new TextDecoder();
  const BEAT = 100, LOOK = 20, SLICE = 250, LARGE = 1 << 30;
  const bytes = (at, length) => new Uint8Array(wasm.memory.buffer, at, length);

  /** Progress of the job, which nothing else of this thread can send while it works. A slice begins with what an
   * earlier one has found: nothing is sent of that. */
  const look = (now) => {
    job.looked = now;
    const at = wasm.event(), event = text.decode(bytes(at, wasm.event_length()));
    const part = event ? JSON.parse(event).part ?? 0 : 0;
    if (part <= job.part) return;
    job.caught ??= now;
    job.part = part;
    if (now - job.sent < BEAT) return;
    job.sent = now;
    port.postMessage({ job: job.number, event });
  };
  const page = {
    now: () => performance.timeOrigin + performance.now(),
    over: () => {
      const now = performance.now();
      if (job && (now - job.looked > LOOK || (now > end && !job.over))) {
        job.over = now > end;
        look(now);
      }
      return now > end ? 1 : 0;
    },
    wrong: (at, length) => { throw new Error(text.decode(bytes(at, length).slice())); },
  };
  const begin = async (/** @type {WebAssembly.Module} */ engine) => { wasm = (await WebAssembly.instantiate(engine, { page })).exports; };

  const answer = ({ route, seen, body }, budget) => {
    const question = utf8.encode(`${route}\n${seen}\n${body}`);
    end = performance.now() + budget;
    bytes(wasm.room(question.length), question.length).set(question);
    const at = wasm.ask(), all = bytes(at, wasm.length());
    return { status: Number(text.decode(all.slice(0, 3))), body: all.slice(3).buffer };
  };

  /** The words for an engine that cannot go on. */
  const dead = (error) => {
    const why = String(error.message ?? error);
    if (/call stack|recursion/.test(why)) return "This is nested too deeply for a page; the program may answer it.";
    if (wasm?.memory.buffer.byteLength > LARGE) return "This is too large for a page, which has 4 GB of memory at most: save the file, and let the program answer it, enfilade odds FILE.";
    return `This went wrong here: save the file, and let the program answer it, enfilade odds FILE (${why}).`;
  };

  const guarded = (number, work) => { try { work(); } catch (error) { job = null; port.postMessage({ number, status: 500, dead: dead(error) }); } };

  /** Works on a job until it is done or stopped. A slice is long enough that what it begins with is a fourth of it at
   * most; where it found nothing new, the next is four times as long. */
  const work = (asked, slice = SLICE) => guarded(asked.number, () => {
    const begun = performance.now();
    Object.assign(job, { looked: begun, caught: null, over: false });
    const reply = answer(asked, slice);
    const event = reply.status === 200 ? JSON.parse(text.decode(reply.body)) : {};
    if (!event.stopped || stopped === asked.number) {
      job = null;
      port.postMessage({ number: asked.number, ...reply });
      return;
    }
    const next = job.caught ? Math.max(SLICE, 4 * (job.caught - begun)) : 4 * slice;
    port.postMessage({ job: asked.number, slice: reply.body, next });
    setTimeout(() => work(asked, next));
  });

  port.onmessage = async ({ data }) => {
    if (data.engine) { ready = begin(data.engine); return; }
    if (data.stop) { stopped = data.stop; return; }
    await ready;
    if (data.isJob) {
      job = { number: data.number, part: 0, sent: 0 };
      work(data);
      return;
    }
    guarded(data.number, () => {
      const held = job, begun = performance.now();
      // A file that is put there between two slices is no part of the job.
      job = null;
      port.postMessage({ number: data.number, ...answer(data, data.budget), took: performance.now() - begun, memory: wasm.memory.buffer.byteLength });
      job = held;
    });
  };
};

/** What letters of base64 stand for. */
const decoded = (letters) => {
  const quick = /** @type {any} */ (Uint8Array).fromBase64;
  if (quick) return quick.call(Uint8Array, letters);
  const plain = atob(letters), bytes = new Uint8Array(plain.length);
  for (let at = 0; at < plain.length; at++) bytes[at] = plain.charCodeAt(at);
  return bytes;
};

/** A module's bytes: from this page, or from a file beside it, which some hosts unpack on their way. */
const moduleBytes = async (packed, module) => {
  const bytes = packed ? decoded(packed) : new Uint8Array(await (await fetch(module)).arrayBuffer());
  if (bytes[0] !== 0x1f) return bytes;
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
};

const start = async () => {
  performance.mark("page read");
  const held = /** @type {any} */ (globalThis), { packed, module, packedSheets, sheetsModule, files, store } = held.enfilade;
  const bytes = await moduleBytes(packed, module);
  performance.mark("engine unpacked");
  const engine = await WebAssembly.compile(bytes);
  performance.mark("engine compiled");
  // Cards, reports and workbooks have a module of their own, which is as large again: it is begun when one is asked for.
  const sheets = packedSheets || sheetsModule ? async () => WebAssembly.compile(await moduleBytes(packedSheets, sheetsModule)) : null;
  held.enfilade = { engine, sheets, serve, files, store };
  held.studio();
};

start().catch((error) => { document.body.append(`The engine does not start in this browser: ${error.message}. Use one that is not older than 2023.`); });
