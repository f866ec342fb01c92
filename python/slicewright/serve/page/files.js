// The screens of files: drop them, see what they are, and ask.

import { button, element, plural, problems, report } from "./elements.js";
import { begin } from "./experiment.js";
import { question } from "./questions.js";
import * as plan from "./plan.js";
import { drop, left, outcome, request, state, submit } from "./server.js";

const TAKEN = "DEVICE (FCX108) and RMF pages, QUERY PAV, MONWRITE and SMF files, cpu.stat, series of a cluster, fio and iostat, scenarios, run directories";

/** Kinds of files that have a timeline. */
const TIMED = ["a scenario", "a simulated run"];

const size = (bytes) => bytes < 1024 ? plural(bytes, "byte")
  : bytes < 1 << 20 ? `${Math.round(bytes / 1024)} KiB` : `${(bytes / (1 << 20)).toFixed(1)} MiB`;

/** Uploads what was dropped or chosen and opens its screen. */
const take = async (files) => {
  if (!files.length) return;
  const main = document.getElementById("main");
  try {
    const made = await drop(files);
    location.hash = `#/drop/${made.id}`;
  } catch (error) {
    main.prepend(problems(error.problems ?? [{ what: String(error) }]));
  }
};

/** The files of a drop, with those of folders under their paths. */
const dropped = async (items) => {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const found = [];
  const walk = async (entry, path) => {
    if (entry.isFile) {
      found.push([path + entry.name, await new Promise((done) => entry.file(done, () => done(null)))]);  // null: it cannot be read
    }
    if (!entry.isDirectory) return;
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((done, fail) => reader.readEntries(done, fail));
      if (!some.length) return;
      for (const each of some) await walk(each, `${path}${entry.name}/`);
    }
  };
  for (const entry of entries) await walk(entry, "");
  return found;
};

/** Takes files that are dropped on any screen. */
export const dropAnywhere = () => {
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("over");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("over");
  });
  addEventListener("drop", async (event) => {
    event.preventDefault();
    document.body.classList.remove("over");
    const items = event.dataTransfer.items;
    take(items?.length ? await dropped(items) : [...event.dataTransfer.files].map((file) => [file.name, file]));
  });
};

export const home = {
  title: "Files",
  listed: true,
  async open(main) {
    const input = element("input", {
      type: "file", multiple: true, id: "choose", class: "hidden-input",
      change: () => take([...input.files].map((file) => [file.name, file])),
    });
    main.append(
      element("section", { class: "zone" }, input,
        element("h1", {}, "Drop a report, monitor data or a scenario"),
        element("p", {}, element("label", { for: "choose", class: "button" }, "Choose files")),
        element("p", { class: "quiet" }, `It takes ${TAKEN}. Files stay on this machine.`)));
    const example = async () => {
      location.hash = `#/drop/${(await request("example", { method: "POST" })).id}`;
    };
    main.append(element("p", {}, "No file at hand? ",
      button("Look at a published report", example, { class: "plain" }), " of eight volumes that wait for I/O."));
    const { drops } = await state();
    if (!drops.length) return;
    main.append(element("h2", {}, "Files of this session"), element("ul", { class: "cards" },
      ...drops.filter(({ names }) => names.length).reverse().map((each) => element("li", {},
        element("a", { href: `#/drop/${each.id}` }, element("b", {}, each.names.join(", ")), " ",
          element("span", { class: "quiet" }, size(each.bytes))),
        button("Remove", async (event) => {
          await remove(each.id);
          event.target.closest("li").remove();
        }, { class: "plain", "aria-label": `Remove ${each.names.join(", ")}` })))));
  },
};

/** Removes a drop, or one file of it. */
const remove = (id, name = "") =>
  request(`drops/${id}${name ? `/${name.split("/").map(encodeURIComponent).join("/")}` : ""}`, { method: "DELETE" });

/** The files of a drop, each of which can be looked at alone, or removed. */
const single = (id, names, shown, changed) => names.length < 2 ? null : element("details", { class: "files", open: shown.length > 0 },
  element("summary", {}, `Look at one of its ${names.length} files alone, or remove it`),
  element("ul", {}, ...names.map((name) => element("li", {},
    element("a", { href: `#/drop/${id}/${encodeURIComponent(name.replace(/[\uD800-\uDFFF]/gu, "\uFFFD"))}`,
      "aria-current": shown.includes(name) && "true" }, name), " ",
    button("Remove", () => remove(id, name).then(changed), { class: "plain", "aria-label": `Remove ${name}` })))));

