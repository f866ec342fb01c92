// The screen of a plan: growth, what must hold and what can be bought; then the list, its cost, and the machine.

import { progress } from "./answer.js";
import { asToday, bounds } from "./counters.js";
import { button, element, plural, problems, report, save } from "./elements.js";
import { begin as experiment } from "./experiment.js";
import { machine } from "./machine.js";
import { named } from "./settings.js";
import { outcome, request, result, state as server, submit } from "./server.js";

const KEPT = "plan";
const kept = () => JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
const keep = (state) => sessionStorage.setItem(KEPT, JSON.stringify(state));

/** Opens the text of a scenario as a plan; `origin` says where the files are that it names. */
export const begin = (name, text, origin = {}, go = (hash) => { location.hash = hash; }) => {
  keep({ name, text, origin, growth: { "*": 0 }, rows: {}, needs: null, job: null });
  go("#/plan/here");
};

const start = async (main) => {
  const [{ starters }, { drops }] = await Promise.all([request("scenarios"), server()]);
  const before = kept();
  main.append(element("h1", {}, "Plan"),
    element("p", {}, "What to buy so that everything holds when the load has grown, what it costs, and what is full next. Drop a day of monitor data or a scenario anywhere, or begin with one of these."),
    before && element("p", {}, element("a", { href: "#/plan/here", class: "button" }, `Go on with ${before.name}`)) || "");
  if (drops.length) {
    main.append(element("h2", {}, "Files of this session"), element("ul", { class: "cards" }, ...drops.filter(({ names }) => names.length).reverse().map((each) =>
      element("li", {}, element("a", { href: `#/drop/${each.id}` }, element("b", {}, each.names.join(", ")))))));
  }
  main.append(element("h2", {}, "Scenarios"), element("ul", { class: "cards" }, ...starters.map(({ name, what }) => element("li", {},
    element("a", { href: `#/plan/from/${name}` }, element("b", {}, name), element("span", { class: "what" }, what))))));
};

const three = (value) => value === null || value === undefined ? "-" : Number(value.toPrecision(3)).toLocaleString("en");
const money = (value) => Number(value.toPrecision(6)).toLocaleString("en");

/** A slider of growth in percent with its number. */
const slider = (label, value, change, least = -50) => {
  const range = element("input", { type: "range", min: least, max: 200, step: 5, "aria-label": `${label}, percent`, input: () => set(Number(range.value)) });
  const field = element("input", { type: "number", step: "any", min: -90, "aria-label": `${label}, percent, typed`, change: () => set(Number(field.value)) });
  const set = (number) => {
    range.value = number;
    field.value = number;
    change(number);
  };
  range.value = value;
  field.value = value;
  return element("div", { class: "controls" }, range, element("span", { class: "typed" }, field, element("span", { class: "unit" }, "%")));
};

/** The purchases of a row as the engine takes them; "" where it has no price or no value. */
const bought = (row, { values, price, per }) => {
  if (price === "" || price === null || price === undefined || !values) return "";
  const upTo = Number(values) - row.number;
  const wanted = row.how === "more" ? (upTo > 0 ? `+1..${upTo}` : "") : values;
  return wanted && `${row.key}=${wanted} at ${price}${per === "each" ? " each" : ""}`;
};

/** The screen while it is open. */
class Desk {
  constructor(main, state) {
    this.main = main;
    this.state = state;
    this.answer = element("div", { class: "planned", "aria-live": "polite" });
    this.open = true;
  }

  remember(more) {
    Object.assign(this.state, more);
    keep(this.state);
  }

