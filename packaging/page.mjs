// node page.mjs MODULE OUT PROFILE: packs a module, prints its size, and fails where it is larger than page.sizes allows
// or imports more than a page has. Names of functions and notes of the compiler are left out; the name in the head of
// the packed file is that of the build, by which `enfilade page` knows whether the module is of its own sources.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import { sections, without } from "./wasm.mjs";

const [, , from, to, profile] = process.argv;
const IMPORTS = ["page.now", "page.over", "page.wrong"];
const found = fs.readFileSync(from);
const custom = (name) => sections(found).find((one) => one.name === name);
const build = custom("enfilade.build")?.body.toString();
if (!/^[0-9a-f]{16}$/.test(build ?? "")) throw new Error("the module does not name its build");
const module = without(found, (one) => one.id === 0);
const imports = WebAssembly.Module.imports(new WebAssembly.Module(module)).map(({ module, name }) => `${module}.${name}`).sort();
if (imports.some((one) => !IMPORTS.includes(one))) throw new Error(`the module imports ${imports}; a page has ${IMPORTS}`);

/** A gzip file with a name in its head: the packer of Node.js writes none. */
const named = (packed, name) => {
  const [head, body] = [Buffer.from(packed.subarray(0, 10)), packed.subarray(10)];
  head[3] = 8;
  return Buffer.concat([head, Buffer.from(`${name}\0`), body]);
};

/** What a release carries is packed for longer: zopfli saves 5 %. */
const packWell = (bytes) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "enfilade-page-")), file = path.join(folder, "module");
  fs.writeFileSync(file, bytes);
  const { status, stdout, error } = spawnSync("zopfli", ["-c", "--i15", file], { maxBuffer: 1 << 28 });
  fs.rmSync(folder, { recursive: true });
  if (status !== 0) throw new Error(`the module of a release needs zopfli, a package of Debian: ${error?.message ?? `it ended with ${status}`}`);
  return stdout;
};

const isDraft = profile.startsWith("page-draft");
const packed = !isDraft ? packWell(module) : zlib.gzipSync(module, { level: 9 });
const gzip = named(packed, `enfilade-${build}.wasm`);
const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants;
// The last two steps of quality take two minutes here and save 4 %.
const quality = isDraft ? 9 : 11;
const brotli = zlib.brotliCompressSync(module, { params: { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: module.length, [BROTLI_PARAM_LGWIN]: 24 } });
fs.writeFileSync(to, gzip);
const sizes = { raw: module.length, gzip: gzip.length, brotli: brotli.length };
console.log(`${profile} ${build}: ${sizes.raw} bytes, gzip ${sizes.gzip}, brotli ${sizes.brotli} (quality ${quality})`);
const bounds = fs.readFileSync(new URL("page.sizes", import.meta.url), "utf8").trim().split("\n").map((line) => line.split(" "));
for (const [of, packer, most] of bounds) {
  if (of === profile && sizes[packer] > Number(most)) { console.error(`${packer}: ${sizes[packer]} bytes, page.sizes allows ${most}`); process.exitCode = 1; }
}
