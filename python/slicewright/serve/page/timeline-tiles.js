// Windows of a recorded timeline as the page needs them: tiles by zoom level, fetched late, kept, and dropped when unwanted.

const BINS = 512;
const LANES = 32;
const MOST_KEPT = 600;
const AT_ONCE = 4;
const PAUSE_MS = 40;
/** The finest level: bins of 2 ** FINEST us. */
const FINEST = -10;

const KINDS = { float64: Float64Array, float32: Float32Array, int32: Int32Array, uint8: Uint8Array };

/** The rows of each lane in a table that is sorted by lane. */
const byLane = (lanes) => {
  const found = new Map();
  for (let first = 0; first < lanes.length;) {
    let last = first + 1;
    while (last < lanes.length && lanes[last] === lanes[first]) last += 1;
    found.set(lanes[first], [first, last]);
    first = last;
  }
  return found;
};

/** The tables of a window: typed arrays over the bytes that came, and the rows of each lane. */
const decoded = (bytes) => {
  const length = Number(new DataView(bytes).getBigUint64(0, true));
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, length)));
  const tables = { binUs: head.bin_us, firstUs: head.first_us, holderNames: head.holder, whys: head.why };
  for (const [table, name, kind, at, count] of head.columns) {
    (tables[table] ??= {})[name] = new KINDS[kind](bytes, 8 + length + at, count);
  }
  for (const table of ["spans", "waits", "bins", "waiting", "yields"]) tables[table].of = byLane(tables[table].lane);
  return tables;
};

/** The level whose bins are nearest to a pixel. */
export const levelOf = (usPerPixel) => Math.max(FINEST, Math.round(Math.log2(usPerPixel)));

export class Tiles {
  /** `arrived` is called with each tile that comes: its start and end in us. */
  constructor(address, { from_us, to_us, lanes }, arrived) {
    Object.assign(this, { address, start: from_us, end: to_us, lanes: lanes.length, arrived });
    this.kept = new Map();
    this.running = new Map();
    this.wanted = [];
    this.coarsest = levelOf((to_us - from_us) / BINS) + 1;
  }

  static block(lane) {
    return Math.floor(lane / LANES);
  }

  widthUs(level) {
    return BINS * 2 ** level;
  }

  index(level, us) {
    return Math.floor((us - this.start) / this.widthUs(level));
  }

  key(level, index, block, holder) {
    return `${holder ?? ""}/${block}/${level}/${index}`;
  }

  /** The tile at an instant, or the finest coarser one that is here: [tables, end of it in us]. */
  at(level, us, block, holder) {
    for (let coarser = level; coarser <= this.coarsest; coarser += 1) {
      const index = this.index(coarser, us);
      const key = this.key(coarser, index, block, holder);
      const found = this.kept.get(key);
      if (found) {
        const end = this.start + (this.index(level, us) + 1) * this.widthUs(level);
        return [found, end];
      }
    }
    return [null, this.start + (this.index(level, us) + 1) * this.widthUs(level)];
  }

  /** States which windows are on the screen: those are fetched after a pause, the nearest to the centre first. */
  want(level, fromUs, toUs, blocks, holders) {
    const wanted = [];
    const add = (lvl, index) => {
      for (const block of blocks) for (const holder of holders) wanted.push({ level: lvl, index, block, holder });
    };
    const first = this.index(level, Math.max(fromUs, this.start));
    const last = this.index(level, Math.min(toUs, this.end) - 1e-9);
    const centre = (first + last) / 2;
    add(this.coarsest, 0);
    const indexes = [];
    for (let index = first; index <= last; index += 1) indexes.push(index);
    indexes.sort((one, other) => Math.abs(one - centre) - Math.abs(other - centre));
    for (const index of indexes) add(level, index);
    for (const index of [last + 1, first - 1]) {
      if (index >= 0 && index <= this.index(level, this.end - 1e-9)) add(level, index);
    }
    for (const each of wanted) each.key = this.key(each.level, each.index, each.block, each.holder);
    this.wanted = wanted.filter(({ key }) => !this.touch(key));
    const keys = new Set(wanted.map(({ key }) => key));
    for (const [key, stop] of this.running) if (!keys.has(key)) stop.abort();
    clearTimeout(this.timer);
    if (this.wanted.length) this.timer = setTimeout(() => this.fetchSome(), PAUSE_MS);
  }

  /** Whether everything that was wanted is here. */
  get isComplete() {
    return !this.running.size && !this.wanted.length;
  }

  touch(key) {
    const found = this.kept.get(key);
    if (!found) return false;
    this.kept.delete(key);
    this.kept.set(key, found);
    return true;
  }

  fetchSome() {
    while (this.running.size < AT_ONCE && this.wanted.length) {
      const next = this.wanted.shift();
      if (!this.kept.has(next.key) && !this.running.has(next.key)) this.fetchOne(next);
    }
  }

  async fetchOne({ level, index, block, holder, key }) {
    const stop = new AbortController();
    this.running.set(key, stop);
    const from = this.start + index * this.widthUs(level);
    const to = from + this.widthUs(level);
    const lanes = `${block * LANES}-${Math.min(this.lanes, (block + 1) * LANES) - 1}`;
    const asked = new URLSearchParams({ from, to, pixels: BINS, lanes });
    if (holder !== null) asked.set("holder", holder);
    try {
      const answer = await fetch(new URL(`${this.address}?${asked}`, document.baseURI), { signal: stop.signal });
      if (answer.ok) {
        this.kept.set(key, decoded(await answer.arrayBuffer()));
        if (this.kept.size > MOST_KEPT) this.kept.delete(this.kept.keys().next().value);
        this.arrived(from, to);
      }
    } catch (error) {
      if (error.name !== "AbortError") this.wanted = [];  // the server is gone, and the page says so
    } finally {
      this.running.delete(key);
      this.fetchSome();
    }
  }

  close() {
    clearTimeout(this.timer);
    this.wanted = [];
    for (const stop of this.running.values()) stop.abort();
  }
}
