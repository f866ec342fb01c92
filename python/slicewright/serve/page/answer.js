// The screen of an answer: progress while it is worked on, then the advice, and the files behind it.

import { button, element, problems, report, save, seconds } from "./elements.js";
import { begin } from "./experiment.js";
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

export const screen = {
  title: "Advice",
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
    main.replaceChildren(
      element("p", { class: "tools" },
        button("Back to the file", () => history.back()),
        button("Save report.html", () => save("report.html", found.page, "text/html")),
        button("Save advice.json", () => save("advice.json", JSON.stringify(found.documents, null, 1), "application/json"))),
      report(found.html),
      element("details", { class: "behind" }, element("summary", {}, `Scenarios behind it (${scenarios.length})`),
        element("ul", {}, ...scenarios)));
  },
};
