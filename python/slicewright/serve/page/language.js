// Completion in the text of a scenario: keys of the table at the cursor and values of the key, from the JSON Schema.

import { request } from "./server.js";

let schema = null;

/** Loads the schema once. */
export const loadLanguage = async () => { schema ??= await request("schema.json"); };

/** A schema and everything that it refers to. */
const forms = (node) => {
  if (!node) return [];
  if (node.$ref) return forms(schema.$defs[node.$ref.split("/").pop()]);
  return [node, ...[...(node.allOf ?? []), ...(node.anyOf ?? [])].flatMap((inner) =>
    inner.properties || inner.$ref || inner.type || inner.enum || inner.const ? forms(inner) : [])];
};
const inside = (nodes, key) => nodes.flatMap((node) => {
  const direct = forms(node).flatMap((form) => form.type === "array" ? forms(form.items) : [form]);
  return direct.map((form) => form.properties?.[key]).filter(Boolean);
});
const keysOf = (nodes) => {
  const found = new Map();
  for (const node of nodes) {
    for (const form of forms(node).flatMap((each) => each.type === "array" ? forms(each.items) : [each])) {
      for (const [key, value] of Object.entries(form.properties ?? {})) found.set(key, value);
    }
  }
  return found;
};

/** The text without comments, and without what is in quotes. */
const bare = (text) => text.replace(/#.*$/gm, "").replace(/"[^"\n]*"/g, '""');

/** Where the cursor is: the tables around it, the key whose value is being written, and the word before it. */
export const place = (before) => {
  const lines = before.split("\n");
  let path = [];
  let start = 0;
  lines.forEach((line, at) => {
    const header = /^\s*\[\[?\s*([\w."-]+)\s*\]\]?/.exec(line);
    if (header && at < lines.length - 1) [path, start] = [header[1].split("."), at + 1];
  });
  const body = lines.slice(start).join("\n");
  const value = /"([^"\n]*)$/.exec(body.split("\n").pop().replace(/"[^"]*"/g, (text) => " ".repeat(text.length)));
  const plain = bare(value ? body.slice(0, body.length - value[0].length) : body);
  // Inline tables and lists that are open at the cursor, each with the key before it.
  const open = [];
  let key = "";
  for (const [token] of plain.matchAll(/[\w.-]+\s*=|[{}[\],\n]/g)) {
    if (token.endsWith("=")) key = token.slice(0, -1).trim();
    else if (token === "{" || token === "[") {
      open.push(key);
      key = "";
    } else if (token === "}" || token === "]") {
      open.pop();
      key = "";
    } else if (token === "," || (token === "\n" && !open.length)) key = "";
  }
  const word = value ? value[1] : /[\w.-]*$/.exec(before)[0];
  const header = /^\s*\[\[?\s*([\w.]*)$/.exec(lines.at(-1));
  return { path: [...path, ...open.filter(Boolean)], key: key.trim(), word, quoted: Boolean(value), header: header?.[1] ?? null };
};

/** The names that the text gives to tables of a kind. */
const names = (text, kind) => [...text.matchAll(new RegExp(`\\[\\[${kind}\\]\\][^[]*?\\bname\\s*=\\s*"([^"]+)"`, "g"))].map(([, name]) => name);

const REFERS = { pool: "alias_pool", uniform: "volume", of: "resource" };

const values = (nodes, key, text) => {
  const found = nodes.flatMap(forms).flatMap((form) => form.enum ?? (form.const ? [form.const] : []));
  const kind = REFERS[key] ?? key;
  return [...new Set([...found.map(String), ...names(text, kind)])];
};

/** Completions before the cursor; `whole` is the text with all names that can be meant. */
export const completions = (before, explicit, whole) => {
  if (!schema) return null;
  const { path, key, word, quoted, header } = place(before);
  const from = before.length - word.length;
  const root = [{ $ref: schema.$ref }];
  if (header !== null) {
    const parts = header.split(".");
    const within = keysOf(parts.slice(0, -1).reduce(inside, root));
    const tables = [...within].filter(([, value]) => forms(value).some((form) => form.type === "array" || form.properties));
    return { from: before.length - parts.at(-1).length, options: tables.map(([label, value]) => ({ label, info: value.description })) };
  }
  const here = path.reduce(inside, root);
  if (key || quoted) {
    const options = values(inside(here, key), key, whole).map((label) => ({ label: quoted ? label : `"${label}"`, type: "constant" }));
    return options.length ? { from, options } : null;
  }
  if (!word && !explicit) return null;
  const options = [...keysOf(here)].map(([label, value]) => ({ label, info: value.description, apply: `${label} = `, type: "property" }));
  return options.length ? { from, options, validFor: /^[\w.-]*$/ } : null;
};
