/* Shows the command and the scenario of the point that is picked from the list or clicked in a figure. */
for (const part of document.querySelectorAll(".scenarios")) {
  const { base, entries } = JSON.parse(part.querySelector("script").textContent);
  const list = part.querySelector("select");
  const [command, scenario] = part.querySelectorAll("pre");
  const said = part.querySelector("[role=status]");

  const show = () => {
    const [words, lines] = entries[list.selectedIndex];
    const all = Array.isArray(lines) ? lines : base.map((line, at) => lines[at] ?? line);
    command.textContent = words;
    scenario.textContent = all.join("\n");
    said.textContent = "";
  };
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      said.textContent = "Copied.";
    } catch {
      getSelection().selectAllChildren(text);
      said.textContent = "Selected: copy it with Ctrl+C.";
    }
  };
  const [first, second] = part.querySelectorAll("button");
  first.addEventListener("click", () => copy(command));
  second.addEventListener("click", () => copy(scenario));
  list.addEventListener("change", show);
  document.addEventListener("point", ({ detail }) => {
    const at = [...list.options].findIndex((option) => option.text === detail);
    if (at < 0) return;
    list.selectedIndex = at;
    show();
    part.scrollIntoView({ block: "nearest" });
    list.focus({ preventScroll: true });
  });
  if (entries.length) show();
}
