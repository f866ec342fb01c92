// The screen of an experiment: a scenario as a form and as text, and beside it the results of the setting shown.

import { button, element, plural, problems, report, save, seconds } from "./elements.js";
import { completions, loadLanguage } from "./language.js";
import { question } from "./questions.js";
import { looker } from "./looking.js";
import { results } from "./results.js";
import { form, reach, toml } from "./settings.js";
import { cancel, outcome, request, result, submit, watch } from "./server.js";

const KEPT = "experiment";
const SOON_MS = 250;

/** What survives a reload of the page: the scenario, the changes, the pinned setting, and the runs that were asked for. */
const kept = () => JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
const keep = (state) => sessionStorage.setItem(KEPT, JSON.stringify(state));

/** Opens the text of a scenario as an experiment; `origin` says where the files are that it names. */
export const begin = (name, text, origin = {}, go = (hash) => { location.hash = hash; }) => {
  const slot = kept()?.slot ?? `experiment-${crypto.getRandomValues(new Uint32Array(2)).join("")}`;
  keep({ name, text, origin, slot, changes: {}, pin: null, ask: kept()?.ask ?? 0, pace: 0, look: null, runs: [], moved: null });
  go("#/experiment/here");
};

const start = async (main) => {
  const { starters, shipped } = await request("scenarios");
  const state = kept();
  main.append(element("h1", {}, "Experiment"),
    element("p", {}, "Choose a scenario, move its numbers, and see the results while you do. To begin with a file of yours, drop it anywhere."),
    state && element("p", {}, element("a", { href: "#/experiment/here", class: "button" }, `Go on with ${state.name}`)) || "",
    element("ul", { class: "cards" }, ...starters.map(({ name, what }) => element("li", {},
      element("a", { href: `#/experiment/from/${name}` }, element("b", {}, name), element("span", { class: "what" }, what))))),
    element("details", {}, element("summary", {}, `More scenarios (${shipped.length})`), element("ul", { class: "shipped" },
      ...shipped.map((name) => element("li", {}, element("a", { href: `#/experiment/from/${name}` }, name))))));
};

const fromName = async (name) => {
  const { text } = await request(`scenarios/${name}`);
  // The address that chose the scenario would choose it again on the way back.
  begin(`${name.split("/").pop()}.toml`, text, { shipped: name }, (hash) => location.replace(hash));
};

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The screen while it is open: its state, its parts, and what they do. */
class Bench {
  constructor(main, state, { editor }) {
    this.main = main;
    this.state = state;
    this.settings = [];
    this.reach = {};
    this.wrong = false;
    this.shown = results();
    this.looks = looker(state.slot, state.ask, {
      asked: (ask, job) => {
        this.stop.disabled = false;
        this.remember({ ask, look: job });
      },
      part: (part, refines) => {
        this.state.pace = part.pace_s;
        this.refusal.replaceChildren();
        this.shown.show(part, this.state.moved, this.changes, refines);
        this.reach = part.reach;
        reach(this.form, part.reach);
        keep(this.state);
      },
      done: (found) => {
        this.stop.disabled = true;
        this.shown.end(found);
        this.shown.busy(false);
      },
      refused: (found) => this.refuse(found),
      busy: (behind) => this.shown.busy(behind || this.typing),
    });
    this.build(editor);
  }

  remember(more) {
    Object.assign(this.state, more);
    keep(this.state);
  }

  get changes() {
    return Object.values(this.state.changes).map(({ change }) => change);
  }

