// The screen of an answer: progress while it is worked on, then the advice, and the files behind it.

import { button, element, problems, report, save, seconds } from "./elements.js";
import { begin } from "./experiment.js";
import * as plan from "./plan.js";
import { cancel, outcome } from "./server.js";

/** A bar with the time left and a way to stop, which follows the events of a job. */
export const progress = (job) => {
  const bar = element("progress", { max: "1", "aria-label": "Share done" });
  const words = element("span", { class: "quiet" });
  const box = element("div", { class: "progress" }, bar, words, button("Stop", () => cancel(job)));
  return {
    box,
    hear({ state, share, left_s }) {
      if (share > 0) bar.value = share;
      words.textContent = state === "waiting" ? "waits for other work" : left_s ? `about ${seconds(left_s)} left` : "";
    },
  };
};

const SVG = "http://www.w3.org/2000/svg";

/** The range of a recommendation as a bar, with the recommendation as a mark on it. */
const rangeBar = ({ low, high, value, words }) => {
  const most = Math.max(high, value) * 1.05 || 1;
  const x = (number) => 4 + 232 * number / most;
  const part = (name, attributes) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, each] of Object.entries(attributes)) made.setAttribute(key, each);
    return made;
  };
  const picture = part("svg", { viewBox: "0 0 240 20", role: "img", "aria-label": `${words} over all loads that fit these data` });
  picture.append(part("line", { x1: x(0), x2: x(most), y1: 10, y2: 10, class: "track" }),
    part("line", { x1: x(low), x2: Math.max(x(high), x(low) + 1), y1: 10, y2: 10, class: "span" }),
    part("circle", { cx: x(value), cy: 10, r: 7, class: "at" }));
  return element("figure", { class: "range" }, picture,
    element("figcaption", {}, low === high ? "Every load that fits these data needs the same." : `${words} over all loads that fit these data`));
};

/** One answer: the number, its range, the gain and what would settle it; the figure beside it; the rest folded. */
const answered = (found, several) => {
  const aside = found.range && found.range.low !== found.range.high ? found.aside.replace(/^range [^;]*;? ?/, "") : found.aside;
  const rest = element("details", { class: "rest" }, element("summary", {}, "Tables, readings, evidence and caveats"));
  rest.addEventListener("toggle", () => rest.open && rest.children.length === 1 && rest.append(report(found.rest)));
  return element("section", { class: "glance", "aria-label": found.title },
    element("div", { class: found.figure ? "at-once" : "at-once alone" },
      element("div", { class: "verdict" },
        several && element("h2", {}, found.title),
        found.value ? element("p", { class: found.value.length > 9 ? "number long-words" : "number" }, element("b", {}, found.value), " ",
          element("span", {}, found.name)) : null,
        found.range && rangeBar(found.range),
        element("p", { class: "leading" }, found.lead),
        ...found.gains.map((text) => element("p", {}, text)),
        aside && element("p", { class: "quiet" }, `${aside[0].toUpperCase()}${aside.slice(1)}.`),
        found.settles && element("p", { class: "settles" }, element("b", {}, "What would settle it: "), `${found.settles}.`),
        found.of && element("p", { class: "quiet from" }, found.of)),
      found.figure && element("div", { class: "pictured" }, report(found.figure))),
    rest);
};

export const screen = {
  title: "Advice",
  wide: true,
  async open(main, [number]) {
    const job = Number(number);
    const { box, hear } = progress(job);
    main.append(box);
    let found;
    try {
      found = await outcome(job, hear);
    } catch (error) {
      main.replaceChildren(problems(error.problems ?? [{ what: String(error) }]),
        element("p", {}, button("Back", () => history.back())));
      return;
    }
    const scenarios = found.scenarios.map(({ name, text }) => element("li", {}, button(name, () => save(name, text), { class: "plain" }), " ",
      button("Open as an experiment", () => begin(name, text), { class: "plain", "aria-label": `Open ${name} as an experiment` })));
    const [load] = found.question === "fit" ? found.scenarios : [];
    main.replaceChildren(...[
      element("p", { class: "tools" },
        load && button("Plan with this load", () => plan.begin(found.title, load.text), { class: "primary" }),
        button("Back to the question", () => history.back()),
        button("Save report.html", () => save("report.html", found.page, "text/html")),
        button("Save advice.json", () => save("advice.json", JSON.stringify(found.documents, null, 1), "application/json"))),
      element("h1", {}, found.title),
      ...found.answers.map((each) => answered(each, found.answers.length > 1)),
      found.scenarios.length > 0 && element("details", { class: "behind" }, element("summary", {}, `Scenarios behind it (${scenarios.length})`),
        element("ul", {}, ...scenarios))].filter(Boolean));
  },
};
