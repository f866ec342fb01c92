// Bundles the editor into one file, which its argument names; `make editor` runs it.  The first line of the file has the
// checksum of what it was made from.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const here = new URL("./", import.meta.url);
const sources = createHash("sha256");
for (const name of ["package-lock.json", "editor.js", "bundle.mjs"]) sources.update(readFileSync(new URL(name, here)));
const modules = await build({
  entryPoints: [new URL("editor.js", here).pathname], bundle: true, minify: true, format: "esm", target: "es2022",
  legalComments: "none", charset: "utf8", write: false, metafile: true,
});
const names = [...new Set(Object.keys(modules.metafile.inputs).map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]))]
  .filter(Boolean).sort();
const license = readFileSync(new URL("node_modules/@codemirror/view/LICENSE", here), "utf8").trim();
for (const name of names) {
  const text = readFileSync(new URL(`node_modules/${name}/LICENSE`, here), "utf8");
  if (!text.includes("Permission is hereby granted, free of charge")) throw new Error(`${name} has another licence than MIT`);
}
const holders = [...new Set(names.flatMap((name) =>
  readFileSync(new URL(`node_modules/${name}/LICENSE`, here), "utf8").match(/Copyright .*/)))].sort();
const terms = license.slice(license.indexOf("Permission"));
const notice = `/* Made from SHA-256 ${sources.digest("hex")}\n${names.join(", ")}\nMIT License\n${holders.join("\n")}\n\n${terms}\n*/\n`;
writeFileSync(process.argv[2], notice + modules.outputFiles[0].text);
