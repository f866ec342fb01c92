// A chart of counters over simulated time that grows step by step: lines, settings as steps, and instants of changes.

const SPACE = { height: 190, left: 44, right: 20, top: 8, bottom: 26 };
const INKS = ["--series-1", "--series-2", "--series-3", "--series-4"];

const drawn = (name, attributes, ...children) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

/** A round number that is no less. */
const roundUp = (value) => {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((times) => times * power).find((each) => each >= value * 0.999999);
};

const known = (values) => values.filter((value) => value !== null && value !== undefined);

/** The values of a setting at each interval, from its changes: [[interval, value]...], the first at 0. */
const steps = (changes, count) => Array.from({ length: count }, (_, at) => changes.findLast(([from]) => from <= at)?.[1] ?? null);

/**
 * A chart as a figure. `curves` have a label, values by interval, and `setting` where they are an operator's;
 * `shown` is how many intervals are over, `count` how many there will be, `marks` the intervals of changes, and `width`
 * that of the picture: letters keep their size.
 */
export const chart = ({ title, unit, curves }, { shown, count, interval, marks, width }) => {
  const { height, left, right, top, bottom } = SPACE;
  const every = curves.flatMap(({ values, setting }) => known(setting ? steps(setting, shown) : values.slice(0, shown)));
  const most = roundUp(Math.max(...every, 1e-9) || 1);
  const x = (at) => left + (width - left - right) * at / count;
  const y = (value) => height - bottom - (height - top - bottom) * value / most;
  const line = (values, stepped) => {
    let path = "";
    let on = false;
    values.forEach((value, at) => {
      if (value === null || value === undefined) { on = false; return; }
      const place = (where) => `${x(where).toFixed(1)} ${y(value).toFixed(1)}`;
      path += stepped ? `${on ? "L" : "M"}${place(at)}L${place(at + 1)}` : `${on ? "L" : "M"}${place(at + 0.5)}`;
      on = true;
    });
    return path;
  };
  const inks = new Map();
  const ink = (curve) => {
    const name = curve.of ?? curve.label;
    if (!inks.has(name)) inks.set(name, INKS[inks.size % INKS.length]);
    return `var(${inks.get(name)})`;
  };
  const parts = [0, 0.5, 1].flatMap((share) => [
    drawn("line", { class: "grid", x1: left, x2: width - right, y1: y(most * share), y2: y(most * share) }),
    drawn("text", { x: left - 5, y: y(most * share) + 4, "text-anchor": "end" }, String(Number((most * share).toPrecision(3)))),
  ]);
  const apart = width < 330 ? 120 : 60;
  for (let second = 0; second <= count * interval; second += apart) {
    parts.push(drawn("text", { x: x(second / interval), y: height - 9, "text-anchor": "middle" }, `${second} s`));
  }
  parts.push(drawn("line", { class: "axis", x1: left, x2: width - right, y1: y(0), y2: y(0) }));
  for (const at of marks) parts.push(drawn("line", { class: "mark", x1: x(at), x2: x(at), y1: top, y2: height - bottom }));
  const words = [];
  const key = document.createElement("ul");
  key.className = "key";
  for (const curve of curves) {
    const values = curve.setting ? steps(curve.setting, shown) : curve.values.slice(0, shown);
    parts.push(drawn("path", { d: line(values, Boolean(curve.setting)), class: curve.setting ? "operators" : "", stroke: ink(curve) }));
    const last = known(values.slice(-1))[0];
    const value = last === undefined ? "-" : `${last.toFixed(Math.abs(last) < 10 ? 2 : 1)}${unit ? ` ${unit}` : ""}`;
    const swatch = document.createElement("span");
    swatch.style.borderTopColor = ink(curve);
    const item = document.createElement("li");
    item.className = curve.setting ? "operators" : "";
    item.append(swatch, `${curve.label} ${value}`);
    key.append(item);
    words.push(`${curve.label} ${value}`);
  }
  const figure = document.createElement("figure");
  figure.className = "chart";
  const caption = document.createElement("figcaption");
  caption.append(unit ? `${title}, ${unit}` : title);
  const picture = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title}: ${words.join(", ")}` }, ...parts);
  figure.append(caption, picture, key);
  return figure;
};
