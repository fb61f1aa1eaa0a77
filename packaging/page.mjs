// node page.mjs MODULE OUT PROFILE: packs a module, says how large it is, and fails where it is larger than
// page.sizes allows, or asks a page for more than it has.
import fs from "node:fs";
import zlib from "node:zlib";

const [, , from, to, profile] = process.argv;
const module = fs.readFileSync(from);
const asked = WebAssembly.Module.imports(new WebAssembly.Module(module)).map(({ module, name }) => `${module}.${name}`).sort();
if (asked.join() !== "page.now,page.over,page.wrong") throw new Error(`the module asks a page for ${asked}`);
const gzip = zlib.gzipSync(module, { level: 9 });
const brotli = zlib.brotliCompressSync(module, { params: { [zlib.constants.BROTLI_PARAM_SIZE_HINT]: module.length, [zlib.constants.BROTLI_PARAM_LGWIN]: 24 } });
fs.writeFileSync(to, gzip);
const sizes = { gzip: gzip.length, brotli: brotli.length };
console.log(`${profile}: ${module.length} bytes, gzip ${sizes.gzip}, brotli ${sizes.brotli}`);
const bounds = fs.readFileSync(new URL("page.sizes", import.meta.url), "utf8").trim().split("\n").map((line) => line.split(" "));
for (const [of, packer, most] of bounds) {
  if (of === profile && sizes[packer] > Number(most)) { console.error(`${packer}: ${sizes[packer]} bytes, and page.sizes allows ${most}`); process.exitCode = 1; }
}
