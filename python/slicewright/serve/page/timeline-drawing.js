// The drawing of a timeline on canvases: lanes, their names, the ruler, and what is chosen; draws only what has changed.

import { FULL, SIDE, STATES, isIdle, lookOf, theme, ticks } from "./timeline-looks.js";
import { Tiles, levelOf } from "./timeline-tiles.js";

const TOP = 5;
const ROW = 6;
const ROWS = 5;
const BELOW = TOP + FULL + 2;
const WAIT = 5;
const LABEL_EVERY = 480;
const FONT = "12px system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', Arial, sans-serif";

/** The first row of a range whose value is above a limit; values ascend. */
const firstAbove = (values, limit, first, last) => {
  while (first < last) {
    const middle = (first + last) >> 1;
    if (values[middle] > limit) last = middle;
    else first = middle + 1;
  }
  return first;
};

/** Fits a canvas to its box; whether it changed. */
const fit = (canvas, width, height, scale) => {
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width === w && canvas.height === h) return false;
  canvas.width = w;
  canvas.height = h;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  return true;
};

/** A text without its middle where it is too wide: names of resources differ at their ends. */
const shortened = (text, width, pen) => {
  let kept = text.length;
  let shown = text;
  while (kept > 4 && pen.measureText(shown).width > width) {
    kept -= 1;
    shown = `${text.slice(0, Math.ceil(kept / 2))}…${text.slice(-Math.floor(kept / 2))}`;
  }
  return shown;
};

export class Drawing {
  /** `parts` are the canvases: lanes, over, names, ruler. */
  constructor(facts, tiles, parts) {
    Object.assign(this, { facts, tiles, parts });
    this.pens = Object.fromEntries(Object.entries(parts).map(([name, canvas]) => [name, canvas.getContext("2d")]));
    this.tops = [0];
    for (const { rows } of facts.lanes) this.tops.push(this.tops.at(-1) + BELOW + Math.max(rows * ROW, 0) + 5);
    this.height = this.tops.at(-1);
    this.pens.names.font = FONT;
    /** The width that the longest name of a lane needs. */
    this.nameWidth = facts.lanes.reduce((most, { label }) => Math.max(most, this.pens.names.measureText(label).width), 0) + 20;
    this.holder = null;
    this.dirty = [];
    this.fresh = true;
    this.recolour();
  }

  recolour() {
    this.colours = theme();
    const states = this.facts.texts.state ?? [];
    this.looks = states.map((state) => lookOf(state, this.colours, this.pens.lanes));
    this.idle = states.map(isIdle);
    this.fresh = true;
  }

  /** The lane at a height, and the row of waits in it; -1 for the lane itself. */
  laneAt(y) {
    const lane = Math.min(this.facts.lanes.length - 1, Math.max(0, firstAbove(this.tops, y, 0, this.tops.length) - 1));
    const below = y - this.tops[lane] - BELOW;
    return { lane, row: below < 0 ? -1 : Math.floor(below / ROW) };
  }

  rowTop(lane, row) {
    return row < 0 ? this.tops[lane] + TOP : this.tops[lane] + BELOW + Math.min(row, ROWS) * ROW;
  }

  /** Marks the pixels of a tile that has arrived. */
  spoil(fromUs, toUs) {
    this.dirty.push([fromUs, toUs]);
  }

  /** Draws a view: {usPerPixel, left (whole pixels), top, width, height}; what can be shifted is not drawn again. */
  draw(view) {
    const scale = Math.max(1, Math.round(devicePixelRatio));
    const { parts, pens } = this;
    const resized = fit(parts.lanes, view.width, view.height, scale);
    const before = this.view;
    this.view = { ...view, scale };
    const shift = before ? view.left - before.left : 0;
    const same = !resized && !this.fresh && before && before.usPerPixel === view.usPerPixel && before.top === view.top;
    const pen = pens.lanes;
    if (same && Math.abs(shift) < view.width) {
      if (shift) {
        pen.setTransform(1, 0, 0, 1, 0, 0);
        pen.globalCompositeOperation = "copy";
        pen.drawImage(parts.lanes, -shift * scale, 0);
        pen.globalCompositeOperation = "source-over";
        if (shift > 0) this.strip(view.width - shift, view.width);
        else this.strip(0, -shift);
      }
      for (const [from, to] of this.dirty) {
        const first = Math.max(0, Math.floor(this.x(from)));
        const last = Math.min(view.width, Math.ceil(this.x(to)));
        if (first < last) this.strip(first, last);
      }
    } else {
      this.strip(0, view.width);
    }
    this.dirty = [];
    if (!same || resized) this.drawNames(scale);
    this.fresh = false;
    this.drawRuler(scale);
  }

