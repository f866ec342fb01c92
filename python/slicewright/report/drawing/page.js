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

  /* Panels are as wide as the page lets them, and stand below each other where they would be narrower than this: but not
     those of rows, of which the first alone has the names. */
  const NARROWEST = 150, OF_ROWS = 90, WIDEST = 2.2, TALLEST = 1.5;

  /** Names of the signals that hold the widths of panels, and how many panels stand side by side. */
  const widths = (spec) => {
    let holder = spec;
    for (;;) {
      const groups = holder.marks.filter(({ type }) => type === "group");
      const names = groups.map(({ encode }) => encode?.update?.width?.signal).filter(Boolean);
      if (names.length || groups.length !== 1) return { holder, names, across: Math.min(holder.layout?.columns ?? names.length, names.length) };
      [holder] = groups;
    }
  };

  /** Makes the panels of a view fit the place that it has; `anew` is called where the legend or the order has to change. */
  const fitting = (view, live, { names, across }, { least, height, anew }) => {
    if (!names.length) return;
    const base = names.map((name) => view.signal(name));
    const sum = (values) => values.slice(0, across).reduce((total, value) => total + value, 0);
    const beside = live.querySelector("svg").width.baseVal.value - sum(base);  // axes, names and gaps
    let had = 0;
    const fit = () => {
      const room = live.clientWidth;
      if (!room || Math.abs(room - had) < 2) return;
      had = room;
      if (anew()) return observer.disconnect();
      const times = Math.min(WIDEST * names.length / across, Math.max(least / Math.max(...base), (room - beside - 2) / sum(base)));
      new Map(names.map((name, at) => [name, base[at]])).forEach((value, name) => view.signal(name, Math.floor(value * times)));
      if (height) view.height(Math.round(height * Math.min(TALLEST, Math.max(1, times))));
      view.resize().runAsync();
    };
    const observer = new ResizeObserver(fit);
    observer.observe(live);
    fit();
  };

  const USUAL = 860;

  const start = async (figure) => {
    const live = figure.querySelector(".live");
    const spec = JSON.parse(figure.querySelector("script").textContent);
    const panels = widths(spec);
    const { layout } = spec.usermeta ?? {};
    const { across, holder } = panels;
    const folds = spec.layout && layout !== "rows" && across > 1 && holder === spec && spec.marks.every(({ axes }) => axes?.length);
    const most = (spec.legends ?? []).map(({ columns }) => columns);
    /** Whether panels are below each other in a room, and the columns of the legends. */
    const order = (room) => [folds && room < across * (NARROWEST + 70), ...most.map((count) => Math.max(1, Math.floor(count * Math.min(1, room / USUAL))))];
    const made = order(figure.clientWidth);
    if (made[0]) spec.layout.columns = panels.across = 1;
    most.forEach((_, at) => { spec.legends[at].columns = made[at + 1]; });
    const { view } = await vegaEmbed(live, spec, { mode: "vega", ast: true, renderer: "svg", actions: false, hover: true, tooltip: show });
    view.addEventListener("click", (event, item) => {
      const detail = item?.datum?.o;
      if (detail) document.dispatchEvent(new CustomEvent("point", { detail }));
    });
    const textures = figure.querySelector(".still defs");
    if (textures) live.querySelector("svg").prepend(textures.cloneNode(true));
    figure.classList.add("started");
    const anew = () => {
      if (String(order(figure.clientWidth)) === String(made)) return false;
      view.finalize();
      start(figure).catch((problem) => console.error(problem));
      return true;
    };
    fitting(view, live, panels, { least: layout === "rows" ? OF_ROWS : NARROWEST, height: panels.across > 1 && layout === "beside" ? spec.height : 0, anew });
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