  async build() {
    const { name, text, origin } = this.state;
    this.main.append(element("p", { class: "wait", role: "status" }, "Looking at the machine"));
    const { job } = await submit("shop", { text, ...origin }, "shop");
    this.shop = await outcome(job);
    if (!this.open) return;
    this.counters = this.shop.required.map((each) => ({ ...each, left: each.required }));
    if (!this.state.needs) this.remember({ needs: this.counters.slice(0, 1).map(asToday) });
    this.ask = element("button", { type: "submit", class: "primary" }, "Find the cheapest list");
    const form = element("form", { class: "asked plan-form", submit: (event) => this.submitted(event), "aria-label": "What to plan for" },
      this.growth(), this.needs(), this.offers(), element("p", { class: "go" }, this.ask, " ", this.count = element("span", { class: "quiet" })));
    this.main.replaceChildren(
      element("div", { class: "head" }, element("h1", {}, `Plan: ${name}`), element("a", { href: "#/plan" }, "Another machine")), form, this.answer);
    this.counted();
    if (this.state.job !== null) this.follow(this.state.job);
  }

  growth() {
    const { growth } = this.state;
    const set = (who) => (percent) => {
      if (percent === 0 && who !== "*") delete growth[who];
      else growth[who] = percent;
      this.remember({ growth });
    };
    const { guests } = this.shop;
    return element("fieldset", {}, element("legend", {}, "1. How much does the load grow?"),
      slider("Growth of everything", growth["*"] ?? 0, set("*")),
      guests.length > 1 && element("details", { open: Object.keys(growth).length > 1 }, element("summary", {}, `By group (${guests.length})`),
        ...guests.slice(0, 40).map((guest) => element("div", { class: "group-growth" }, element("span", {}, guest), slider(`Growth of ${guest}`, growth[guest] ?? 0, set(guest))))));
  }

  needs() {
    return element("fieldset", {}, element("legend", {}, "2. What must hold?"), ...bounds(this.counters, this.state.needs, (needs) => this.remember({ needs }),
      { label: "What must hold", add: "Add a requirement", remove: "Remove requirement", help: "A counter, or several with + - * /, min and max, then <= or >= and a number." }));
  }

