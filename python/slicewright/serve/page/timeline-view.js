// A recorded timeline on the screen: zoom, scroll, the chosen span or wait with its reason, and the longest waits.

import { button, element, labelled, plural, problems, save } from "./elements.js";
import { outcome, request, submit } from "./server.js";
import { Drawing, legend } from "./timeline-drawing.js";
import { KINDS, STATES, brief, instant, length } from "./timeline-looks.js";
import { Tiles, levelOf } from "./timeline-tiles.js";

const NARROWEST = 2 ** -9;
const STEP = 1.5;
const SAY_MS = 700;
const LISTED = 8;

const HELP = "Arrows left and right scroll, up and down choose a lane, + and - zoom. Home and End go to the ends, 0 shows"
  + " everything. Shift with left and right chooses the span before and after. W goes to the longest wait, N to the next"
  + " longest.";

export class View {
  constructor(main, id, facts) {
    Object.assign(this, { id, facts, main, address: `timelines/${id}` });
    this.rank = -1;
    this.usPerPixel = 1;
    this.left = 0;
    this.lane = 0;
    this.build();
    this.tiles = new Tiles(this.address, facts, (from, to) => {
      this.drawing.spoil(from, to);
      this.ask();
    });
    this.drawing = new Drawing(facts, this.tiles, this.canvases);
    this.drawing.chosenLane = 0;
    this.main.style.setProperty("--names", `${Math.ceil(this.drawing.nameWidth)}px`);
    this.spacer.style.height = `${this.drawing.height}px`;
    this.listen();
    this.list();
  }

  build() {
    const canvas = (name) => element("canvas", { class: `timeline-${name}`, "aria-hidden": "true" });
    this.canvases = { lanes: canvas("lanes"), over: canvas("over"), names: canvas("names"), ruler: canvas("ruler") };
    this.overview = canvas("overview");
    this.frame = element("div", { class: "timeline-frame" });
    this.tip = element("div", { class: "timeline-tip", "aria-hidden": "true", hidden: true });
    this.plot = element("div", { class: "timeline-plot" }, this.canvases.lanes, this.canvases.over);
    this.side = element("div", { class: "timeline-side" }, this.canvases.names);
    this.spacer = element("div", { class: "timeline-spacer" }, this.side, this.plot);
    this.scroller = element("div", {
      class: "timeline-scroller", tabindex: "0", role: "application", "aria-label": "Lanes of the timeline",
      "aria-describedby": "timeline-help",
    }, this.spacer);
    this.live = element("p", { class: "timeline-live", role: "status", "aria-live": "polite" });
    this.details = element("section", { class: "timeline-details", "aria-label": "What is chosen" },
      element("p", { class: "quiet" }, "Point at a box or click it. With the keyboard: press W for the longest wait."));
    this.trouble = element("div", {});
    this.table = element("tbody", {});
    this.more = button("Show more", () => this.list());
    this.listing = Promise.resolve();
    const { facts } = this;
    const ends = facts.to_us < facts.asked_to_us - 1
      ? ` It ends there: more spans and waits are not kept.` : "";
    this.main.append(
      element("header", { class: "timeline-head" },
        element("h1", {}, facts.name),
        element("p", { class: "quiet" }, `Replication ${facts.replication}, seed ${facts.seed}: `
          + `${brief(facts.from_us)} to ${brief(facts.to_us)} from the start of the first interval, `
          + `${plural(facts.counts.spans, "span")}, ${plural(facts.counts.waits, "wait")}, `
          + `${plural(facts.lanes.length, "lane")}.${ends}`)),
      this.controls(), this.trouble, this.overview,
      element("div", { class: "timeline-top" }, element("div", { class: "timeline-side" }), this.canvases.ruler),
      this.scroller, this.tip,
      element("div", { class: "timeline-foot" }, this.details, this.legend()),
      this.live,
      element("p", { class: "quiet timeline-help", id: "timeline-help" },
        `The strip shows the whole: lanes in use from its foot, waits from its top. The wheel zooms at the pointer, dragging scrolls. ${HELP}`),
      element("h2", { id: "timeline-longest" }, "Longest waits"),
      element("div", { class: "wide", tabindex: "0", role: "region", "aria-labelledby": "timeline-longest" },
        element("table", {}, element("thead", {}, element("tr", {},
          ...["Rank", "Length", "From", "Holder", "Where", "Why", "Show"].map((head) => element("th", { scope: "col" }, head)))),
        this.table)),
      element("p", {}, this.more));
  }

