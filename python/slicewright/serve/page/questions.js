// A question with its options as a form: what was typed survives the way to the answer and back.

import { element, labelled, problems } from "./elements.js";

/** What was typed into a form, and how it is kept. */
const typed = (place) => {
  const key = `typed ${place}`;
  const kept = JSON.parse(sessionStorage.getItem(key) ?? "{}");
  return { kept, keep: (field, value) => sessionStorage.setItem(key, JSON.stringify(Object.assign(kept, { [field]: value }))) };
};

/** A question with its options, and one button that asks it; `send` takes the options and gives the job. */
export const question = ({ asks, shared, options }, place, send) => {
  const every = [...shared, ...options];
  const common = new Set(shared.map(({ name }) => name));
  const ends = (name) => common.has(name) ? "," : ";";  // a pool has commas of its own
  const inputs = new Map();
  const { kept, keep } = typed(place);
  const wrong = element("div");
  const line = ({ name, label, help, several, required, choices, default: usual }) => labelled(label, several ? `${help} Several are separated by ${ends(name) === "," ? "commas" : "semicolons"}.` : help, (ties) => {
    const input = choices?.length ? element("select", { ...ties, name, change: () => keep(name, input.value) },
      ...choices.map((choice) => element("option", { value: choice === usual ? "" : choice }, choice))) : element("input", { ...ties, name, required, placeholder: usual, autocomplete: "off", spellcheck: "false", input: () => keep(name, input.value) });
    input.value = kept[name] ?? "";
    inputs.set(name, input);
    return input;
  });
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
    element("details", { open: every.some(({ required }) => required) || Object.values(kept).some(Boolean) }, element("summary", {}, "Options"), ...every.map(line)), wrong);
};
