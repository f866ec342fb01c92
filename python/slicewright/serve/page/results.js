// The results of a look: what the scenario is about with half-widths, a pinned setting beside it, tables, figure, report.

import { element, plural, report } from "./elements.js";

/** Differences shown at once where there is no whole system. */
const MOST_ROWS = 8;
const REFINING = "; refining";
const SVG = "http://www.w3.org/2000/svg";
const drawn = (name, attributes, text = "") => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
};
const short = (number) => Number(number.toPrecision(3)).toLocaleString("en", { maximumSignificantDigits: 3 });

/** A measure against the values that a slider has had, with half-widths. */
const curve = (points, { name, setting, now, wide }) => {
  const [high, left, low] = [190, 62, 28];
  const xs = points.map(({ x }) => x);
  const [from, to] = [Math.min(...xs), Math.max(...xs)];
  const top = 1.06 * Math.max(...points.map(({ mean, half_width }) => mean + (half_width || 0)));
  const x = (value) => left + (wide - left - 16) * (to > from ? (value - from) / (to - from) : 0.5);
  const y = (value) => high - low - (high - low - 12) * Math.min(1, Math.max(0, value / (top || 1)));
  const said = points.map((point) => `${point.x}: ${point.text}`).join("; ");
  const picture = drawn("svg", { viewBox: `0 0 ${wide} ${high}`, width: wide, class: "curve", role: "img", "aria-label": `${name} by ${setting}: ${said}` });
  for (const share of [0, 0.5, 1]) {
    const at = y(top * share / 1.06);
    picture.append(drawn("line", { x1: left, x2: wide - 10, y1: at, y2: at, class: "grid" }),
      drawn("text", { x: left - 6, y: at + 4, "text-anchor": "end" }, short(top * share / 1.06)));
  }
  for (const value of new Set([from, to])) picture.append(drawn("text", { x: x(value), y: high - 8, "text-anchor": "middle" }, short(value)));
  picture.append(drawn("polyline", { points: points.map((point) => `${x(point.x)},${y(point.mean)}`).join(" "), class: "line" }));
  for (const point of points) {
    if (point.half_width) picture.append(drawn("line", { x1: x(point.x), x2: x(point.x), y1: y(point.mean - point.half_width), y2: y(point.mean + point.half_width), class: "whisker" }));
    picture.append(drawn("circle", { cx: x(point.x), cy: y(point.mean), r: point.x === now ? 5 : 3, class: point.x === now ? "dot now" : "dot" }));
  }
  return element("figure", { class: "walked" }, picture,
    element("figcaption", {}, `${name} at the values of ${setting} that you have tried, with 95 % half-widths.`));
};

const table = ({ title, head, rows, more }) => element("section", {}, element("h2", {}, title),
  element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": title }, element("table", {},
    element("thead", {}, element("tr", {}, ...head.map(({ name, left }) => element("th", { scope: "col", class: left ? null : "number" }, name)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell, at) => element("td", { class: head[at].left ? null : "number" }, cell))))))),
  more > 0 && element("p", { class: "quiet" }, `and ${more} more, in the report`));

const differences = (rows, label) => {
  const named = rows.some(({ of }) => of);
  const head = [...(named ? ["of"] : []), "counter", "pinned", "now", "difference", "change, %"];
  const cells = (row) => [element("td", {}, row.name), ...[row.before, row.after].map((cell) => element("td", { class: "number" }, cell)),
    element("td", { class: row.sure ? "number sure" : "number quiet" }, `${row.difference}${row.sure ? " *" : ""}`),
    element("td", { class: "number" }, row.change)];
  return element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": label }, element("table", {},
    element("thead", {}, element("tr", {}, ...head.map((name) =>
      element("th", { scope: "col", class: name === "of" || name === "counter" ? null : "number" }, name)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, named && element("td", {}, row.of || "all"), ...cells(row))))));
};

/** The differences: those of the whole system, and folded away those of its parts. */
const paired = (rows, open) => element("section", { class: "pair" }, element("h2", {}, "Difference from the pinned setting"),
  differences(rows.filter(({ of }, at) => !of || (rows[0].of && at < MOST_ROWS)), "Difference from the pinned setting"),
  rows.some(({ of }) => of) && element("details", { open }, element("summary", {}, rows.length === 1 ? "The difference" : `All ${plural(rows.length, "difference")}`), differences(rows, "All differences")),
  element("p", { class: "quiet" }, "± is the 95 % half-width of paired differences: both settings draw the same random numbers. * marks intervals that exclude 0."));

/** Changes in words. */
const words = (changes) => changes.length ? changes.join(", ") : "the text as it is";