  offers() {
    const { offered, listed } = this.shop;
    const lines = offered.map((row) => {
      const kept = this.state.rows[row.key] ?? { values: row.how === "words" ? (row.choices.at(-1) ?? "") : row.proposed, price: "", per: row.how === "more" ? "each" : "flat" };
      const set = (field) => (event) => {
        kept[field] = event.target.value;
        this.state.rows[row.key] = kept;
        this.remember({});
        line.classList.toggle("priced", bought(row, kept) !== "");
        this.counted();
      };
      const values = row.how === "words"
        ? element("select", { "aria-label": `${row.words}: to`, change: set("values") }, ...row.choices.map((choice) => element("option", { selected: choice === kept.values }, choice)))
        : element("input", { type: row.how === "more" ? "number" : "text", min: row.number, step: 1, value: kept.values, "aria-label": `${row.words}: ${row.how === "more" ? "up to" : "to one of"}`, input: set("values") });
      const line = element("tr", { class: bought(row, kept) ? "priced" : null },
        element("th", { scope: "row", title: row.help }, row.words), element("td", { class: "number" }, row.now),
        element("td", {}, row.how === "more" ? "up to " : row.how === "numbers" ? "one of " : "", values),
        element("td", {}, element("input", { type: "number", min: 0, step: "any", placeholder: "price", value: kept.price, "aria-label": `${row.words}: price`, input: set("price") })),
        element("td", {}, row.how === "words" ? "in all" : element("select", { "aria-label": `${row.words}: price of`, change: set("per") },
          ...[["each", "for each"], ["flat", "in all"]].map(([value, label]) => element("option", { value, selected: kept.per === value }, label)))));
      return line;
    });
    const body = element("tbody", {}, ...lines);
    const many = lines.length > 8;
    const all = many && element("label", {}, element("input", { type: "checkbox", change: (event) => sift(event.target.checked) }), ` show all ${lines.length}`);
    const sift = (every) => lines.forEach((line, at) => { line.hidden = !every && at >= 8 && !line.classList.contains("priced"); });
    if (many) sift(false);
    return element("fieldset", {}, element("legend", {}, "3. What can be bought, and at which price?"),
      element("p", { class: "quiet" }, "A row without a price is not bought. A price of 0 is a change that costs nothing."),
      listed.length > 0 && element("p", {}, `The scenario lists ${plural(listed.length, "purchase")} of its own, beside these.`),
      element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Purchases" }, element("table", { class: "offers" },
        element("thead", {}, element("tr", {}, ...["what", "now", "to", "price", "counted"].map((name) => element("th", { scope: "col", class: name === "now" ? "number" : null }, name)))), body)), all);
  }

  get buy() {
    return this.shop.offered.filter(({ key }) => this.state.rows[key]).map((row) => bought(row, this.state.rows[row.key])).filter(Boolean);
  }

  counted() {
    const count = this.buy.length + this.shop.listed.length;
    this.count.textContent = count ? `${plural(count, "purchase")} with a price` : "Give at least one purchase a price.";
  }

  async submitted(event) {
    event.preventDefault();
    const { text, origin, growth, needs, name } = this.state;
    const grows = Object.entries(growth).filter(([, percent]) => percent !== 0).map(([who, percent]) => `${who}=${percent}%`);
    const args = { text, ...origin, buy: this.buy, require: needs, growth: grows, about: `plan for ${name}` };
    try {
      const { job } = await submit("plan", args, "plan");
      this.remember({ job });
      await this.follow(job, true);
    } catch (error) {
      this.refused(error);
    }
  }

  /** Shows problems with the words of the form in the place of its keys. */
  refused({ problems: found = [{ what: "no answer" }] }) {
    const words = (key) => {
      const [, of] = /^buy (.*)$/.exec(key) ?? [];
      return this.shop.offered.find((row) => row.key === of)?.words ?? { buy: "purchases", require: "what must hold" }[key] ?? key;
    };
    this.answer.replaceChildren(problems(found.map((each) => ({ ...each, key: each.key && words(each.key) }))));
  }

  /** Shows a plan while it is worked on and then; `asked` just now, its answer comes into view. */
  async follow(job, asked = false) {
    const there = await result(job).then((found) => found.about?.startsWith("plan"), () => false);
    if (!there) return;  // of a server that has ended since
    const { box, hear } = progress(job);
    const early = element("p", { "aria-live": "polite" });
    this.answer.replaceChildren(box, early);
    try {
      const found = await outcome(job, (event) => {
        hear(event);
        if (event.part) early.textContent = `So far: ${event.part.words}, ${money(event.part.cost)}. Cheaper lists are still tried.`;
      });
      if (!this.open || this.state.job !== job) return;
      this.answer.replaceChildren(...this.shown(found));
      if (asked) this.answer.scrollIntoView({ behavior: "smooth" });
    } catch (error) {
      if (this.open && this.state.job === job) this.refused(error);
    }
  }

  /** The list at a glance, the machine before and after, cost against response, and the rest folded. */
  shown(found) {
    const { shown: plan } = found;
    const rest = element("details", { class: "rest" }, element("summary", {}, "Each purchase alone, all resources, evidence and caveats"));
    rest.addEventListener("toggle", () => rest.open && rest.children.length === 1 && rest.append(report(found.html)));
    return [
      element("section", { class: "glance", "aria-label": "The list" },
        element("div", { class: "at-once" }, verdict(plan),
          element("div", { class: "pictured" }, needsTable(plan), found.front && report(found.front)))),
      element("section", { "aria-label": "The machine" }, element("h2", {}, "The machine before and after"), machine(found.machine, plan)),
      guesses(plan.guesses), rest,
      element("p", { class: "tools" },
        found.scenario && button("Open the machine with this list as an experiment", () => experiment("planned.toml", found.scenario)),
        button("Save report.html", () => save("plan.html", found.page, "text/html")),
        button("Save plan.json", () => save("plan.json", JSON.stringify(found.document, null, 1), "application/json"))),
    ].filter(Boolean);
  }
}

