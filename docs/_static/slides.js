// Keys and clicks of a deck.  Without this script the slides stand below each other.
const page = document.querySelector("main > section");
const cover = document.createElement("div");
cover.className = "cover";
while (page.firstChild && page.firstChild.nodeName !== "SECTION") cover.append(page.firstChild);
page.prepend(cover);
const slides = [cover, ...page.querySelectorAll(":scope > section")];
const count = document.querySelector("output");
let at = -1;

function show(number) {
  const next = Math.min(Math.max(number, 0), slides.length - 1);
  if (next === at) return;
  slides[at]?.classList.remove("now");
  at = next;
  slides[at].classList.add("now");
  count.textContent = `${at + 1} / ${slides.length}`;
  history.replaceState(null, "", `#${at + 1}`);
  scrollTo(0, 0);
}

const KEYS = {
  ArrowRight: () => show(at + 1), PageDown: () => show(at + 1), " ": () => show(at + 1), Enter: () => show(at + 1),
  ArrowLeft: () => show(at - 1), PageUp: () => show(at - 1), Backspace: () => show(at - 1),
  Home: () => show(0), End: () => show(slides.length - 1),
  n: () => document.body.classList.toggle("notes"),
  f: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
  p: () => print(),
};

addEventListener("keydown", (event) => {
  const act = KEYS[event.key] ?? KEYS[event.key.toLowerCase()];
  if (!act || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("a")) return;
  event.preventDefault();
  act();
});
addEventListener("click", (event) => {
  if (!event.target.closest("a, footer, pre") && !String(getSelection())) show(at + (event.clientX < innerWidth / 4 ? -1 : 1));
});
addEventListener("hashchange", () => show((parseInt(location.hash.slice(1), 10) || 1) - 1));
document.body.classList.add("shown");
show((parseInt(location.hash.slice(1), 10) || 1) - 1);