/** Questions that the files do not answer, and what each needs. */
const lacking = (lacks) => lacks?.length > 0 && element("details", { class: "lacks" },
  element("summary", {}, `${plural(lacks.length, "more question needs", "more questions need")} other records`),
  ...lacks.map(({ asks, missing }) => element("div", {}, element("p", { class: "asks" }, asks),
    element("ul", {}, ...missing.map((line) => element("li", {}, line))))));

/** Kinds of drops that can be compared, by drop: the name of each that was looked at. */
const COMPARED = "compared";

/** A form that compares a run or a day with another one that was looked at, the earlier one first. */
const comparing = (id, found, name) => {
  const known = JSON.parse(sessionStorage.getItem(COMPARED) ?? "{}");
  known[id] = { name, only: found.names };
  sessionStorage.setItem(COMPARED, JSON.stringify(known));
  const others = Object.entries(known).filter(([other]) => other !== id);
  if (!others.length) return element("p", { class: "quiet" }, "Drop a second run or day to compare it with this one.");
  const list = element("select", { "aria-label": "Compare with" }, ...others.map(([other, { name: label }]) => element("option", { value: other }, label)));
  const wrong = element("div");
  const ask = async (event) => {
    event.preventDefault();
    try {
      const { job } = await submit("compare", { drop: id, only: found.names, other: { drop: list.value, only: known[list.value].only }, about: `compare ${name}` });
      location.hash = `#/answer/${job}`;
    } catch (error) {
      wrong.replaceChildren(problems(error.problems ?? [{ what: String(error) }]));
    }
  };
  return element("form", { class: "question", submit: ask }, element("p", { class: "asks" }, "What has changed since ", list, "?"),
    element("button", { type: "submit", class: "primary" }, "Ask"), wrong);
};

export const one = {
  title: "File",
  wide: true,
  async open(main, [id, alone]) {
    const wait = element("p", { class: "wait", role: "status" }, "Looking at it");
    main.append(wait);
    const { drops } = await state();
    const names = drops.find((each) => each.id === id)?.names ?? [];
    const chosen = alone ? [alone] : [];
    const again = () => (location.hash === `#/drop/${id}` ? dispatchEvent(new HashChangeEvent("hashchange")) : (location.hash = `#/drop/${id}`));
    const more = single(id, names, chosen, again);
    if (left.has(id)) main.append(problems(left.get(id), "Files that were not taken"));
    let found;
    try {
      const job = await submit("describe", { drop: id, only: chosen });
      found = await outcome(job.job);
    } catch (error) {
      main.append(problems(error.problems ?? [{ what: String(error) }]), more ?? "");
      return;
    } finally {
      wait.remove();
    }
    const name = found.names.join(" ");
    const fit = (options) => submit("fit", { drop: id, only: found.names, options, about: `load of ${name}`, name });
    const fits = (found.fits ?? []).map((each) => question(each, `${id} fit`, fit));
    const asks = found.questions.map((each) => question(each, `${id} ${each.name}`, (options) =>
      submit("ask", { drop: id, only: found.names, question: each.name, options, about: `advise ${each.name}`, name })));
    main.append(
      ...(found.left.length ? [problems(found.left, "Files that cannot be read")] : []),
      element("section", { class: "asked", "aria-label": "What can be asked" },
        element("p", { class: "kind" }, `${name} is ${found.kind}.`),
        found.scenario && element("p", { class: "tools" }, button("Open as an experiment", () => begin(name, found.scenario, { drop: id })),
          button("Plan purchases", () => plan.begin(name, found.scenario, { drop: id }))),
        found.fits?.length > 0 && element("p", { class: "tools" }, button("Plan purchases from this day", async () => {
          location.hash = `#/answer/${(await fit({})).job}`;
        })),
        ...asks, ...fits,
        found.compares && comparing(id, found, name),
        !asks.length && !fits.length && !found.compares && element("p", { class: "quiet" }, "There is no question yet that it answers."),
        lacking(found.lacks),
        TIMED.includes(found.kind) && element("p", {}, element("a", { href: `#/timeline/drop/${id}` }, "Show its timeline")),
        more),
      report(found.html));
    const pick = ({ detail }) => {  // a click on an interval of the picture
      for (const input of main.querySelectorAll('input[name="interval"]')) {
        input.value = detail;
        input.closest("details").open = true;
        input.dispatchEvent(new Event("input"));
      }
      main.querySelector(".asked")?.scrollIntoView({ behavior: "smooth", block: "nearest" });
    };
    document.addEventListener("point", pick);
    return () => document.removeEventListener("point", pick);
  },
};
