// The screens of the documents as live panels: a run that goes on, and fields that an operator changes while it does.

import { chart } from "./chart.js";
import { button, element, problems, save } from "./elements.js";
import { outcome, submit } from "./server.js";

const STEP_MS = 300;
const POLARITIES = { Vh: "vertical high", Vm: "vertical medium", Vl: "vertical low", Hz: "horizontal" };

/** Which panels there are. */
const all = async (main) => {
  const { panels } = await outcome((await submit("panels", {})).job);
  main.append(element("h1", {}, "Panels"),
    element("p", {}, "Screens of the documents over a run that goes on. Change a field as the operator would, and see the machine answer."),
    element("ul", { class: "cards" }, ...panels.map(({ name, title, document: source }) => element("li", {},
      element("a", { href: `#/panels/${name}` }, element("b", {}, title), " ", element("span", { class: "quiet" }, source))))));
};

/** The control of a field: a word of a list, or what is typed. */
const control = (field, label, ties) => {
  const shared = { ...ties, "data-field": field.key, "aria-label": label };
  if (!field.words.length) {
    return element("input", { ...shared, type: "text", inputmode: "numeric", autocomplete: "off", spellcheck: "false", value: field.value });
  }
  const select = element("select", shared, ...field.words.map((word) => element("option", { value: word }, word)));
  select.value = field.value;
  return select;
};

/** Arrows go from field to field, as on the screen; a list of words has them for itself. */
const move = (event) => {
  const { target, key } = event;
  if (key === "Enter" && target.matches("select")) {
    event.preventDefault();
    target.form.requestSubmit();
  }
  if (!target.matches("input") || (key !== "ArrowDown" && key !== "ArrowUp")) return;
  event.preventDefault();
  const every = [...target.form.querySelectorAll("[data-field]")];
  const next = every[(every.indexOf(target) + (key === "ArrowDown" ? 1 : every.length - 1)) % every.length];
  next.focus();
  next.select?.();
};

/** A screen as a form; `enter` is called with it. */
const terminal = (screen, fields, enter, number) => {
  const named = (label) => `${label}${screen.of ? `, ${screen.of}` : ""}`;
  const line = ({ label, hint, field, value }, at) => {
    const id = `hint-${number}-${at}`;
    const place = field ? control(fields.get(field), named(label), { "aria-describedby": id }) : element("span", {}, value || "-");
    return [element("span", {}, label), place, element("span", { class: "hint", id }, [field && fields.get(field).unit, hint].filter(Boolean).join(" "))];
  };
  const cell = ({ label, field, value }) => element("td", {}, !field ? value
    : field.endsWith(".norm") ? element("output", { "data-norm": field }) : control(fields.get(field), label, { class: "share" }));
  const table = screen.rows.length
    ? element("table", {}, element("thead", {}, element("tr", {}, ...screen.heads.map((head) => element("th", {}, head)))),
      element("tbody", {}, ...screen.rows.map((row) => element("tr", {}, ...row.map(cell)))))
    : null;
  const form = element("form", { class: "terminal", "aria-label": named(screen.title), novalidate: true, keydown: move,
    submit: (event) => { event.preventDefault(); enter(form); } },
  element("h2", {}, screen.title), screen.of && element("p", {}, screen.of),
  element("div", { class: "entry" }, ...screen.lines.flatMap(line)), table,
  element("p", { class: "enter" }, element("button", { type: "submit" }, "Enter")));
  return form;
};