  x(us) {
    return us / this.view.usPerPixel - this.view.left;
  }

  us(x) {
    return (x + this.view.left) * this.view.usPerPixel;
  }

  /** The whole pixels of a bin: parts of pixels would show as stripes. */
  pixels(us, binUs, box) {
    const left = Math.max(Math.round(this.x(us)) + box.phase, Math.round(box.left));
    return [left, Math.min(Math.round(this.x(us + binUs)) + box.phase, Math.round(box.right)) - left];
  }

  /** The lanes on the screen, from first to last. */
  visible() {
    const first = this.laneAt(this.view.top).lane;
    return [first, this.laneAt(this.view.top + this.view.height).lane];
  }

  strip(first, last) {
    const pen = this.pens.lanes;
    const { scale, height, top, left } = this.view;
    // Shifted by whole textures only, so that they fit together from strip to strip.
    const phase = ((left % SIDE) + SIDE) % SIDE;
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.save();
    pen.beginPath();
    pen.rect(first, 0, last - first, height);
    pen.clip();
    pen.fillStyle = this.colours["--paper"];
    pen.fillRect(first, 0, last - first, height);
    const ends = [this.facts.from_us, this.facts.to_us].map((us) => this.x(us));
    pen.fillStyle = this.colours["--wash"];
    pen.fillRect(first, 0, Math.max(0, ends[0] - first), height);
    pen.fillRect(Math.max(first, ends[1]), 0, last, height);
    pen.translate(-phase, -top);
    pen.font = "11px system-ui, 'Segoe UI', 'Liberation Sans', Arial, sans-serif";
    pen.textBaseline = "middle";
    const [from, to] = this.visible();
    for (let lane = from; lane <= to; lane += 1) {
      pen.globalAlpha = 1;
      pen.fillStyle = this.colours["--grid"];
      pen.fillRect(first + phase, this.tops[lane + 1] - 1, last - first, 1);
      if (this.holder !== null) this.lane(lane, first, last, phase, null, 0.22);
      this.lane(lane, first, last, phase, this.holder, 1);
    }
    pen.restore();
  }

  /** One lane between two pixels, tile by tile. */
  lane(lane, first, last, phase, holder, alpha) {
    this.labels = new Map();
    const level = levelOf(this.view.usPerPixel);
    const startUs = Math.max(this.us(first), this.facts.from_us);
    const endUs = Math.min(this.us(last), this.facts.to_us);
    for (let us = startUs; us < endUs;) {
      const [tables, end] = this.tiles.at(level, us, Tiles.block(lane), holder);
      if (tables) this.part(tables, lane, us, Math.min(end, endUs), phase, alpha);
      us = end > us ? end : endUs;
    }
    // After all boxes, as a name may begin in one tile and end in the next.
    const pen = this.pens.lanes;
    pen.globalAlpha = alpha;
    pen.fillStyle = this.colours["--paper"];
    for (const [x, text] of this.labels) pen.fillText(text, x, this.tops[lane] + TOP + FULL / 2 + 0.5);
  }

  /** What a tile has of a lane between two instants. */
  part(tables, lane, fromUs, toUs, phase, alpha) {
    const pen = this.pens.lanes;
    const box = { left: this.x(fromUs) + phase, right: this.x(toUs) + phase, phase };
    pen.globalAlpha = alpha;
    const spans = tables.spans.of.get(lane);
    if (spans) this.spans(tables, spans, lane, [fromUs, toUs], box, alpha);
    const bins = tables.bins.of.get(lane);
    if (bins) this.bins(tables, bins, lane, [fromUs, toUs], box, alpha);
    const waits = tables.waits.of.get(lane);
    pen.globalAlpha = alpha;
    pen.fillStyle = this.colours["--series-2"];
    if (waits) this.waits(tables, waits, lane, box);
    const waiting = tables.waiting.of.get(lane);
    if (waiting) this.waiting(tables, waiting, lane, [fromUs, toUs], box, alpha);
    const yields = tables.yields.of.get(lane);
    if (yields) {
      pen.globalAlpha = alpha;
      pen.fillStyle = this.colours["--ink"];
      for (let row = yields[0]; row < yields[1]; row += 1) {
        const x = this.x(tables.yields.at[row]) + phase;
        if (x >= box.left && x < box.right) pen.fillRect(x, this.tops[lane] + TOP + FULL - 4, 1.2, 6);
      }
    }
  }