  build(editor) {
    const { state } = this;
    this.refusal = element("div", { class: "refusal" });
    this.form = element("div", { class: "panel", id: "panel-settings", role: "tabpanel", "aria-labelledby": "tab-settings" });
    this.text = element("div", { class: "panel", id: "panel-text", role: "tabpanel", "aria-labelledby": "tab-text" });
    this.found = element("div", { class: "found" });
    const holder = element("div", { class: "editor" });
    this.text.append(holder, this.found);
    this.onTop = element("div", { class: "on-top" });
    this.command = element("div", { class: "command" });
    this.runs = element("ul", { class: "runs" });
    this.full = element("div", { class: "full" });
    this.pinned = element("span", { class: "quiet" });
    this.unpin = button("Unpin", () => this.pin(false));
    this.stop = button("Stop refining", () => this.looks.stop(), { disabled: true });
    this.main.append(
      element("div", { class: "head" }, element("h1", {}, state.name), element("a", { href: "#/experiment" }, "Another scenario")),
      element("div", { class: "tools" },
        button("Pin this setting", () => this.pin(true)), this.unpin, this.stop,
        button("Run in full", () => this.runFull(), { class: "primary" }), button("Save scenario.toml", () => this.saveText()), this.pinned),
      this.runs,
      element("div", { class: "bench" },
        element("section", { class: "given", "aria-label": "Scenario" }, this.tabs(), this.onTop, this.form, this.text, this.command),
        element("div", { class: "seen" }, this.refusal, this.shown.box)),
      this.more(), this.full);
    this.editor = editor({
      parent: holder, text: state.text, label: "The scenario as text",
      complete: (before, explicit) => completions(before, explicit, this.state.text),
      changed: (text) => this.typed(text),
    });
    this.turn(state.tab ?? "settings");
    this.describe();
    for (const run of state.runs) this.follow(run);
  }

  /** Questions about many settings of this scenario, with the changes on top of its text. */
  more() {
    const box = element("details", { class: "more" }, element("summary", {}, "Ask about many settings: a sweep, the cheapest one, the guesses that matter"));
    box.addEventListener("toggle", async () => {
      if (!box.open || box.children.length > 1) return;
      const { text, origin } = this.state;
      const [forms, counters] = await Promise.all([submit("forms", {}).then(({ job }) => outcome(job)),
        submit("counters", { text, changes: this.changes, ...origin }).then(({ job }) => outcome(job)).catch(() => [])]);
      box.append(element("p", { class: "quiet" }, "Choose the settings, then their values: 0..16 is each of them, 0..16:4 every fourth, and 0,4,8 are these three."),
        ...forms.map((each) => question(each, `${this.state.name} ${each.name}`, (options) =>
          submit("explore", { command: each.name, text: this.state.text, changes: this.changes, ...this.state.origin, options, about: `${each.name} ${this.state.name}` }), this.settings, counters)));
    });
    return box;
  }