/** The number that a setting had among changes; `base` is that of the text. */
const numberOf = (changes, { key, base }) => {
  const own = changes.find((change) => change.startsWith(`${key}=`));
  return own ? parseFloat(own.slice(key.length + 1).replace(/^"/, "")) : base;
};
const without = (changes, key) => JSON.stringify(changes.filter((change) => !change.startsWith(`${key}=`)));

/** The part of the screen that shows looks. */
export const results = () => {
  const simulated = element("p", { class: "simulated" });
  const step = element("p", { class: "step", role: "status" });
  const tiles = element("div", { class: "tiles" });
  const walked = element("div");
  const pairs = element("div");
  const figure = element("div");
  const figured = element("p", { class: "quiet", hidden: true });
  const picture = element("div", { class: "picture" }, figured, figure);
  const tables = element("div", { class: "tables" });
  const whole = element("details", { class: "whole", hidden: true }, element("summary", {}, "Report of this look"));
  const box = element("section", { class: "results", "aria-label": "Results" }, simulated, step, tiles, pairs, walked, picture, tables, whole);
  let html = "";
  let tried = { key: "", others: "", points: new Map() };
  let latest = null;
  let since = 0;
  let drawnOf = "";
  let redraw = () => {};
  new ResizeObserver(() => walked.firstChild && redraw()).observe(box);
  whole.addEventListener("toggle", () => {
    if (whole.open && html) whole.append(report(html));
    if (whole.open) html = "";
  });
  return {
    box,
    /** Whether a look is under way; what is shown is then not that of the setting, as with a text that has problems. */
    busy: (now, behind = now) => {
      box.setAttribute("aria-busy", String(Boolean(now)));
      box.classList.toggle("behind", Boolean(behind));
    },
    say: (text) => { step.textContent = text; },
    /** Says with which changes the results were simulated, and whether they are those of the setting now. */
    held(now) {
      if (!latest) return;
      const same = latest.ask > since && JSON.stringify(latest.changes) === JSON.stringify(now);
      const text = latest.ask > since ? words(latest.changes) : `an earlier text, ${words(latest.changes)}`;
      const pinned = latest.pinned_changes ? `, beside ${words(latest.pinned_changes)}` : "";
      box.dataset.held = String(same);
      simulated.classList.toggle("other", !same);
      simulated.replaceChildren("Simulated with ", element("code", {}, `${text}${pinned}`), same ? "" : ". The setting has changed since; its results follow.");
    },
    /**
     * Shows a part, which has the changes that it was asked with; `moved` is the slider that moved last: its key and its
     * number in the text. `refines` is whether the look goes on: not where a later setting waits.
     */
    show(part, moved, now, refines) {
      box.dataset.ask = part.ask;
      box.dataset.changes = JSON.stringify(part.changes);
      step.textContent = part.last || !refines ? part.step : `${part.step}${REFINING}`;
      const before = new Map((part.pinned ?? []).map((each) => [each.of + each.name, each.text]));
      tiles.replaceChildren(...part.measures.map((each) => element("div", { class: "tile" },
        element("span", { class: "of" }, [each.of, each.name].filter(Boolean).join(": ")), element("b", {}, each.text),
        before.has(each.of + each.name) && element("span", { class: "quiet" }, `pinned ${before.get(each.of + each.name)}`))));
      if (!part.measures.length) tiles.replaceChildren(element("p", { class: "quiet" }, "Nothing was measured."));
      pairs.replaceChildren(...(part.differences ? [paired(part.differences, Boolean(pairs.querySelector("details")?.open))] : []));
      tables.replaceChildren(...part.tables.map(table));
      this.walk(part, moved);
      latest = part;
      this.held(now);
      figured.textContent = drawnOf ? `The figure is of an earlier look: ${drawnOf}.` : "";
      figured.hidden = !drawnOf;
      picture.classList.add("old");
      whole.hidden = true;
    },
    /** Adds a point where a slider has moved: at the value that was simulated, beside those with the same other changes. */
    walk({ ask, changes, measures }, moved) {
      const [first] = measures;
      if (ask <= since || !moved || !first || !Number.isFinite(first.mean)) {
        walked.replaceChildren();
        return;
      }
      const { key } = moved;
      const others = without(changes, key);
      const add = (of, measure) => {
        const x = numberOf(of, moved);
        tried.points.set(x, { x, ...measure });
        return x;
      };
      if (key !== tried.key || others !== tried.others) {
        tried = { key, others, points: new Map() };
        const before = latest && latest.ask > since && latest.measures[0];
        if (before && Number.isFinite(before.mean) && without(latest.changes, key) === others) add(latest.changes, before);
      }
      const x = add(changes, first);
      const points = [...tried.points.values()].sort((a, b) => a.x - b.x);
      const name = [first.of, first.name].filter(Boolean).join(": ");
      redraw = () => walked.replaceChildren(curve(points, { name, setting: key, now: x, wide: Math.min(walked.clientWidth || 560, 608) }));
      if (points.length > 1) redraw();
      else walked.replaceChildren();
    },
    /** Forgets the values that a slider has had: all looks up to this one are at another text. */
    forget(ask) {
      [tried, since] = [{ key: "", others: "", points: new Map() }, ask];
      step.textContent = step.textContent.replace(REFINING, "");
    },
    /** The last answer to a look: its figure and its report. */
    end(found) {
      box.dataset.done = found.ask;
      picture.classList.remove("old");
      figured.hidden = true;
      drawnOf = found.figure ? words(found.changes) : "";
      figure.replaceChildren(...(found.figure ? [report(found.figure)] : []));
      html = found.html;
      whole.open = false;
      whole.replaceChildren(whole.firstChild);
      whole.hidden = false;
    },
  };
};
