// The screens of studies: all in one table, and one cell by cell, which can be simulated again, whole or without something.

import { progress } from "./answer.js";
import { button, element, problems, report, save } from "./elements.js";
import { outcome, state, submit, watch } from "./server.js";

const TAKES = "Quick takes seconds to minutes, full several minutes; the time left appears while it runs.";

const one = (name) => `#/studies/${encodeURIComponent(name)}`;

/** The table of all studies, the first column of which leads to each. */
const all = async (main) => {
  main.append(element("p", { class: "wait", role: "status" }, "Reading the kept results"));
  const { html, names } = await outcome((await submit("studies", {})).job);
  const shown = report(html);
  shown.querySelectorAll("tbody tr").forEach((row, at) => {
    const [first] = row.cells;
    first.replaceChildren(element("a", { href: one(names[at]) }, first.textContent));
  });
  main.replaceChildren(shown);
};

/** The words of the command that does the same. */
const command = (name, quick, ablation) =>
  `reproduce ${name}${quick ? " --quick" : ""}${ablation ? ` --ablation ${ablation}` : ""}`;

/** The switches of what is taken away, one at a time. */
const switches = (ablations) => {
  const choice = (value, label, what) => {
    const input = element("input", { type: "radio", name: "ablation", value, checked: !value });
    return element("label", { class: "switch" }, input, element("b", {}, label), " ", what);
  };
  return element("fieldset", { class: "switches" }, element("legend", {}, "Take one thing away (ablation)"),
    choice("", "nothing", "everything is there, and cells are judged"),
    ...ablations.map(({ name, what }) => choice(name, name, what)));
};

/** The latest job of a study that has not failed, with what it was asked. */
const latest = async (name) => {
  const mine = new RegExp(`^(reproduce ${name}( |$)|curves of ${name}$)`);
  const { jobs } = await state();
  return jobs.findLast(({ task, about, state: now }) =>
    task === "reproduce" && mine.test(about) && ["waiting", "running", "done"].includes(now));
};

const study = async (main, name) => {
  main.append(element("p", { class: "wait", role: "status" }, "Reading the kept result"));
  const found = await outcome((await submit("study", { name })).job);
  const shown = element("div", {});
  const words = element("p", { class: "origin", role: "status" });
  const form = element("form", { class: "again", "aria-label": "Run it again" },
    found.ablations.length ? switches(found.ablations) : element("p", { class: "quiet" }, "This study declares no ablation."),
    element("p", { class: "runs" },
      button("Run it again, quick", () => run(true)), button("Run it again, full", () => run(false)),
      found.has_curves && button("Draw its curves", () => begin("curves of " + name, { curves: true })),
      element("small", {}, TAKES)));
  main.replaceChildren(
    element("p", { class: "back" }, element("a", { href: "#/studies" }, "All studies")), form, words, shown);

  let current = 0;
  const kept = () => {
    current = 0;
    words.replaceChildren(found.html ? `Below: the kept result (${found.last}).`
      : "It was not run yet on this installation: no result is kept. Run it.");
    shown.replaceChildren(...(found.html ? [report(found.html)] : []));
  };
  const run = (quick) => {
    const ablation = form.elements.ablation?.value ?? "";
    return begin(command(name, quick, ablation), { quick, ablation });
  };
  const begin = async (about, asked) => follow(await submit("reproduce", { name, about, ...asked }, `study ${name}`));
  const follow = async ({ job, about }) => {
    current = job;
    if (form.elements.ablation) form.elements.ablation.value = /--ablation (\S+)/.exec(about)?.[1] ?? "";
    const { box, hear } = progress(job);
    const part = element("div", { "aria-live": "off" });
    words.replaceChildren("Running: ", element("code", {}, about));
    shown.replaceChildren(box, part);
    const end = watch(job, (event) => {
      hear(event);
      if (event.part) part.replaceChildren(report(event.part));
    });
    try {
      const done = await outcome(job);
      if (current === job) result(about, done);
    } catch (error) {
      if (current !== job) return;
      kept();
      const wrong = error.problems ?? [{ what: String(error) }];
      if (wrong[0].what === "cancelled") words.prepend("Stopped. ");
      else shown.prepend(problems(wrong));
    } finally {
      end();
    }
  };
  const result = (about, { html, page, document: cells }) => {
    const drawn = about.startsWith("curves");
    words.replaceChildren(...(drawn ? [`Below: the kept result (${found.last}), with its curves simulated now. `]
      : ["Below: what ", element("code", {}, `slicewright ${about}`), " gives, simulated on this machine. "]));
    shown.replaceChildren(
      element("p", { class: "tools" },
        found.html && button("Back to the kept result", kept),
        button("Save report.html", () => save(`${name}.html`, page, "text/html")),
        button("Save cells.json", () => save(`${name}.json`, JSON.stringify(cells, null, 1), "application/json"))),
      report(html));
  };
  const before = await latest(name);
  if (before) follow(before);
  else kept();
};

export const screen = {
  title: "Studies",
  listed: true,
  open: (main, [name]) => (name ? study(main, name) : all(main)),
};