  tabs() {
    const names = ["settings", "text"];
    const all = names.map((name) => button(name === "settings" ? "Settings" : "Text", () => this.turn(name), {
      role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`,
      keydown: (event) => {
        if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
        const other = names.find((each) => each !== name);
        this.turn(other);
        document.getElementById(`tab-${other}`).focus();
      },
    }));
    return element("div", { role: "tablist", class: "tabs", "aria-label": "Scenario as" }, ...all);
  }

  turn(name) {
    for (const each of ["settings", "text"]) {
      document.getElementById(`tab-${each}`).setAttribute("aria-selected", String(each === name));
      document.getElementById(`tab-${each}`).tabIndex = each === name ? 0 : -1;
      document.getElementById(`panel-${each}`).hidden = each !== name;
    }
    this.main.querySelector(".bench").classList.toggle("texts", name === "text");
    this.remember({ tab: name });
  }

  /** Checks the text and marks its problems in place, or shows its settings; whether it is without problems, null for an earlier text. */
  async check() {
    const mine = this.checked = (this.checked ?? 0) + 1;
    const job = await submit("check", { text: this.state.text, ...this.state.origin }, `${this.state.slot}-check`);
    const found = await outcome(job.job).catch((error) => ({ problems: error.problems }));
    if (mine !== this.checked) return null;
    const noted = found.problems.length ? found.problems : found.warnings;
    this.editor.mark(noted.map((each) => ({
      line: each.line, column: each.column, severity: found.problems.length ? "error" : "warning",
      message: [each.key, each.what, each.why && `why: ${each.why}`, each.allowed && `allowed: ${each.allowed}`,
        each.nearest && `nearest: ${each.nearest}`].filter(Boolean).join("\n"),
    })));
    this.found.replaceChildren(...noted.map((each) => this.problem(each, !found.problems.length)));
    this.tell(found.problems.length);
    if (found.problems.length) return false;
    this.settings = found.settings;
    const known = new Set(found.settings.map(({ key }) => key));
    for (const key of Object.keys(this.state.changes)) if (!known.has(key)) delete this.state.changes[key];
    this.fill();
    return true;
  }

  problem(each, warns) {
    const where = each.line ? button(`line ${each.line}`, () => this.editor.show(each.line, each.column), { class: "plain" }) : "";
    const said = [each.key && `${each.key}: `, each.what, each.why && `; ${each.why}`, each.allowed && `; allowed: ${each.allowed}`,
      each.nearest && `; nearest: ${each.nearest}`].filter(Boolean).join("");
    return element("p", { class: warns ? "found-one warns" : "found-one" }, where, " ", said);
  }

  tell(count) {
    this.wrong = count > 0;
    const tab = document.getElementById("tab-text");
    tab.textContent = count ? `Text (${plural(count, "problem")})` : "Text";
    this.form.inert = count > 0;
    if (count) this.shown.say(`The text has ${plural(count, "problem")}; the results are those of the last text without any.`);
    if (count) this.shown.busy(false, true);
  }

  fill() {
    const changes = Object.fromEntries(Object.entries(this.state.changes).map(([key, { value }]) => [key, value]));
    this.form.replaceChildren(form(this.settings, changes, (setting, value) => this.change(setting, value)));
    reach(this.form, this.reach);
  }

  change(setting, value) {
    const { changes } = this.state;
    if (value === null) delete changes[setting.key];
    else changes[setting.key] = { value, change: `${setting.key}=${toml(setting, value)}` };
    this.remember({ moved: setting.number === null ? null : { key: setting.key, base: parseFloat(setting.value) } });
    this.describe();
    this.look();
  }

  typed(text) {
    this.shown.forget(this.looks.drop());
    this.remember({ text, pace: 0, moved: null, look: null });
    this.shown.held(this.changes);
    this.stop.disabled = true;
    this.typing = true;
    this.shown.busy(true);
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.refresh(), SOON_MS);
  }

  async refresh() {
    const sound = await this.check();
    if (sound === null) return;
    this.typing = false;
    if (sound) this.look();
    else this.shown.busy(false, true);
  }

  look() {
    this.shown.held(this.changes);
    this.remember({ look: null });  // a reload before the server has answered must not go on with the look before
    const { text, origin, pin, pace } = this.state;
    const args = { text, changes: this.changes, pace_s: pace, ...origin };
    if (pin) this.looks.look("pair", { ...args, pinned: [pin.text, pin.changes] });
    else this.looks.look("simulate", args);
  }

  pin(on) {
    this.remember({ pin: on ? { text: this.state.text, changes: this.changes } : null });
    this.describe();
    this.look();
  }

  /** Says which changes lie on top of the text, and the command that does the same. */
  describe() {
    const { pin, runs } = this.state;
    const sets = this.changes.map((change) => ` --set ${quoted(change)}`).join("");
    this.onTop.replaceChildren(...(this.changes.length ? [element("p", {}, "The results are of the text with ",
      ...this.changes.flatMap((change, at) => [at ? ", " : "", element("code", {}, change)]), " on top. ",
      button("Write into the text", () => this.write(), { class: "plain" }), " ", button("Take back", () => this.takeBack(), { class: "plain" }))] : []));
    this.command.replaceChildren(element("p", { class: "quiet" }, "The command line that does the same as a full run:"),
      element("pre", { tabindex: "0", "aria-label": "Command line" }, `slicewright run scenario.toml${sets}`));
    this.unpin.hidden = !pin;
    this.pinned.textContent = pin ? `Pinned: ${pin.changes.join(", ") || "the text without changes"}` : "";
    this.runs.hidden = !runs.length;
  }

  takeBack() {
    this.remember({ changes: {}, moved: null });
    this.describe();
    this.fill();
    this.look();
  }

  async rewritten() {
    const { text, origin } = this.state;
    if (!this.changes.length) return text;
    const job = await submit("rewrite", { text, changes: this.changes, ...origin }, `${this.state.slot}-rewrite`);
    return (await outcome(job.job)).text;
  }

  async write() {
    try {
      const written = new Set(Object.values(this.state.changes));
      const before = this.state.text;
      const text = await this.rewritten();
      if (this.state.text !== before) return;  // somebody has typed since: that is not overwritten
      this.remember({ changes: Object.fromEntries(Object.entries(this.state.changes).filter(([, each]) => !written.has(each))) });
      this.editor.replace(text);
      this.describe();
    } catch (error) {
      this.refuse(error.problems);
    }
  }

  async saveText() {
    try {
      save("scenario.toml", await this.rewritten());
    } catch (error) {
      this.refuse(error.problems);
    }
  }

  refuse(found) {
    if (this.typing) return;
    if (this.wrong) {  // they stand under the text
      this.turn("text");
      return;
    }
    this.shown.busy(false, found.length > 0);
    this.stop.disabled = true;
    this.shown.say(found.length ? "The setting has a problem; the results are those of the last one without any." : "Stopped.");
    this.refusal.replaceChildren(...(found.length ? [problems(found)] : []));
  }

  async runFull() {
    if (this.wrong) {
      this.turn("text");
      return;
    }
    const { text, origin, pin, name } = this.state;
    const what = this.changes.length ? `${name}, ${this.changes.join(", ")}` : name;
    const args = { text, changes: this.changes, ...origin, about: `run ${what}` };
    try {
      const { job } = await submit("full", pin ? { ...args, pinned: [pin.text, pin.changes] } : args);
      const run = { job, what: pin ? `${what}, beside the pinned setting` : what };
      this.remember({ runs: [...this.state.runs, run].slice(-8) });
      this.describe();
      this.follow(run);
    } catch (error) {
      this.refuse(error.problems);
    }
  }

  /** A line for a full run: its progress and a way to stop it; at the end its report and its files. */
  async follow({ job, what }) {
    const about = await result(job).then((found) => found.about, () => "");
    if (!about || !what.startsWith(about.replace(/^run /, ""))) return;  // of a server that has ended since
    const words = element("span", { class: "quiet" });
    const bar = element("progress", { max: "1", "aria-label": `Share done of ${what}` });
    const tools = element("span", {}, button("Stop", () => cancel(job)));
    const line = element("li", {}, element("b", {}, what), bar, words, tools);
    this.runs.append(line);
    const end = watch(job, ({ state, share, left_s }) => {
      if (share) bar.value = share;
      words.textContent = state === "waiting" ? "waits for other work" : left_s ? `about ${seconds(left_s)} left` : "";
    });
    try {
      const found = await outcome(job);
      const bytes = Uint8Array.from(atob(found.zip), (character) => character.charCodeAt(0));
      const show = () => {
        this.full.replaceChildren(element("h2", {}, what), report(found.html));
        this.full.scrollIntoView({ behavior: "smooth" });
      };
      tools.replaceChildren(button("Show the report", show), " ", button("Save run.zip", () => save("run.zip", bytes, "application/zip")));
      words.textContent = "done";
    } catch (error) {
      words.textContent = error.problems?.map((each) => each.what).join("; ") ?? String(error);
      tools.replaceChildren();
    } finally {
      end();
      bar.remove();
    }
  }

  close() {
    clearTimeout(this.soon);
    this.looks.close();
    this.editor.close();
  }
}

export const screen = {
  title: "Experiment",
  listed: true,
  wide: true,
  async open(main, [what, ...rest]) {
    if (what === "from") return fromName(rest.join("/"));
    const state = kept();
    if (what !== "here" || !state) return start(main);
    const [editor] = await Promise.all([import("./codemirror.js"), loadLanguage()]);
    const bench = new Bench(main, state, editor);
    const { look, ask } = state;
    if (await bench.check() && !(look !== null && await bench.looks.resume(look, ask))) bench.look();
    return () => bench.close();
  },
};
