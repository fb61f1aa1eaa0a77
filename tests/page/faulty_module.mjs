// A module of WebAssembly that goes wrong, in the place of the engine: it takes files, and traps on everything else, as the
// engine does where it panics or gets no memory. Written by hand, from the binary format of the specification.

const number = (value) => { const bytes = []; do { bytes.push((value & 0x7f) | (value > 0x7f ? 0x80 : 0)); value >>>= 7; } while (value); return bytes; };
const section = (id, ...bytes) => [id, ...number(bytes.length), ...bytes];
const list = (items) => [...number(items.length), ...items.flat()];
const named = (text) => list([...Buffer.from(text)]);
const body = (...code) => { const all = [0, ...code, 0x0b]; return [...number(all.length), ...all]; };
const constant = (value) => [0x41, value];
const REPLY = "200{}", AT = 16;

/** The bytes of the module, which begins with this number of pages of 64 KiB. A question is written to address 64; its second
 * letter is the U of PUT where a file is put there.
 * @param {number} pages */
export const faultyModule = (pages) => {
  const i32 = 0x7f, ask = [...constant(0), 0x2d, 0, 65, 0x41, 0xd5, 0x00, 0x46, 0x04, 0x40, ...constant(AT), 0x0f, 0x0b, 0x00];
  return [
    0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, ...list([[0x60, 1, i32, 1, i32], [0x60, 0, 1, i32]])),
    ...section(3, ...list([[0], [1], [1], [1], [1]])),
    ...section(5, ...list([[0, ...number(pages)]])),
    ...section(7, ...list([[...named("memory"), 2, 0], ...["room", "ask", "length", "event", "event_length"].map((name, at) => [...named(name), 0, at])])),
    ...section(10, ...list([body(0x41, 0xc0, 0x00), body(...ask), body(...constant(REPLY.length)), body(...constant(0)), body(...constant(0))])),
    ...section(11, ...list([[0, ...constant(AT), 0x0b, ...named(REPLY)]])),
  ];
};
