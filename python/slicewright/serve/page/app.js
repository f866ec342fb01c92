// The page: screens by the part of the address after #, what runs, and whether the server is there.

import { element, problems, seconds } from "./elements.js";
import { cancel, listen, running, watchAll } from "./server.js";
import * as files from "./files.js";
import * as answer from "./answer.js";
import * as experiment from "./experiment.js";
import * as timeline from "./timeline.js";
import * as studies from "./studies.js";
import * as panels from "./panels.js";
import * as plan from "./plan.js";

/** Screens by name: `title`, whether the bar lists it, and `open(main, rest)`, which may return what closes it. */
const SCREENS = {
  "": files.home, drop: files.one, answer: answer.screen, plan: plan.screen,
  experiment: experiment.screen, timeline: timeline.screen, panels: panels.screen, studies: studies.screen,
};

const main = document.getElementById("main");
let close = null;
let turn = 0;

/** A part of the address; as it is where it is no text. */
const plain = (part) => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

const show = async () => {
  const [name, ...rest] = location.hash.replace(/^#\/?/, "").split("/").map(plain);
  const screen = Object.hasOwn(SCREENS, name) ? SCREENS[name] : SCREENS[""];
  close?.();
  close = null;
  main.className = screen.wide ? "wide-screen" : "";
  const own = ++turn;
  const place = element("div", {});  // a screen that is left goes on in its own place, where it shows nothing
  main.replaceChildren(place);
  document.title = screen.title ? `${screen.title} · slicewright` : "slicewright";
  for (const link of document.querySelectorAll("#screens a")) {
    if (link.dataset.name === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    const end = (await screen.open(place, rest)) ?? null;
    if (own === turn) close = end;
    else end?.();
  } catch (error) {
    place.replaceChildren(problems(error.problems ?? [{ what: String(error) }]));
  }
};

const bar = document.getElementById("screens");
for (const [name, screen] of Object.entries(SCREENS)) {
  if (screen.listed) bar.append(element("a", { href: `#/${name}`, "data-name": name }, screen.title));
}

const status = document.getElementById("running");
watchAll(() => {
  const now = running().filter(({ about }) => about);
  const [first] = now;
  status.replaceChildren();
  if (!first) return;
  const more = now.length > 1 ? `, ${now.length - 1} waiting` : "";
  const left = first.left_s ? `, ${seconds(first.left_s)} left` : "";
  status.append(`${first.about}: ${Math.round(100 * first.share)} %${left}${more} `,
    element("button", { type: "button", class: "plain", click: () => cancel(first.job) }, "Stop"));
});

const lost = document.getElementById("lost");
listen((gone) => { lost.textContent = gone ? "The server does not answer." : ""; });
addEventListener("hashchange", async () => {
  await show();
  if (!main.contains(document.activeElement)) main.focus({ preventScroll: true });  // the user may have gone on already
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
files.dropAnywhere();
show();
