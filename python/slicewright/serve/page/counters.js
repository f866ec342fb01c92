// A counter in words: a row and a column of what the scenario has, and a bound; the last row is an expression.

import { button, element } from "./elements.js";

const SIGNS = { "<=": "at most", ">=": "at least" };
const OWN = "an expression";

const three = (value) => Number(value.toPrecision(3));
const option = (value, label, selected) => element("option", { value, selected }, label);

/** A bound as it is written: what, its sign, and the number. */
const bound = (text) => {
  const [, left, sign, limit] = /^(.*?)\s*(<=|>=)\s*(.*)$/s.exec(text) ?? ["", text, "<=", ""];
  return { left: left.trim(), sign, limit };
};

/** The bound of a counter that is as good as today; 0 is none. */
export const asToday = ({ left, bound: sign, today }) => `${left} ${sign} ${three(today) || ""}`;

/**
 * Lists of `rows` and their columns that write `text`, which `change` takes each time; with a bound unless it is `bare`.
 * `help` is of the expression.
 */
const line = (rows, text, change, { label, help, bare = false }) => {
  let { left, sign, limit } = bare ? { left: text } : bound(text);
  let whole = text;
  const parts = [...new Set(rows.map(({ part }) => part))];
  const known = rows.find((row) => row.left === left);
  const [what, tail] = [element("span", {}), element("span", {})];
  const say = () => change(whole = bare ? left : `${left} ${sign} ${limit}`);
  const part = element("select", { "aria-label": label, required: true, change: () => {
    if (part.value === OWN) return written();
    const [row] = rows.filter((each) => each.part === part.value);
    if (row) take(row);
    return columns(row);
  } }, !text && option("", "choose", true), ...parts.map((each) => option(each, each, each === known?.part)), option(OWN, OWN, Boolean(text) && !known));
  const take = (row) => {
    ({ left, sign, limit } = { left: row.left, ...(bare ? {} : bound(asToday(row))) });
    say();
  };
  const written = () => {
    const field = element("input", { "aria-label": `${label}: expression`, autocomplete: "off", spellcheck: "false", required: true,
      value: whole, input: () => change(whole = field.value) });
    what.replaceChildren(field);
    tail.replaceChildren(element("small", {}, help));
  };
  const columns = (row) => {
    const own = rows.filter((each) => row && each.part === row.part);
    const list = element("select", { "aria-label": `${label}: counter`, change: () => { take(own[list.selectedIndex]); limits(own[list.selectedIndex]); } },
      ...own.map((each) => option(each.left, each.what, each === row)));
    what.replaceChildren(...(own.length ? [list] : []));
    limits(row);
  };
  const limits = (row) => {
    const today = row?.today === undefined ? "" : element("span", { class: "quiet" }, `today about ${three(row.today).toLocaleString("en")} ${row.unit}`);
    const signs = element("select", { "aria-label": `${label}: side`, change: () => { sign = signs.value; say(); } },
      ...Object.entries(SIGNS).map(([value, words]) => option(value, words, value === sign)));
    const number = element("input", { type: "number", step: "any", min: 1e-9, required: true, value: limit, "aria-label": `${label}: number`,
      input: () => { limit = number.value; say(); } });
    tail.replaceChildren(...(bare ? [today] : [signs, " ", number, ` ${row.unit} `, today]));
  };
  if (text && !known) written();
  else columns(known);
  return element("span", { class: "counter" }, part, " ", what, " ", tail);
};

/** What is made least: one line, which begins anew where `rows` have changed. */
export const cost = (rows, text, change, words) => line(rows, text, change, { ...words, bare: true });

/** Bounds as a list with a button for one more; `change` takes all of them. */
export const bounds = (rows, texts, change, { add, remove, ...words }) => {
  const every = [...texts];
  const list = element("ul", { class: "needs" });
  const show = () => list.replaceChildren(...every.map((text, at) => element("li", {},
    line(rows, text, (now) => { every[at] = now; change(every); }, words), " ",
    button("Remove", () => { every.splice(at, 1); change(every); show(); }, { class: "plain", "aria-label": `${remove} ${at + 1}` }))));
  show();
  return [list, button(add, () => { every.push(rows.length ? asToday(rows[0]) : " <= "); change(every); show(); }, { class: "plain" })];
};