const sentence = (text) => text ? `${text[0].toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}` : "";

const list = (purchases) => purchases.length
  ? element("ul", { class: "list" }, ...purchases.map(({ words, from, to, cost }) => element("li", {}, element("b", {}, words), element("span", {}, `${from} → ${to}`), element("span", { class: "price" }, money(cost)))))
  : element("p", {}, element("b", {}, "Buy nothing."));

const verdict = (plan) => {
  const { recommended, runner_up: second, why_not: why, next } = plan;
  const after = plan.busiest?.after;
  return element("div", { class: "verdict" },
    recommended ? element("p", { class: "number" }, element("b", {}, money(recommended.cost)), " ", element("span", {}, "is the least cost")) : element("p", { class: "leading" }, "No list holds everything."),
    recommended && list(recommended.purchases),
    recommended && Number.isFinite(recommended.probability) && element("p", {}, `${recommended.probability > 0.999 ? "More than 99.9" : three(100 * recommended.probability)} % sure that this is the cheapest list that holds.`),
    why && element("p", {}, sentence(why)),
    second && element("p", {}, element("b", {}, "Runner-up: "), second.purchases.map(({ words, to }) => `${words} → ${to}`).join(", ") || "buy nothing", ` for ${money(second.cost)}. `, sentence(second.separates)),
    after && element("p", {}, element("b", {}, "Fullest after it: "), `${after.name}, ${three(after.percent)} %.`),
    next && (next.resource || next.requirement) && element("p", { class: "settles" }, element("b", {}, "Next: "),
      next.resource ? `${next.resource}, full at ${next.growth_percent} % growth.` : `${next.requirement} breaks at ${next.growth_percent} % growth.`));
};

/** Whether a requirement holds with the list: a mean within its noise of the limit is at the limit. */
const holding = ({ limit, after, text }, recommended) => {
  if (!after || !Number.isFinite(after.mean)) return ["", ""];
  const over = text.includes("at least") ? limit - after.mean : after.mean - limit;
  if (over <= 0) return ["good", ", holds"];
  return recommended && over <= after.half_width ? ["fair", ", at the limit within noise"] : ["bad", ", does not hold"];
};

const needsTable = ({ requirements, recommended }) => {
  const cell = (value) => value ? `${three(value.mean)} ± ${three(value.half_width)}` : "-";
  const row = (need) => {
    const [tone, words] = holding(need, recommended);
    return element("tr", {}, element("th", { scope: "row" }, need.text), ...["today", "grown"].map((when) => element("td", { class: "number" }, cell(need[when]))),
      element("td", { class: `number ${tone}` }, `${cell(need.after)}${words}`));
  };
  return element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "What must hold" }, element("table", {},
    element("thead", {}, element("tr", {}, ...["must hold", "today", "grown, nothing bought", "grown, with the list"].map((name, at) => element("th", { scope: "col", class: at ? "number" : null }, name)))),
    element("tbody", {}, ...requirements.map(row))));
};

const guesses = (found) => found?.length > 0 && element("section", { "aria-label": "Guesses" },
  element("h2", {}, "Guesses that would change the list"),
  element("ul", { class: "notes" }, ...found.map(({ words, key, from, to, changes }) => element("li", {}, element("b", {}, key ? named(key) : words), `: ${from} → ${to}. ${sentence(changes)}`))));

export const screen = {
  title: "Plan",
  listed: true,
  wide: true,
  async open(main, [what, ...rest]) {
    if (what === "from") {
      const name = rest.join("/");
      const { text } = await request(`scenarios/${name}`);
      return begin(`${name.split("/").pop()}.toml`, text, { shipped: name }, (hash) => location.replace(hash));
    }
    const state = kept();
    if (what !== "here" || !state) return start(main);
    const desk = new Desk(main, state);
    await desk.build();
    return () => { desk.open = false; };
  },
};