  spans(tables, [first, last], lane, [fromUs, toUs], box, alpha) {
    const pen = this.pens.lanes;
    const { from, to, state, holder } = tables.spans;
    const middle = this.tops[lane] + TOP + FULL / 2;
    for (let row = firstAbove(to, fromUs, first, last); row < last && from[row] < toUs; row += 1) {
      const start = this.x(from[row]) + box.phase;
      const end = Math.min(this.x(Math.min(to[row], this.facts.to_us)) + box.phase, 1e6);
      const left = Math.max(start, box.left);
      const width = Math.min(end, box.right) - left;
      const look = this.looks[state[row]];
      pen.globalAlpha = alpha * look.strength;
      pen.fillStyle = look.fill;
      // A lone pixel between neighbours keeps them apart.
      const apart = end - start > 3 ? 0.6 : 0;
      pen.fillRect(left, middle - look.height / 2, Math.max(width - (end <= box.right ? apart : 0), Math.min(width, 0.7)), look.height);
      if (look.edge && end - start > 3) {
        pen.globalAlpha = alpha;
        pen.fillRect(left, middle - FULL / 2, width, 0.7);
        pen.fillRect(left, middle + FULL / 2 - 0.7, width, 0.7);
      }
      if (end - start > 34 && holder[row] >= 0 && look.height === FULL && !look.textured) {
        this.label(tables.holderNames[holder[row]], start, end, box);
      }
    }
  }

  /** The name of a holder at the start of its box, and again in long ones: always at the same instants. */
  label(text, start, end, box) {
    const first = start + Math.max(0, Math.floor((box.left - start) / LABEL_EVERY)) * LABEL_EVERY;
    for (let at = first; at < Math.min(end - 30, box.right); at += LABEL_EVERY) {
      const room = Math.min(end, at + LABEL_EVERY) - at - 8;
      const letters = Math.floor(room / 6.2);
      if (letters < 3) continue;
      this.labels.set(at + 4, text.length > letters ? `${text.slice(0, letters - 1)}…` : text);
    }
  }

  /** Shares of each bin, from the foot of the lane up: in use, then delayed. */
  bins(tables, [first, last], lane, [fromUs, toUs], box, alpha) {
    const pen = this.pens.lanes;
    const { bin, use, delay, state } = tables.bins;
    const { firstUs, binUs } = tables;
    const foot = this.tops[lane] + TOP + FULL;
    const start = firstAbove(bin, (fromUs - firstUs) / binUs - 1, first, last);
    for (let row = start; row < last && firstUs + bin[row] * binUs < toUs; row += 1) {
      if (!this.idle[state[row]]) continue;
      const look = this.looks[state[row]];
      const [left, wide] = this.pixels(firstUs + bin[row] * binUs, binUs, box);
      if (wide <= 0) continue;
      pen.globalAlpha = alpha * look.strength;
      pen.fillStyle = look.fill;
      pen.fillRect(left, foot - (FULL + look.height) / 2, wide, look.height);
    }
    pen.globalAlpha = alpha;
    for (const [ink, shares, under] of [["--series-1", use, null], ["--series-2", delay, use]]) {
      pen.fillStyle = this.colours[ink];
      for (let row = start; row < last; row += 1) {
        const at = firstUs + bin[row] * binUs;
        if (at >= toUs) break;
        if (shares[row] === 0) continue;
        const [left, wide] = this.pixels(at, binUs, box);
        if (wide <= 0) continue;
        const below = under ? FULL * under[row] : 0;
        pen.fillRect(left, foot - below - FULL * shares[row], wide, FULL * shares[row]);
      }
    }
  }

  waits(tables, [first, last], lane, box) {
    const pen = this.pens.lanes;
    const { from, to, row } = tables.waits;
    for (let number = first; number < last; number += 1) {
      const start = this.x(from[number]) + box.phase;
      const end = this.x(Math.min(to[number], this.facts.to_us)) + box.phase;
      const left = Math.max(start, box.left);
      const width = Math.min(end, box.right) - left;
      if (width <= 0) continue;
      pen.fillRect(left, this.rowTop(lane, row[number]), Math.max(width - (end - start > 3 ? 0.8 : 0), Math.min(width, 0.7)), WAIT);
    }
  }

