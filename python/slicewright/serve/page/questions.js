// A question with its options as a form: what was typed survives the way to the answer and back.

import { bounds, cost } from "./counters.js";
import { element, labelled, problems } from "./elements.js";
import { named } from "./settings.js";

/** What was typed into a form, and how it is kept. */
const typed = (place) => {
  const key = `typed ${place}`;
  const kept = JSON.parse(sessionStorage.getItem(key) ?? "{}");
  return { kept, keep: (field, value) => sessionStorage.setItem(key, JSON.stringify(Object.assign(kept, { [field]: value }))) };
};

/** Values of a setting to begin with, as fields of settings take them: about its own value, or its words. */
const proposed = ({ key, number, choices, whole, least, most, suffix }, field) => {
  if (field === "fix") return key;
  if (choices.length) return `${key}=${choices.join(",")}`;
  const round = (value) => whole ? Math.round(value) : Number(value.toPrecision(3));
  const [from, to] = [round(Math.max(least, number / 2)), round(Math.min(most, Math.max(number * 1.5, number + (whole ? 4 : 0))))];
  return `${key}=${from}..${to}${field === "vary" ? "" : `:${whole ? Math.max(1, Math.round((to - from) / 4)) : round((to - from) / 4)}`}${suffix}`;
};

/** Fields that take settings, so that nobody has to know their keys. */
const OF_SETTINGS = ["set", "knob", "vary", "fix"];

/** Fields that take counters, in words. */
const COUNTED = ["minimise", "subject_to"];

/** A list of settings, in words; a chosen one is added to a field with values about its own. */
const picker = (name, settings, input) => {
  const offered = settings.filter(({ number, choices, role }) => role !== "default" && (number !== null || (choices.length && name !== "vary")));
  const list = element("select", { class: "picker", "aria-label": "Add a setting", change: () => {
    input.value = [input.value.trim(), proposed(offered[list.selectedIndex - 1], name)].filter(Boolean).join("; ");
    input.dispatchEvent(new Event("input"));
    list.selectedIndex = 0;
  } }, element("option", {}, "Add a setting"), ...offered.map(({ key }) => element("option", {}, named(key))));
  return list;
};

/** What is made least, or the bounds, of `rows`; with the settings that are tried, where these have numbers. */
const counted = (name, input, rows, { settings, tried, keep, help }) => {
  const box = element("div", {});
  const change = (text) => keep(name, input.value = text);
  const show = () => box.replaceChildren(...(name === "minimise"
    ? [cost([...tried().filter((key) => settings.find((each) => each.key === key)?.number !== null)
      .map((key) => ({ part: "a setting that is tried", what: named(key), left: key })), ...rows], input.value, change, { label: "Make least", help })]
    : bounds(rows, input.value.split(";").map((part) => part.trim()).filter(Boolean), (texts) => change(texts.join("; ")),
      { label: "Must hold", add: "Add a bound", remove: "Remove bound", help })));
  show();
  return { box, show };
};

/**
 * A question with its options, and one button that asks it; `send` takes the options and gives the job. `settings` are
 * those that fields can name, `counters` what a cost and bounds can be of.
 */
export const question = ({ asks, shared, options }, place, send, settings = [], counters = []) => {
  const every = [...shared, ...options];
  const common = new Set(shared.map(({ name }) => name));
  const ends = (name) => common.has(name) ? "," : ";";  // a pool has commas of its own
  const inputs = new Map();
  const { kept, keep } = typed(place);
  const wrong = element("div");
  const line = (field) => {
    if (counters.length && COUNTED.includes(field.name)) return inWords(field);
    const made = plain(field);
    if (settings.length && OF_SETTINGS.includes(field.name)) inputs.get(field.name).after(picker(field.name, settings, inputs.get(field.name)));
    return made;
  };
  const inWords = ({ name, label, help }) => {
    const input = { value: kept[name] ?? "" };
    inputs.set(name, input);
    const knobs = inputs.get("knob");
    const tried = () => knobs.value.split(";").map((part) => part.split("=")[0].trim()).filter(Boolean);
    const { box, show } = counted(name, input, counters, { settings, tried, keep, help });
    if (name === "minimise") knobs.addEventListener("input", show);
    return element("div", { class: "field", role: "group", "aria-label": label }, element("span", {}, label), box);
  };
  const plain = ({ name, label, help, several, required, choices, default: usual }) => labelled(required ? `${label} (needed)` : label, several ? `${help} Several are separated by ${ends(name) === "," ? "commas" : "semicolons"}.` : help, (ties) => {
    const input = choices?.length ? element("select", { ...ties, name, change: () => keep(name, input.value) },
      ...choices.map((choice) => element("option", { value: choice === usual ? "" : choice }, choice))) : element("input", { ...ties, name, required, placeholder: usual, autocomplete: "off", spellcheck: "false", input: () => keep(name, input.value) });
    input.value = kept[name] ?? "";
    inputs.set(name, input);
    return input;
  });
  const first = ({ name, required }) => required || (counters.length > 0 && COUNTED.includes(name));
  const several = new Set(every.filter((each) => each.several).map(({ name }) => name));
  const ask = async (event) => {
    event.preventDefault();
    const given = Object.fromEntries([...inputs].filter(([, input]) => input.value.trim()).map(([key, input]) =>
      [key, several.has(key) ? input.value.split(ends(key)).map((part) => part.trim()).filter(Boolean) : input.value.trim()]));
    try {
      location.hash = `#/answer/${(await send(given)).job}`;
    } catch (error) {
      wrong.replaceChildren(problems(error.problems ?? [{ what: String(error) }]));
    }
  };
  return element("form", { class: "question", submit: ask },
    element("p", { class: "asks" }, asks),
    element("button", { type: "submit", class: "primary" }, "Ask"),
    ...every.filter(first).map(line),
    element("details", { open: every.some((field) => !first(field) && kept[field.name]) }, element("summary", {}, "Options"),
      ...every.filter((field) => !first(field)).map(line)), wrong);
};
