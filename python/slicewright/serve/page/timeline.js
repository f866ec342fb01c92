// The screens of timelines: choose what to record, then look at it, from the whole interval down to microseconds.

import { progress } from "./answer.js";
import { button, element, labelled, problems } from "./elements.js";
import { outcome, request, state, submit } from "./server.js";
import { View } from "./timeline-view.js";

/** A form with the two ends of what is recorded; `record` gets them. */
const ends = () => {
  const inputs = {};
  const line = (key, label, help, placeholder) => labelled(label, help, (ties) => {
    inputs[key] = element("input", { ...ties, name: key, placeholder, autocomplete: "off", spellcheck: "false" });
    return inputs[key];
  });
  const box = element("details", {}, element("summary", {}, "Record a part of it"),
    line("start", "from", "Start, from the start of the first interval.", "0 ms"),
    line("length", "for", "Length; without one a whole interval.", "10 s"));
  return { box, values: () => ({ start: inputs.start.value.trim(), length: inputs.length.value.trim() }), open: () => { box.open = true; } };
};

/** Records a timeline and opens its screen; problems are shown in `place`. */
const record = async (place, form, what, about) => {
  const latest = Symbol(about);
  place.latest = latest;
  try {
    const job = await submit("record", { ...what, ...form.values(), about: `timeline of ${about}` }, "timeline");
    const { box, hear } = progress(job.job);
    place.replaceChildren(element("p", { class: "wait", role: "status" }, `Records ${about}`), box);
    place.scrollIntoView({ block: "nearest" });
    const found = await outcome(job.job, hear);
    if (!place.isConnected || place.latest !== latest) return;
    location.replace(`#/timeline/of/${found.timeline}`);
  } catch (error) {
    if (place.latest !== latest) return;
    form.open();
    place.replaceChildren(problems(error.problems ?? [{ what: String(error) }]));
  }
};

const choose = async (main) => {
  const { starters } = await request("timelines");
  const { drops } = await state();
  const place = element("div", {});
  const form = ends();
  const row = (name, what, act) => element("li", {}, element("button", { type: "button", class: "starter", click: act },
    element("b", {}, name), " ", element("span", { class: "quiet" }, what)));
  const mine = drops.filter(({ names }) => names.length).reverse();
  main.append(
    element("h1", {}, "Timeline"),
    element("p", {}, "Which guest, program or lock holds each lane at each instant, what waits, and why. Choose what to record:"
      + " a whole interval of one replication takes some seconds."),
    place, form.box,
    mine.length > 0 && element("h2", {}, "Files of this session"),
    mine.length > 0 && element("ul", { class: "starters" }, ...mine.map(({ id, names }) =>
      row(names.join(", "), "", () => record(place, form, { drop: id }, names.join(", "))))),
    element("h2", {}, "Starters"),
    element("ul", { class: "starters" }, ...starters.map(({ name, what, text }) =>
      row(name, what, () => record(place, form, { text }, name)))));
};

const ofDrop = async (main, id) => {
  const { drops } = await state();
  const name = drops.find((each) => each.id === id)?.names.join(", ") ?? "the files";
  const place = element("div", {});
  const form = ends();
  main.append(element("h1", {}, `Timeline of ${name}`), place, form.box,
    element("p", {}, button("Record", () => record(place, form, { drop: id }, name), { class: "primary" })));
  record(place, form, { drop: id }, name);
};

export const screen = {
  title: "Timeline",
  listed: true,
  wide: true,
  async open(main, [kind, id, from, to]) {
    if (kind === "drop") return ofDrop(main, id);
    if (kind !== "of") return choose(main);
    const facts = await request(`timelines/${encodeURIComponent(id)}`);
    const view = new View(main, id, facts);
    view.show(Number(from) || facts.from_us, Number(to) || facts.to_us);
    return () => view.close();
  },
};
