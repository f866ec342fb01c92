/* Replaces each still picture by one that can be pointed at; without this script, and in print, the still one stays. */
globalThis.drawFigures = (() => {
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  document.body.append(tip);

  const show = (handler, event, item, value) => {
    tip.hidden = value == null || value === "";
    if (tip.hidden) return;
    const [head, ...lines] = String(value).split("\n");
    const name = document.createElement("b");
    name.textContent = head;
    tip.replaceChildren(name, ...lines.flatMap((line) => [document.createElement("br"), line]));
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8))}px`;
    tip.style.top = `${event.clientY + 18 + height > innerHeight ? event.clientY - height - 10 : event.clientY + 18}px`;
  };

  const start = async (figure) => {
    const live = figure.querySelector(".live");
    const spec = JSON.parse(figure.querySelector("script").textContent);
    const { view } = await vegaEmbed(live, spec, { mode: "vega", ast: true, renderer: "svg", actions: false, hover: true, tooltip: show });
    view.addEventListener("click", (event, item) => {
      const detail = item?.datum?.o;
      if (detail) document.dispatchEvent(new CustomEvent("point", { detail }));
    });
    const textures = figure.querySelector(".still defs");
    if (textures) live.querySelector("svg").prepend(textures.cloneNode(true));
    figure.classList.add("started");
  };

  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      start(target).catch((problem) => console.error(problem));
    }
  }, { rootMargin: "800px" });
  return (part) => part.querySelectorAll("figure.drawn").forEach((figure) => seen.observe(figure));
})();
drawFigures(document);