  controls() {
    const names = element("datalist", { id: "timeline-holders" });
    this.search = null;
    const field = labelled("Find a holder", "", (ties) => {
      this.search = element("input", {
        ...ties, type: "text", list: "timeline-holders", autocomplete: "off", spellcheck: "false",
        input: () => this.suggest(names),
        keydown: (event) => { if (event.key === "Enter") this.find(); },
        change: () => { if (!this.search.value.trim()) this.highlight(null); },
      });
      return this.search;
    });
    field.classList.add("timeline-find");
    this.longest = button("Longest wait", () => this.jump(0));
    this.nextLongest = button("Next longest", () => this.jump(this.rank + 1));
    if (!this.facts.counts.waits) this.longest.disabled = this.nextLongest.disabled = true;
    return element("div", { class: "tools timeline-tools" },
      this.longest, this.nextLongest, field, names, button("Find next", () => this.find()),
      element("span", { class: "timeline-zoom", role: "group", "aria-label": "Zoom" },
        button("−", () => this.zoom(STEP), { "aria-label": "Zoom out" }),
        button("+", () => this.zoom(1 / STEP), { "aria-label": "Zoom in" }),
        button("Whole", () => this.show(this.facts.from_us, this.facts.to_us))),
      button("Save for Perfetto", () => this.perfetto()));
  }

  legend() {
    const rows = legend(this.facts).map(([canvas, text]) => element("li", {}, canvas, text));
    const sample = (classes, text) => element("li", {}, element("span", { class: `timeline-sample ${classes}` }), text);
    this.key = element("ul", { class: "timeline-legend", "aria-label": "Legend" }, ...rows,
      this.facts.counts.waits ? sample("timeline-wait", "below a lane: a wait there") : null,
      sample("timeline-share", "many in a pixel: the share in use, then delayed"));
    return this.key;
  }

  listen() {
    const ends = this.ends = new AbortController();
    const on = (target, name, act, options = {}) => target.addEventListener(name, act, { signal: ends.signal, ...options });
    on(this.scroller, "scroll", () => this.ask());
    on(this.scroller, "keydown", (event) => this.key_(event));
    on(this.plot, "wheel", (event) => this.wheel(event), { passive: false });
    on(this.plot, "pointerdown", (event) => this.grab(event));
    on(this.plot, "pointermove", (event) => this.point(event));
    on(this.plot, "pointerleave", () => { this.tip.hidden = true; });
    on(this.overview, "pointerdown", (event) => this.seek(event));
    on(this.overview, "pointermove", (event) => { if (event.buttons) this.seek(event); });
    on(matchMedia("(prefers-color-scheme: dark)"), "change", () => {
      this.drawing.recolour();
      this.key.replaceWith(this.legend());
      this.ask();
    });
    this.sizes = new ResizeObserver(() => {
      const before = this.width;
      this.measure();
      if (before && before !== this.width) this.show(this.fromUs, this.fromUs + this.usPerPixel * before);
      this.ask();
    });
    this.sizes.observe(this.scroller);
  }

  close() {
    this.ends.abort();
    this.sizes.disconnect();
    this.tiles.close();
    clearTimeout(this.saying);
    cancelAnimationFrame(this.asked);
  }

  measure() {
    this.width = Math.max(50, this.plot.clientWidth);
    this.height = Math.max(60, Math.min(this.drawing.height, this.scroller.clientHeight));
  }

  get fromUs() {
    return this.left * this.usPerPixel;
  }

  get toUs() {
    return (this.left + this.width) * this.usPerPixel;
  }

  /** Shows a window. */
  show(fromUs, toUs) {
    if (!this.width) this.measure();
    this.place((toUs - fromUs) / this.width, fromUs);
  }

  place(usPerPixel, fromUs) {
    const { from_us: start, to_us: end } = this.facts;
    const widest = (end - start) / this.width;
    this.usPerPixel = Math.min(widest, Math.max(NARROWEST, usPerPixel));
    const latest = Math.ceil(end / this.usPerPixel) - this.width;
    this.left = Math.max(Math.floor(start / this.usPerPixel), Math.min(latest, Math.round(fromUs / this.usPerPixel)));
    this.ask();
  }