  /** The mean number that wait, as a height below the lane. */
  waiting(tables, [first, last], lane, [fromUs, toUs], box, alpha) {
    const pen = this.pens.lanes;
    const { bin, waiting } = tables.waiting;
    const { firstUs, binUs } = tables;
    const rows = this.facts.lanes[lane].rows;
    pen.globalAlpha = alpha * 0.65;
    for (let at = firstAbove(bin, (fromUs - firstUs) / binUs - 1, first, last); at < last; at += 1) {
      const us = firstUs + bin[at] * binUs;
      if (us >= toUs) break;
      const [left, wide] = this.pixels(us, binUs, box);
      if (wide > 0) pen.fillRect(left, this.tops[lane] + BELOW, wide, ROW * Math.min(rows, waiting[at]));
    }
  }

  drawNames(scale) {
    const width = this.parts.names.parentElement.clientWidth;
    fit(this.parts.names, width, this.view.height, scale);
    const pen = this.pens.names;
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.fillStyle = this.colours["--paper"];
    pen.fillRect(0, 0, width, this.view.height);
    pen.translate(0, -this.view.top);
    pen.font = FONT;
    pen.textBaseline = "middle";
    const [first, last] = this.visible();
    for (let lane = first; lane <= last; lane += 1) {
      if (lane === this.chosenLane) {
        pen.fillStyle = this.colours["--wash"];
        pen.fillRect(0, this.tops[lane], width, this.tops[lane + 1] - this.tops[lane] - 1);
        pen.fillStyle = this.colours["--series-1"];
        pen.fillRect(0, this.tops[lane], 3, this.tops[lane + 1] - this.tops[lane] - 1);
      }
      pen.fillStyle = this.colours["--grid"];
      pen.fillRect(0, this.tops[lane + 1] - 1, width, 1);
      pen.fillStyle = this.colours["--ink"];
      pen.fillText(shortened(this.facts.lanes[lane].label, width - 16, pen), 9, this.tops[lane] + TOP + FULL / 2);
    }
  }

