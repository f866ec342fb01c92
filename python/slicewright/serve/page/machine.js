// The picture of a machine: what a request goes through from left to right, how full it is, and what waits for what.

import { element } from "./elements.js";

const FULL = 90;
const WHEN = [["today", "today"], ["grown", "grown, nothing bought"], ["after", "grown, with the list"]];
const SVG = "http://www.w3.org/2000/svg";

const percent = (value) => value === null || value === undefined || !Number.isFinite(value) ? "-" : `${Math.round(value)}`;
const short = (value) => value === null || value === undefined ? "-" : String(Number(value.toPrecision(3)));

const box = (of) => {
  const values = WHEN.map(([when]) => of.ms ? of.ms[when] : of[`${when}_percent`]);
  const most = of.ms ? Math.max(...values.filter(Number.isFinite), 1e-9) : 100;
  const texts = values.map((value) => of.ms ? short(value) : percent(value));
  const full = (at) => !of.ms && of.queues && values[at] > FULL;
  const said = `${of.name}: ${WHEN.map(([, label], at) => `${label} ${texts[at]} ${of.ms ? "ms" : "%"}`).join(", ")}`;
  return element("li", { class: `part${full(2) ? " is-full" : full(1) ? " was-full" : ""}`, "data-name": of.name, title: said },
    element("span", { class: "name" }, of.name),
    ...WHEN.map(([when], at) => element("span", { class: `level ${when}` },
      element("i", { style: `width: ${Number.isFinite(values[at]) ? Math.max(1, Math.min(100, 100 * values[at] / most)) : 0}%` }), element("b", {}, `${texts[at]} ${of.ms ? "ms" : "%"}`))));
};

/** Draws a line for each pair; one that ends at a resource that was full is marked. */
const lines = (holder, picture, links) => {
  const inside = holder.getBoundingClientRect();
  picture.setAttribute("viewBox", `0 0 ${inside.width} ${inside.height}`);
  const place = new Map([...holder.querySelectorAll(".part")].map((part) => [part.dataset.name, part]));
  picture.replaceChildren(...links.flatMap(([from, to]) => {
    const [a, b] = [place.get(from), place.get(to)];
    if (!a || !b) return [];
    const [left, right] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
    if (right.left <= left.right) return [];  // lanes have wrapped
    const [x1, y1, x2, y2] = [left.right - inside.left, left.top + left.height / 2 - inside.top, right.left - inside.left, right.top + right.height / 2 - inside.top];
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", `M${x1} ${y1}C${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2} ${x2} ${y2}`);
    if (b.matches(".is-full, .was-full")) path.setAttribute("class", "waits");
    return [path];
  }));
};

/** The machine of a plan: lanes with boxes, a sentence on its fullest resource, and a legend. */
export const machine = ({ lanes, links }, { busiest }) => {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("aria-hidden", "true");
  const holder = element("div", { class: "lanes" }, picture, ...lanes.map(({ title, boxes, more }) =>
    element("div", { class: "lane" }, element("h3", {}, title), element("ul", {}, ...boxes.map(box)), more > 0 && element("p", { class: "quiet" }, `and ${more} more`))));
  const name = (when) => busiest?.[when] ? `${busiest[when].name} (${percent(busiest[when].percent)} %)` : "nothing";
  new ResizeObserver(() => lines(holder, picture, links)).observe(holder);
  return element("figure", { class: "machine" },
    element("figcaption", {}, `The busiest today: ${name("today")}. Grown, with nothing bought: ${name("grown")}. With the list: ${name("after")}.`),
    element("ul", { class: "legend-list" }, ...WHEN.map(([when, label]) => element("li", { class: `level ${when}` }, element("i", {}), label)),
      element("li", {}, "A line goes from what waits to what it waits for; thick where that is full.")),
    holder);
};