/** Dispatch vectors and parking, a row per logical processor; `show` takes the number of the interval. */
const vectors = (processors) => {
  if (!processors.length) return null;
  const rows = processors.map(({ number }) => {
    const parts = { polarity: element("td", {}), state: element("td", {}), depth: element("td", { class: "number" }),
      busy: element("meter", { min: "0", max: "100", "aria-label": `Busy percent of processor ${number}` }) };
    return { ...parts, row: element("tr", {}, element("td", { class: "number" }, String(number)), parts.polarity, parts.state,
      element("td", {}, parts.busy), parts.depth) };
  });
  const heads = ["processor", "polarity", "state", "busy", "waiting in its vector"];
  const box = element("section", { class: "vectors" }, element("h2", {}, "Logical processors and dispatch vectors"),
    element("div", { class: "wide", tabindex: "0" }, element("table", {},
      element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", {}, head)))),
      element("tbody", {}, ...rows.map(({ row }) => row)))));
  const show = (now, at) => now.forEach(({ polarity, parked, busy, depth }, number) => {
    const own = rows[number];
    const share = parked[at];
    own.row.className = share > 50 ? "parked" : "";
    own.polarity.textContent = POLARITIES[polarity[at]] ?? polarity[at];
    own.state.textContent = share >= 99.9 ? "parked" : share > 0 ? `parked ${share.toFixed(0)} %` : "unparked";
    own.busy.value = busy[at];
    own.depth.textContent = depth[at] === null ? "-" : depth[at].toFixed(2);
  });
  return { box, show };
};