  drawRuler(scale) {
    const { width } = this.view;
    fit(this.parts.ruler, width, 22, scale);
    const pen = this.pens.ruler;
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, 22);
    pen.font = FONT;
    pen.fillStyle = this.colours["--soft"];
    for (const [us, text] of ticks(this.us(0), this.us(width), Math.max(2, width / 150))) {
      const x = Math.round(this.x(us));
      pen.fillRect(x, 15, 1, 7);
      if (x + 4 + pen.measureText(text).width < width) pen.fillText(text, x + 4, 14);
    }
  }

  /** What lies over the lanes: changes, the box that is chosen, the one that is pointed at. */
  drawOver(chosen, changes) {
    const { width, height, scale, top } = this.view;
    fit(this.parts.over, width, height, scale);
    const pen = this.pens.over;
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.strokeStyle = this.colours["--ink"];
    pen.setLineDash([4, 4]);
    for (const us of changes) {
      const x = Math.round(this.x(us)) + 0.5;
      if (x < 0 || x > width) continue;
      pen.beginPath();
      pen.moveTo(x, 0);
      pen.lineTo(x, height);
      pen.stroke();
    }
    pen.setLineDash([]);
    if (!chosen) return;
    const left = Math.max(-4, this.x(chosen.from_us));
    const right = Math.min(width + 4, this.x(chosen.to_us ?? this.facts.to_us));
    const y = this.rowTop(chosen.lane, chosen.row) - top;
    const tall = chosen.row < 0 ? FULL : WAIT;
    if (chosen.row >= 0) {  // a wait that has no row of its own is drawn here all the same
      pen.fillStyle = this.colours["--series-2"];
      pen.fillRect(left, y, Math.max(1, right - left), tall);
    }
    pen.lineWidth = 2;
    pen.strokeRect(left - 1.5, y - 1.5, Math.max(3, right - left + 3), tall + 3);
    pen.lineWidth = 1;
  }

  /** The changes in the tiles on the screen, in us, with their number of a text. */
  changes() {
    const level = levelOf(this.view.usPerPixel);
    const found = new Map();
    const ends = [Math.max(this.us(0), this.facts.from_us), Math.min(this.us(this.view.width), this.facts.to_us)];
    for (let us = ends[0]; us < ends[1];) {
      const [tables, end] = this.tiles.at(level, us, Tiles.block(this.visible()[0]), null);
      tables?.changes.at.forEach((at, row) => found.set(at, tables.changes.what[row]));
      us = end > us ? end : ends[1];
    }
    return found;
  }

  /** What is at a point: a span, a wait, a bin or nothing, as an object with its lane and words. */
  at(x, y) {
    const { lane, row } = this.laneAt(y + this.view.top);
    const us = this.us(x);
    const [tables] = this.tiles.at(levelOf(this.view.usPerPixel), us, Tiles.block(lane), this.holder)
      ?? [null];
    const near = this.view.usPerPixel * 1.5;
    const found = { lane, us };
    if (!tables || us < this.facts.from_us || us > this.facts.to_us) return found;
    if (row >= 0) {
      const waits = tables.waits.of.get(lane);
      for (let at = waits?.[0] ?? 0; at < (waits?.[1] ?? 0); at += 1) {
        const { from, to } = tables.waits;
        if (tables.waits.row[at] === row && from[at] <= us + near && to[at] >= us - near) {
          return { ...found, wait: this.waitRow(tables, at) };
        }
      }
      const waiting = tables.waiting.of.get(lane);
      const bin = waiting && firstAbove(tables.waiting.bin, (us - tables.firstUs) / tables.binUs - 1, ...waiting);
      if (waiting && bin < waiting[1] && tables.firstUs + tables.waiting.bin[bin] * tables.binUs <= us) {
        return { ...found, waiting: tables.waiting.waiting[bin], binUs: tables.binUs };
      }
      return found;
    }
    const spans = tables.spans.of.get(lane);
    if (spans) {
      const { from, to } = tables.spans;
      const at = firstAbove(to, us, ...spans);
      for (const each of [at, at - 1]) {
        if (each >= spans[0] && each < spans[1] && from[each] <= us + near && to[each] >= us - near) {
          return { ...found, span: this.spanRow(tables, each) };
        }
      }
    }
    const bins = tables.bins.of.get(lane);
    const bin = bins && firstAbove(tables.bins.bin, (us - tables.firstUs) / tables.binUs - 1, ...bins);
    if (bins && bin < bins[1] && tables.firstUs + tables.bins.bin[bin] * tables.binUs <= us) {
      const { use, delay, state, holder } = tables.bins;
      return {
        ...found,
        bin: {
          use: use[bin], delay: delay[bin], state: this.facts.texts.state[state[bin]],
          holder: tables.holderNames[holder[bin]] ?? null, binUs: tables.binUs,
        },
      };
    }
    return found;
  }

  spanRow(tables, at) {
    const { spans, holderNames } = tables;
    const { texts, lanes } = this.facts;
    return {
      number: spans.number[at], lane: spans.lane[at], from_us: spans.from[at],
      to_us: Number.isFinite(spans.to[at]) ? spans.to[at] : null, holder: holderNames[spans.holder[at]] ?? null,
      state: texts.state[spans.state[at]], what: texts.what[spans.what[at]], on: lanes[spans.on[at]]?.label ?? null,
    };
  }

  waitRow(tables, at) {
    const { waits, holderNames, whys } = tables;
    const { texts } = this.facts;
    return {
      number: waits.number[at], lane: waits.lane[at], from_us: waits.from[at],
      to_us: Number.isFinite(waits.to[at]) ? waits.to[at] : null, holder: holderNames[waits.holder[at]],
      kind: texts.kind[waits.kind[at]], where: texts.where[waits.where[at]], why: whys[waits.why[at]], row: waits.row[at],
    };
  }
}

/** The entries of a legend: a small picture, and what the states that look so mean. */
export const legend = (facts) => {
  const alike = new Map();
  for (const state of facts.texts.state ?? []) {
    const [ink, texture, height, strength, meaning] = STATES[state];
    const key = [ink, texture, height, strength].join();
    alike.set(key, { state, meanings: [...alike.get(key)?.meanings ?? [], meaning] });
  }
  return [...alike.values()].map(({ state, meanings }) => {
    const canvas = document.createElement("canvas");
    canvas.width = 44;
    canvas.height = 28;
    canvas.className = "timeline-sample";
    const pen = canvas.getContext("2d");
    const look = lookOf(state, theme(), pen);
    pen.scale(2, 2);
    pen.globalAlpha = look.strength;
    pen.fillStyle = look.fill;
    pen.fillRect(0, 7 - look.height / 2, 22, look.height);
    if (look.edge) {
      pen.globalAlpha = 1;
      pen.fillRect(0, 0, 22, 0.7);
      pen.fillRect(0, 13.3, 22, 0.7);
    }
    return [canvas, meanings.join("; ")];
  });
};
