// Elements of the page: built from text that is never taken for markup, and reports that the server has rendered.

/** An element with attributes and children; functions become listeners, null and false are left away. */
export const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
};

export const button = (label, act, attributes = {}) => element("button", { type: "button", click: act, ...attributes }, label);

/** A count with its noun. */
export const plural = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** A field with its label and a line of help; `make` builds the control from the attributes that tie it to both. */
export const labelled = (label, help, make) => {
  const id = `field-${(labelled.last = (labelled.last ?? 0) + 1)}`;
  const note = help ? element("small", { id: `${id}-help` }, help) : null;
  return element("div", { class: "field" }, element("label", { for: id }, label),
    make({ id, "aria-describedby": note ? note.id : null }), note);
};

/** Makes the note of a header or a cell, which only a resting pointer shows, open by a click or the keyboard too. */
const explain = (cell) => {
  const note = cell.title;
  const words = element("span", { class: "note", role: "note", hidden: true }, note);
  const mark = button("?", () => { words.hidden = !words.hidden; }, { class: "ask", "aria-label": `About ${cell.textContent}` });
  cell.append(" ", mark, words);
};

let drawing;

/** A report that the server rendered, with figures that can be pointed at. */
export const report = (html) => {
  const part = element("article", { class: "report" });
  part.innerHTML = html;  // rendered by our templates, which escape every text
  for (const link of part.querySelectorAll('nav a[href^="#"]')) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      part.querySelector(`[id="${CSS.escape(link.hash.slice(1))}"]`)?.scrollIntoView({ behavior: "smooth" });
    });
  }
  for (const table of part.querySelectorAll(".wide")) table.tabIndex = 0;
  for (const noted of part.querySelectorAll("th[title], td[title]")) explain(noted);
  if (part.querySelector("figure.drawn")) {
    drawing ??= import(new URL("figures.js", document.baseURI));
    drawing.then(() => globalThis.drawFigures(part));
  }
  return part;
};

/** Problems of input, each with its place, reason and remedy. */
export const problems = (found, heading = "") => element("div", { class: "problems", role: "alert" },
  element("h2", {}, heading || `There ${found.length === 1 ? "is" : "are"} ${plural(found.length, "problem")}`),
  ...found.map((each) => {
    const place = [each.file, each.line && `line ${each.line}`, each.column && `column ${each.column}`];
    const key = each.key ? [element("code", {}, each.key), ": "] : [];
    const rows = [["why", each.why], ["allowed", each.allowed], ["nearest", each.nearest], ["help", each.remedy]];
    return element("section", {},
      element("p", { class: "what" }, ...key, each.what),
      element("p", { class: "place" }, place.filter(Boolean).join(", ")),
      element("dl", {}, ...rows.filter(([, value]) => value).map(([name, value]) =>
        element("div", {}, element("dt", {}, name), element("dd", {}, value)))));
  }));

/** Saves a text as a file, from the page alone. */
export const save = (name, text, type = "text/plain") => {
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

/** Seconds for people. */
export const seconds = (value) => value < 90 ? `${Math.max(1, Math.round(value))} s` : `${Math.round(value / 60)} min`;