const one = async (main, name) => {
  main.append(element("p", { class: "wait", role: "status" }, "Simulating"));
  const simulated = async (changes) => outcome((await submit("panel", { name, changes }, `panel ${name}`)).job);
  const first = await simulated([]);
  const fields = new Map(first.fields.map((field) => [field.key, field]));
  const before = JSON.parse(sessionStorage.getItem(`panel ${name}`) ?? "null");
  let { changes, shown, playing, typed } = before ?? { changes: [], shown: 0, playing: true };
  let found = changes.length ? await simulated(changes).catch(() => null) : first;
  if (!found) [found, changes, shown] = [first, [], 0];  // of a page that took other changes
  let busy = false;
  let turn = 0;
  let width = 480;

  const clock = element("output", {});
  const go = button("Pause", () => { playing = !playing; draw(); });
  const said = element("p", { class: "over", role: "status", "aria-live": "polite" });
  const wrong = element("div", {});
  const entered = element("ol", { class: "entered", "aria-label": "Changes so far" });
  const charts = element("div", { class: "charts" });
  const table = vectors(first.processors);

  const current = (key) => changes.findLast(({ values }) => key in values)?.values[key] ?? fields.get(key).value;
  const every = () => [...main.querySelectorAll("[data-field]")];
  const controls = (key) => main.querySelectorAll(`[data-field="${CSS.escape(key)}"]`);
  const label = ({ label: own, of, change }) => (change === "partition" ? `${own} of ${of}` : own);
  const setting = ({ field }) => [[0, Number(fields.get(field).value)],
    ...changes.filter(({ values }) => field in values).map(({ at_s, values }) => [at_s / found.interval_s, Number(values[field])])];

  /** A reload and the way back go on from here, with what was typed and not entered. */
  const remember = () => sessionStorage.setItem(`panel ${name}`, JSON.stringify({ changes, shown, playing,
    typed: every().map((each) => each.classList.contains("edited") ? each.value : null) }));

  const draw = (twice = true) => {
    const { interval_s: interval, intervals: count } = found;
    const over = shown >= count;
    clock.textContent = `${shown * interval} s of ${count * interval} s simulated time${over ? ": the run is over" : ""}`;
    go.textContent = playing ? "Pause" : "Continue";
    go.disabled = over;
    remember();
    const marks = changes.map(({ at_s }) => at_s / interval);
    charts.replaceChildren(...found.charts.map(({ curves, ...rest }) => chart({ ...rest,
      curves: curves.map((curve) => (curve.field
        ? { ...curve, of: curve.field.slice(0, curve.field.lastIndexOf(".")), setting: setting(curve) } : curve)) },
    { shown, count, interval, marks, width })));
    const room = charts.firstChild.clientWidth;
    if (table && shown) table.show(found.processors, shown - 1);
    if (twice && room && Math.abs(room - width) > 1) {
      width = room;
      draw(false);
    }
  };

  /** Controls as they are set, NORM by the targets, and the list of changes; what is typed elsewhere stays. */
  const settle = (keys = fields.keys()) => {
    for (const key of keys) {
      for (const each of controls(key)) {
        each.value = current(key);
        each.classList.remove("edited");
        each.removeAttribute("aria-invalid");
      }
    }
    const norms = main.querySelectorAll("[data-norm]");
    const target = (norm) => Number(current(norm.dataset.norm.replace(/norm$/, "target")));
    const sum = [...norms].reduce((total, norm) => total + target(norm), 0);
    for (const norm of norms) norm.textContent = String(Math.round(1000 * target(norm) / sum) / 10);
    entered.replaceChildren(...changes.map(({ at_s, values }) => element("li", {}, `at ${at_s} s: `,
      Object.entries(values).map(([key, value]) => `${label(fields.get(key))} ${value} ${fields.get(key).unit}`.trim()).join(", "))));
  };

  const refuse = (edited, list) => {
    wrong.replaceChildren(problems(list));
    for (const each of edited) each.setAttribute("aria-invalid", "true");
    edited[0]?.focus();
  };

  const enter = async (form) => {
    if (busy) return;
    wrong.replaceChildren();
    const edited = [...form.querySelectorAll("[data-field]")].filter((each) => each.value.trim() !== current(each.dataset.field));
    if (!edited.length) { said.textContent = "No field was changed."; return; }
    if (shown >= found.intervals) {
      refuse([], [{ what: "the run is over", why: `it ends at ${found.intervals * found.interval_s} s`, remedy: "start it again" }]);
      return;
    }
    const at_s = shown * found.interval_s;
    const asked = [...changes, { at_s, values: Object.fromEntries(edited.map((each) => [each.dataset.field, each.value.trim()])) }];
    busy = true;
    said.textContent = "Simulating from the change on";
    const mine = turn;
    try {
      const made = await simulated(asked);
      if (mine !== turn) return;  // the run was started again meanwhile, without the change
      found = made;
      changes = asked;
      settle(edited.map((each) => each.dataset.field));
      said.textContent = `Changed at ${at_s} s.`;
    } catch (error) {
      if (mine !== turn) return;
      said.textContent = "";
      refuse(edited, error.problems ?? [{ what: String(error) }]);
    } finally {
      busy = false;
      draw();
    }
  };

  const again = () => {
    turn += 1;
    [found, changes, shown, playing] = [first, [], 0, true];
    wrong.replaceChildren();
    said.textContent = "";
    settle();
    draw();
  };

  const screens = first.screens.map((screen, number) => terminal(screen, fields, enter, number));
  main.replaceChildren(
    element("h1", {}, first.title), element("p", { class: "subtitle" }, first.document),
    element("p", { class: "clock" }, go, button("Start again", again),
      button("Save the scenario", () => save(found.file, found.scenario)), clock,
      element("span", { class: "over" }, element("code", {}, `slicewright run ${first.file}`), " repeats the saved run.")),
    said,
    element("div", { class: "console" },
      element("div", { class: "first" }, wrong, screens[0]),
      element("div", { class: "answers" }, charts, entered, table?.box),
      element("div", { class: "others" }, ...screens.slice(1))));
  const edit = (each) => each.classList.toggle("edited", each.value.trim() !== current(each.dataset.field));
  main.addEventListener("input", ({ target }) => {
    if (!target.dataset.field) return;
    edit(target);
    remember();
  });
  settle();
  for (const [at, each] of every().entries()) {
    if (typeof typed?.[at] !== "string") continue;
    each.value = typed[at];
    edit(each);
  }
  const resized = new ResizeObserver(draw);
  resized.observe(charts);
  draw();
  const timer = setInterval(() => {
    if (!playing || busy || shown >= found.intervals) return;
    shown += 1;
    draw();
  }, STEP_MS);
  return () => { clearInterval(timer); resized.disconnect(); };
};

export const screen = {
  title: "Panels",
  listed: true,
  wide: true,
  open: (main, [name]) => (name ? one(main, name) : all(main)),
};
