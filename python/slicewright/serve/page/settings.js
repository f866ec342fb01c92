// The settings of a scenario as a form: a slider and a field for each number, a list for each choice.

import { button, element, plural } from "./elements.js";

const TITLES = { cec: "Processors", measure: "Measurement of a full run" };
const PLAIN = { kib: "KiB", io: "I/O" };

const parts = (key) => [...key.matchAll(/"([^"]*)"|([^."]+)/g)].map(([, quoted, plain]) => quoted ?? plain);
const words = (name) => PLAIN[name] ?? name.replaceAll("_", " ");

/** A number as it is written: no digits but those that mean something. */
const written = (value) => String(Number(value.toPrecision(6)));

/** The value of a change as TOML has it. */
export const toml = (setting, value) => setting.kind === "number" ? value : JSON.stringify(value);

const heading = (key) => {
  const [kind, name] = parts(key);
  if (TITLES[kind]) return TITLES[kind];
  const title = words(kind)[0].toUpperCase() + words(kind).slice(1);
  if (["topology", "serialization"].includes(kind)) return title;
  return name === "*" ? `Every ${words(kind)}` : `${title} ${name}`;
};

const label = (key) => {
  const [kind, , ...rest] = parts(key);
  const path = rest.length && !TITLES[kind] ? rest : parts(key).slice(1);
  return path.map(words).join(" › ");
};

/** A setting in words, with what it is of. */
export const named = (key) => `${heading(key)}: ${label(key)}`;

/** One setting: its control, and a way back to the value of the text. */
const row = (setting, changed, change) => {
  const name = label(setting.key);
  const note = `${setting.help}${setting.help ? ". " : ""}${setting.role}: ${setting.why}`;
  const back = button("↺", () => set(setting.value), { class: "back", "aria-label": `${name}: back to ${setting.value}`, title: `back to ${setting.value}` });
  const box = element("div", { class: "setting", "data-key": setting.key });
  let show = () => {};
  const set = (value) => {
    show(value);
    mark(value);
    change(setting, value === setting.value ? null : value);
  };
  const mark = (value) => {
    box.classList.toggle("changed", value !== setting.value);
    back.hidden = value === setting.value;
  };
  const unit = setting.suffix.trim();
  const of = (number) => number === setting.number ? setting.value : `${written(number)}${setting.suffix}`;
  const controls = [];
  if (setting.number !== null) {
    const spoken = unit ? `${name}, ${unit}` : name;
    const range = element("input", { type: "range", min: setting.least, max: setting.most, step: setting.step, "aria-label": spoken,
      input: () => set(of(Number(range.value))) });
    const field = element("input", { type: "number", min: setting.least, step: "any", "aria-label": `${spoken}, typed`,
      change: () => field.value.trim() && set(of(Number(field.value))) });
    show = (value) => {
      const number = parseFloat(value);
      if (number > Number(range.max)) range.max = number;
      if (Number(range.value) !== number) range.value = number;
      range.setAttribute("aria-valuetext", value);
      if (Number(field.value) !== number || !field.value) field.value = written(number);
    };
    controls.push(range, element("span", { class: "typed" }, field, element("span", { class: "unit" }, unit)));
  } else if (setting.kind === "choice") {
    const list = element("select", { "aria-label": name, change: () => set(list.value) },
      ...setting.choices.map((choice) => element("option", { value: choice }, choice)));
    show = (value) => { list.value = value; };
    controls.push(list);
  } else controls.push(element("span", { class: "quiet" }, `${setting.value} (the text has it)`));
  show(changed ?? setting.value);
  mark(changed ?? setting.value);
  box.append(element("div", { class: "named" }, element("span", { class: "name" }, name), element("span", { class: `role ${setting.role}` }, setting.role), back),
    element("div", { class: "controls" }, ...controls), element("p", { class: "note" }, note));
  return box;
};

/** Lets sliders reach further, by key; none that is being moved, which would jump. */
export const reach = (form, most) => {
  for (const box of form.querySelectorAll(".setting")) {
    const range = box.querySelector('input[type="range"]');
    const wanted = most[box.dataset.key];
    if (range && wanted > Number(range.max) && !range.matches(":active")) range.max = wanted;
  }
};

/**
 * The form. `changes` are values by key on top of the text; `change(setting, value)` hears of each, null for the value of
 * the text.
 */
export const form = (settings, changes, change) => {
  const groups = new Map();
  for (const setting of settings) {
    const title = heading(setting.key);
    groups.set(title, [...(groups.get(title) ?? []), setting]);
  }
  const made = [...groups].map(([title, of]) => element("details", { class: "group", open: !title.startsWith("Measurement") },
    element("summary", {}, title), ...of.map((setting) => row(setting, changes[setting.key], change))));
  const box = element("div", { class: "form" });
  const find = element("input", { type: "search", placeholder: "Find a setting", "aria-label": "Find a setting", input: () => sift() });
  const all = element("input", { type: "checkbox", id: "defaults", change: () => sift() });
  const sift = () => {
    const wanted = find.value.trim().toLowerCase();
    for (const group of made) {
      let some = false;
      for (const each of group.querySelectorAll(".setting")) {
        const setting = settings.find(({ key }) => key === each.dataset.key);
        const spoken = `${group.firstChild.textContent} ${each.textContent} ${setting.key}`.toLowerCase();
        const shown = wanted ? spoken.includes(wanted) : all.checked || setting.role !== "default" || each.classList.contains("changed");
        each.hidden = !shown;
        some ||= shown;
      }
      group.hidden = !some;
      if (wanted && some) group.open = true;
    }
  };
  const defaults = settings.filter(({ role }) => role === "default").length;
  box.append(element("div", { class: "sift" }, find, defaults > 0 && element("label", { for: "defaults" }, all, ` show ${plural(defaults, "default")} too`)), ...made);
  sift();
  return box;
};
