// The looks of a timeline: an ink and a texture or a height for each state, in the colours of the theme, and its words.

/** Heights: a lane in use, what is low, a thin line; in CSS pixels. */
export const FULL = 14;
const LOW = 7;
const THIN = 2;

/** For each state: ink (a variable of the style sheet), texture, height, strength, and what it means. */
export const STATES = {
  busy: ["--series-1", "", FULL, 1, "I/O in progress"],
  working: ["--series-1", "", FULL, 1, "processor runs a guest"],
  running: ["--series-1", "", FULL, 1, "virtual processor runs"],
  taken: ["--series-1", "", FULL, 1, "lock taken"],
  owned: ["--series-1", "", FULL, 1, "resource owned exclusively"],
  shared: ["--series-1", "", LOW, 1, "resource shared"],
  locked: ["--ink", "", FULL, 0.75, "lock held exclusively"],
  "handling-interrupt": ["--ink", "", FULL, 1, "processor handles an interrupt"],
  "control-program": ["--soft", "", FULL, 0.8, "in the control program, without a guest"],
  held: ["--series-2", "hatched", FULL, 1, "held: the I/O has started and stays pending"],
  "interrupt-pending": ["--series-2", "upright", FULL, 1, "I/O ended, its interrupt is not handled yet"],
  "cpu-wait": ["--series-2", "", LOW, 1, "waits for a processor (CPU wait)"],
  "work-not-dispatched": ["--series-2", "slanted", LOW, 1, "processor not dispatched, has work"],
  waking: ["--series-2", "", THIN, 1, "waking: its interrupt is not handled yet"],
  interrupted: ["--series-2", "slanted", FULL, 1, "its processor handles a wake-up or is not dispatched"],
  limited: ["--series-2", "dotted", FULL, 1, "at the limit of its virtual machine"],
  gap: ["--soft", "", THIN, 1, "gap between I/Os"],
  offline: ["--soft", "dotted", FULL, 0.25, "offline"],
  parked: ["--soft", "dotted", LOW, 0.25, "processor parked"],
  "in-wait": ["--soft", "edge", FULL, 0.12, "processor dispatched, in wait"],
  "not-dispatched": ["--soft", "", LOW, 0.25, "processor not dispatched"],
};

/** What the words of waits mean, by kind. */
export const KINDS = {
  queued: "for an exposure", turn: "for a turn at a minidisk", message: "for a front end", held: "for the device",
  interrupt: "for the handling of its interrupt", ready: "for a processor", waking: "to be woken",
  interrupted: "for its own processor", limited: "because of a limit", spinning: "for a spin lock",
  suspended: "for the ENQ/DEQ lock", enqueued: "for a resource",
};

const TEXTURES = {
  hatched: (pen) => { pen.moveTo(-1, 1); pen.lineTo(1, -1); pen.moveTo(0, 5); pen.lineTo(5, 0); pen.moveTo(4, 6); pen.lineTo(6, 4); },
  slanted: (pen) => { pen.moveTo(-1, 4); pen.lineTo(1, 6); pen.moveTo(0, 0); pen.lineTo(5, 5); pen.moveTo(4, -1); pen.lineTo(6, 1); },
  upright: (pen) => { pen.moveTo(1.5, 0); pen.lineTo(1.5, 5); },
  dotted: (pen) => { pen.moveTo(1, 2); pen.lineTo(2.4, 2); },
};
/** Side of a texture; the drawing shifts by whole sides, so that textures do not jump. */
export const SIDE = 5;

/** The colours of the theme. */
export const theme = () => {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue(name).trim();
  const names = ["--ink", "--soft", "--line", "--grid", "--paper", "--wash", "--series-1", "--series-2", "--series-3", "--series-4"];
  return Object.fromEntries(names.map((name) => [name, of(name)]));
};

/** What fills an area of a state: a colour or a texture, with its height; `pen` is any canvas context. */
export const lookOf = (state, colours, pen) => {
  const [name, texture, height, strength] = STATES[state] ?? STATES.busy;
  const ink = colours[name];
  const look = { fill: ink, height, strength, edge: texture === "edge" ? ink : null, ink };
  if (TEXTURES[texture]) {
    const tile = document.createElement("canvas");
    tile.width = tile.height = SIDE;
    const own = tile.getContext("2d");
    own.fillStyle = ink;
    own.fillRect(0, 0, SIDE, SIDE);
    own.strokeStyle = colours["--paper"];
    own.lineWidth = 1.4;
    own.beginPath();
    TEXTURES[texture](own);
    own.stroke();
    look.fill = pen.createPattern(tile, "repeat");
    look.textured = true;
  }
  return look;
};

/** Whether nothing is done or waited for in a state. */
export const isIdle = (state) => STATES[state]?.[0] === "--soft" && state !== "control-program";

const number = (value, places) => value.toLocaleString("en-US", { minimumFractionDigits: places, maximumFractionDigits: places });

/** An instant, to the microsecond; below a microsecond a pixel shows more. */
export const instant = (us, usPerPixel = 1) => us < 1e3 || usPerPixel < 0.2
  ? `${number(us, usPerPixel < 0.2 ? 3 : 1)} us` : `${number(us / 1e3, 3)} ms`;

/** An end of a stretch, without zeros that say nothing. */
export const brief = (us) => us % 1e3 ? instant(us) : `${(us / 1e6).toLocaleString("en-US", { maximumFractionDigits: 3 })} s`;

/** A length in the unit that suits it. */
export const length = (us) => us < 1e3 ? `${number(us, us < 10 ? 3 : 1)} us`
  : us < 1e6 ? `${number(us / 1e3, 3)} ms` : `${number(us / 1e6, 3)} s`;

/** Round instants for a ruler, with their text: the distance is 1, 2 or 5 and zeros. */
export const ticks = (fromUs, toUs, most) => {
  const least = (toUs - fromUs) / most;
  const decade = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((digit) => digit * decade).find((each) => each >= least * 0.999999);
  const [unit, us] = step >= 1e5 ? ["s", 1e6] : step >= 100 ? ["ms", 1e3] : ["us", 1];
  const places = Math.max(0, -Math.floor(Math.log10(step / us) + 1e-9));
  const found = [];
  for (let at = Math.ceil(fromUs / step - 1e-9); at * step <= toUs; at += 1) {
    found.push([at * step, `${number(at * step / us + 0, places)} ${unit}`]);
  }
  return found;
};