  /** Zooms by a factor at a pixel; without one at what is chosen, or at the centre. */
  zoom(factor, pixel) {
    const seen = this.chosen && this.chosen.from_us < this.toUs && (this.chosen.to_us ?? this.facts.to_us) > this.fromUs;
    const chosenAt = seen && (Math.max(this.chosen.from_us, this.fromUs)
      + Math.min(this.chosen.to_us ?? this.facts.to_us, this.toUs)) / 2;
    const x = pixel ?? (seen ? chosenAt / this.usPerPixel - this.left : this.width / 2);
    const us = (this.left + x) * this.usPerPixel;
    const wanted = this.usPerPixel * factor;
    const usPerPixel = Math.min((this.facts.to_us - this.facts.from_us) / this.width, Math.max(NARROWEST, wanted));
    this.place(usPerPixel, us - x * usPerPixel);
  }

  scroll(pixels) {
    this.place(this.usPerPixel, (this.left + Math.round(pixels)) * this.usPerPixel);
  }

  ask() {
    this.asked ??= requestAnimationFrame(() => {
      this.asked = null;
      this.drawAll();
    });
  }

  drawAll() {
    if (!this.width) this.measure();
    const view = { usPerPixel: this.usPerPixel, left: this.left, top: this.scroller.scrollTop, width: this.width, height: this.height };
    this.drawing.draw(view);
    this.drawing.drawOver(this.chosen && { row: -1, ...this.chosen }, this.drawing.changes().keys());
    this.drawOverview();
    const [first, last] = this.drawing.visible();
    const blocks = [];
    for (let block = Tiles.block(first); block <= Tiles.block(last); block += 1) blocks.push(block);
    const key = [this.usPerPixel, this.left, view.top, this.drawing.holder, this.width].join();
    if (key === this.wantedKey) return;
    this.wantedKey = key;
    const holders = this.drawing.holder === null ? [null] : [this.drawing.holder, null];
    this.tiles.want(levelOf(this.usPerPixel), this.fromUs, this.toUs, blocks, holders);
    clearTimeout(this.saying);
    this.saying = setTimeout(() => this.say(), SAY_MS);
  }

  drawOverview() {
    const { use, waiting, bin_us: bin } = this.facts.overview;
    const { colours } = this.drawing;
    const [width, height] = [this.overview.clientWidth, 44];
    const scale = Math.max(1, Math.round(devicePixelRatio));
    const key = `${width}/${colours["--ink"]}`;
    const pen = this.overview.getContext("2d");
    if (key !== this.overviewKey) {
      this.overviewKey = key;
      this.overview.width = width * scale;
      this.overview.height = height * scale;
      pen.setTransform(scale, 0, 0, scale, 0, 0);
      pen.fillStyle = colours["--wash"];
      pen.fillRect(0, 0, width, height);
      const each = bin / (this.facts.to_us - this.facts.from_us) * width;
      const column = (at) => [Math.round(at * each), Math.round((at + 1) * each) - Math.round(at * each)];
      const top = (values) => values.reduce((most, value) => Math.max(most, value), 1e-9);
      const [most, busiest] = [top(waiting), top(use)];
      use.forEach((share, at) => {
        pen.fillStyle = colours["--series-1"];
        const [left, wide] = column(at);
        pen.fillRect(left, height - share / busiest * height * 0.55, wide, share / busiest * height * 0.55);
        pen.fillStyle = colours["--series-2"];
        pen.fillRect(left, 0, wide, waiting[at] / most * height * 0.4);
      });
      this.overviewPicture = pen.getImageData(0, 0, width * scale, height * scale);
    }
    pen.putImageData(this.overviewPicture, 0, 0);
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    const all = this.facts.to_us - this.facts.from_us;
    const [left, right] = [this.fromUs, this.toUs].map((us) => (us - this.facts.from_us) / all * width);
    pen.strokeStyle = colours["--ink"];
    pen.lineWidth = 2;
    pen.strokeRect(Math.max(1, left), 1, Math.max(4, Math.min(width - 1, right) - Math.max(1, left)), height - 2);
  }

  seek(event) {
    const at = event.offsetX / this.overview.clientWidth * (this.facts.to_us - this.facts.from_us) + this.facts.from_us;
    this.place(this.usPerPixel, at - this.width / 2 * this.usPerPixel);
  }

  wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    if (event.shiftKey) this.scroller.scrollTop += (event.deltaY || event.deltaX) * lines;
    else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.scroll(event.deltaX * lines);
    else this.zoom(2 ** (Math.max(-400, Math.min(400, event.deltaY * lines)) / 200), event.offsetX);
  }

  grab(event) {
    if (event.button) return;
    this.plot.setPointerCapture(event.pointerId);
    this.held = { x: event.clientX, y: event.clientY, left: this.left, top: this.scroller.scrollTop, moved: false };
    const end = () => {
      const { moved } = this.held;
      this.held = null;
      if (!moved) this.click(event);
    };
    this.plot.addEventListener("pointerup", end, { once: true });
    this.plot.addEventListener("pointercancel", () => { this.held = null; }, { once: true });
  }

  point(event) {
    if (this.held) {
      const [dx, dy] = [event.clientX - this.held.x, event.clientY - this.held.y];
      if (Math.abs(dx) + Math.abs(dy) > 3) this.held.moved = true;
      if (!this.held.moved) return;
      this.tip.hidden = true;
      this.place(this.usPerPixel, (this.held.left - Math.round(dx)) * this.usPerPixel);
      this.scroller.scrollTop = this.held.top - dy;
      return;
    }
    const found = this.under(event);
    const lines = this.words(found);
    this.tip.hidden = !lines.length;
    if (!lines.length) return;
    this.tip.replaceChildren(...lines.map(([name, text]) => element("div", {}, element("b", {}, `${name}: `), text)));
    const box = this.main.getBoundingClientRect();
    const x = event.clientX - box.left + 14;
    this.tip.style.left = `${Math.min(x, box.width - this.tip.offsetWidth - 4)}px`;
    this.tip.style.top = `${event.clientY - box.top + 16}px`;
  }

  under(event) {
    const box = this.canvases.lanes.getBoundingClientRect();
    return this.drawing.at(event.clientX - box.left, event.clientY - box.top);
  }

  click(event) {
    const found = this.under(event);
    this.setLane(found.lane);
    this.choose(found.span ?? found.wait ?? null, found);
  }

  /** Names and texts of what is somewhere. */
  words({ lane, span, wait, bin, waiting, binUs }) {
    const place = ["Lane", this.facts.lanes[lane].label];
    const when = (row) => [
      ["From", instant(row.from_us, this.usPerPixel)],
      ["To", row.to_us === null ? "after the end" : instant(row.to_us, this.usPerPixel)],
      ["Length", row.to_us === null ? `more than ${length(this.facts.to_us - row.from_us)}` : length(row.to_us - row.from_us)],
    ];
    if (span) {
      return [place, span.holder && ["Holder", span.holder], ["State", STATES[span.state]?.[4] ?? span.state],
        span.what && ["Volume", span.what], span.on && ["On", span.on], ...when(span)].filter(Boolean);
    }
    if (wait) {
      return [["Waits", wait.holder], ["Why", wait.why], ["Where", wait.where], ["For", KINDS[wait.kind] ?? wait.kind], ...when(wait)];
    }
    if (bin) {
      const percent = (share) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
      return [place, ["In use", percent(bin.use)], bin.delay && ["Delayed", percent(bin.delay)],
        ["Mostly", STATES[bin.state]?.[4] ?? bin.state], bin.holder && ["Most of it", bin.holder],
        ["In", `${length(bin.binUs)}; zoom in for each span`]].filter(Boolean);
    }
    if (waiting) return [place, ["Waiting", `${waiting.toFixed(waiting < 10 ? 2 : 0)} on average in ${length(binUs)}`]];
    return [];
  }

  /** Makes a span or a wait the chosen one, shows it beside the lanes, and says it. */
  choose(row, found = null) {
    this.chosen = row;
    const words = this.words(found ?? (row?.why === undefined ? { lane: row.lane, span: row } : { lane: row.lane, wait: row }));
    const actions = row && element("p", { class: "tools" },
      button("Before", () => this.step(true), { "aria-label": "Span before" }),
      button("After", () => this.step(false), { "aria-label": "Span after" }), button("Zoom to it", () => this.zoomTo(row)));
    this.details.replaceChildren(
      words.length ? element("dl", {}, ...words.map(([name, text]) => element("div", {}, element("dt", {}, name), element("dd", {}, text))))
        : element("p", { class: "quiet" }, `Nothing on ${this.facts.lanes[found?.lane ?? 0].label} at that instant.`),
      actions ?? "");
    this.live.textContent = words.map(([name, text]) => `${name}: ${text}`).join(", ");
    this.said = performance.now();
    this.ask();
  }

  setLane(lane) {
    this.lane = Math.max(0, Math.min(this.facts.lanes.length - 1, lane));
    this.drawing.chosenLane = this.lane;
    const [top, bottom] = [this.drawing.tops[this.lane], this.drawing.tops[this.lane + 1]];
    if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
    if (bottom > this.scroller.scrollTop + this.height) this.scroller.scrollTop = bottom - this.height;
    this.drawing.fresh = true;
    this.ask();
  }

  zoomTo(row) {
    const end = row.to_us ?? this.facts.to_us;
    this.place((end - row.from_us) / this.width * 3, row.from_us - (end - row.from_us));
  }

  /** Chooses the span before or after on the lane, and brings it into view. */
  async step(back) {
    const at = this.chosen ? this.chosen.from_us : (back ? this.toUs : this.fromUs);
    const { span } = await request(`${this.address}/near?${new URLSearchParams({ lane: this.lane, at, side: back ? "before" : "after" })}`);
    if (span) this.bring(span);
    else this.live.textContent = `No span ${back ? "before" : "after"} that on ${this.facts.lanes[this.lane].label}`;
  }

  /** Chooses a span; scrolls where it is not in view, and zooms in where it would be narrower than two pixels. */
  bring(row) {
    const end = row.to_us ?? this.facts.to_us;
    const long = end - row.from_us;
    if (long < 2 * this.usPerPixel) this.usPerPixel = Math.max(NARROWEST, long / 24);
    const inside = row.from_us >= this.fromUs && row.from_us < this.toUs - 20 * this.usPerPixel;
    if (!inside) this.place(this.usPerPixel, row.from_us - this.width / 3 * this.usPerPixel);
    else this.place(this.usPerPixel, this.fromUs);
    this.setLane(row.lane);
    this.choose(row);
  }

  /** Goes to a wait by its rank among the longest. */
  async jump(rank) {
    this.rank = rank;  // at once: a second press means the one after
    const { waits, count: all } = await request(`${this.address}/waits?first=${rank}&count=1`);
    if (this.rank !== rank) return;
    if (waits.length) this.goTo(waits[0]);
    else {
      this.rank = all - 1;
      this.live.textContent = `${plural(all, "wait")} in all`;
    }
  }

  goTo(wait) {
    this.zoomTo(wait);
    this.setLane(wait.lane);
    this.choose(wait.row > 5 ? { ...wait, row: -1 } : wait);
  }

  /** Lists the next waits, after those that were asked for before. */
  list() {
    this.listing = this.listing.catch(() => {}).then(() => this.append());
    return this.listing;
  }

  async append() {
    const first = this.table.rows.length;
    const { waits, count: all } = await request(`${this.address}/waits?first=${first}&count=${LISTED}`);
    this.table.append(...waits.map((wait, at) => element("tr", {},
      element("td", {}, String(first + at + 1)),
      element("td", { class: "number" }, length((wait.to_us ?? this.facts.to_us) - wait.from_us) + (wait.to_us === null ? ", goes on" : "")),
      element("td", { class: "number" }, instant(wait.from_us)),
      element("td", {}, wait.holder), element("td", {}, wait.where), element("td", { class: "long" }, wait.why),
      element("td", {}, button("Show", () => {
        this.rank = first + at;
        this.goTo(wait);
        this.scroller.focus({ preventScroll: true });
        this.main.querySelector(".timeline-tools").scrollIntoView({ block: "nearest" });
      }, { "aria-label": `Show wait ${first + at + 1}` })))));
    if (!all) this.table.append(element("tr", {}, element("td", { colspan: "7" }, "Nothing waits.")));
    this.more.hidden = this.table.rows.length >= all;
  }

  /** Says what is in view. */
  async say() {
    const key = this.wantedKey;
    const window_ = new URLSearchParams({ from: this.fromUs, to: this.toUs, lanes: this.lanesInView(), count: 1 });
    history.replaceState(null, "", `#/timeline/of/${this.id}/${this.fromUs}/${this.toUs}`);
    const { waits: [wait], count: all, spans } = await request(`${this.address}/waits?${window_}`);
    if (performance.now() - (this.said ?? -1e9) < 4 * SAY_MS || this.ends.signal.aborted) return;
    if (key !== this.wantedKey) return;  // the view has moved on, and will be said
    const [first, last] = this.drawing.visible();
    const end = (us) => {
      const near = 1e3 * Math.round(us / 1e3);  // a view that fits its window ends within a pixel of a whole number
      return Math.abs(us - near) < Math.min(500, this.usPerPixel) ? brief(near) : instant(us, this.usPerPixel);
    };
    this.live.textContent = `In view: ${end(this.fromUs)} to ${end(this.toUs)}, `
      + `lanes ${first + 1} to ${last + 1} of ${this.facts.lanes.length}, ${plural(spans, "span")}, ${plural(all, "wait")}.`
      + (wait ? ` Longest: ${wait.holder} at ${wait.where}, ${length((wait.to_us ?? this.facts.to_us) - wait.from_us)}, ${wait.why}.` : "");
  }

  lanesInView() {
    const [first, last] = this.drawing.visible();
    return `${first}-${Math.min(last, first + 255)}`;
  }

  async suggest(list) {
    const text = this.search.value.trim();
    if (!text) return this.highlight(null);
    const { holders } = await request(`${this.address}/holders?${new URLSearchParams({ name: text })}`);
    if (this.search.value.trim() !== text) return;  // more was typed since
    this.suggested = holders;
    list.replaceChildren(...holders.map(({ name }) => element("option", { value: name })));
    const same = holders.find(({ name }) => name === text);
    if (same) this.highlight(same);
  }

  highlight(holder) {
    if (this.drawing.holder === (holder?.number ?? null)) return;
    this.drawing.holder = holder?.number ?? null;
    this.drawing.fresh = true;
    this.ask();
  }

  /** Highlights the holder that was typed, and goes to its next span. */
  async find() {
    const text = this.search.value.trim();
    if (!text) return;
    const { holders } = await request(`${this.address}/holders?${new URLSearchParams({ name: text })}`);
    const holder = holders.find(({ name }) => name === text) ?? holders[0];
    if (!holder) {
      this.live.textContent = `No holder is called ${text}`;
      this.trouble.replaceChildren(problems([{ what: `no holder's name contains ${text}`, allowed: "a part of a name, such as #1" }]));
      return;
    }
    this.trouble.replaceChildren();
    this.search.value = holder.name;
    this.highlight(holder);
    const after = this.chosen?.holder === holder.name ? this.chosen.from_us : this.fromUs - 1e-3;
    const asked = (at) => request(`${this.address}/near?${new URLSearchParams({ holder: holder.number, at, side: "after" })}`);
    const { span } = await asked(after);
    const found = span ?? (await asked(-1e15)).span;
    if (found) this.bring(found);
    else this.live.textContent = `${holder.name} holds nothing`;
  }

  /** Saves the window on the screen as `slicewright trace` writes it. */
  async perfetto() {
    const unit = this.usPerPixel < 0.2 ? 1e3 : 1;
    const [from_us, to_us] = [
      Math.max(this.facts.from_us, Math.floor(this.fromUs * unit) / unit),
      Math.min(this.facts.to_us, Math.ceil(this.toUs * unit) / unit),
    ];
    this.trouble.replaceChildren(element("p", { class: "wait", role: "status" }, "Writes the window on the screen"));
    try {
      const job = await submit("perfetto", { timeline: this.id, from_us, to_us, about: "window for Perfetto" }, "perfetto");
      await outcome(job.job);
      const answer = await fetch(new URL(`${this.address}/perfetto.json`, document.baseURI));
      save("timeline.json", await answer.text(), "application/json");
      this.trouble.replaceChildren(element("p", { class: "quiet", role: "status" }, "Saved as timeline.json; ui.perfetto.dev opens it."));
    } catch (error) {
      this.trouble.replaceChildren(problems(error.problems ?? [{ what: String(error) }]));
    }
  }

  key_(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const acts = {
      ArrowLeft: () => event.shiftKey ? this.step(true) : this.scroll(-this.width / 8),
      ArrowRight: () => event.shiftKey ? this.step(false) : this.scroll(this.width / 8),
      ArrowUp: () => this.moveLane(-1), ArrowDown: () => this.moveLane(1),
      PageUp: () => this.scroll(-this.width * 0.9), PageDown: () => this.scroll(this.width * 0.9),
      Home: () => this.place(this.usPerPixel, this.facts.from_us), End: () => this.place(this.usPerPixel, this.facts.to_us),
      "+": () => this.zoom(1 / STEP), "=": () => this.zoom(1 / STEP), "-": () => this.zoom(STEP),
      0: () => this.show(this.facts.from_us, this.facts.to_us),
      w: () => this.jump(0), n: () => this.jump(this.rank + 1),
    };
    const act = acts[event.key] ?? acts[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  }

  moveLane(by) {
    this.setLane(this.lane + by);
    this.chosen = null;
    this.live.textContent = `Lane ${this.facts.lanes[this.lane].label}, ${this.lane + 1} of ${this.facts.lanes.length}`;
    this.said = performance.now();
  }
}
