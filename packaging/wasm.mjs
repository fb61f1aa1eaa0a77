// The sections of a module.

/** Reads numbers of seven bits a byte, and texts. */
export class Reader {
  constructor(bytes) { [this.bytes, this.at] = [bytes, 0]; }

  get over() { return this.at >= this.bytes.length; }

  number() {
    for (let value = 0, scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  take(length) { this.at += length; return this.bytes.subarray(this.at - length, this.at); }

  text() { return this.take(this.number()).toString(); }
}

/** The sections in their order: number, name of a custom one, body without the name, and where they are in the file. */
export const sections = (module) => {
  const reader = new Reader(module), all = [];
  reader.take(8);
  while (!reader.over) {
    const begin = reader.at, id = reader.number(), body = new Reader(reader.take(reader.number()));
    const name = id === 0 ? body.text() : "";
    all.push({ id, name, body: body.bytes.subarray(body.at), begin, end: reader.at });
  }
  return all;
};

/** The module without some sections. */
export const without = (module, drop) => Buffer.concat([module.subarray(0, 8), ...sections(module).filter((one) => !drop(one)).map(({ begin, end }) => module.subarray(begin, end))]);
