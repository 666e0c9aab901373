// Ctrl+K goes to a memory, or carries out a command: a view, or what the page has a key for.
if (page?.dataset.store) {
  const dialog = document.createElement("dialog"), most = 8;
  dialog.className = "palette";
  dialog.setAttribute("aria-label", "Go to a memory or a command");
  dialog.innerHTML = `<input role="combobox" aria-expanded="true" aria-controls="palette-list" aria-autocomplete="list"
    aria-label="A memory or a command" placeholder="a memory or a command" autocomplete="off" spellcheck="false">
    <ul role="listbox" id="palette-list" aria-label="Memories and commands"></ul>`;
  document.body.append(dialog);
  const field = dialog.querySelector("input"), list = dialog.querySelector("ul");
  let does = [], at = 0, asking;

  const commands = () => {
    const links = [...document.querySelectorAll(".top nav a, .tabs a, a.button[href$=new]")];
    const own = [...page.querySelectorAll("[data-key]")].filter((e) => !isField(e));
    const nameOf = (e) => (e.firstChild?.textContent || e.textContent).trim();
    return [...own, ...links, document.getElementById("show-keys")].filter(Boolean)
      .map((e) => ({ name: nameOf(e), kind: own.includes(e) ? "this memory" : "command", run: () => e.click() }))
      .filter((c, i, all) => c.name && all.findIndex((o) => o.name === c.name) === i);
  };
  const show = (all) => {
    does = all;
    list.replaceChildren(...all.map(({ name, kind }, i) => {
      const row = document.createElement("li"), text = document.createElement("bdi"), hint = document.createElement("span");
      Object.assign(row, { id: `palette-${i}`, role: "option" });
      text.textContent = name;
      hint.textContent = kind;
      hint.className = "hint";
      row.append(text, hint);
      return row;
    }));
    mark(0);
  };
  const mark = (to) => {
    at = Math.max(0, Math.min(to, does.length - 1));
    [...list.children].forEach((row, i) => row.setAttribute("aria-selected", String(i === at)));
    if (does.length > 0) field.setAttribute("aria-activedescendant", `palette-${at}`);
    else field.removeAttribute("aria-activedescendant");
    list.children[at]?.scrollIntoView({ block: "nearest" });
  };
  const look = async () => {
    asking?.abort();
    asking = new AbortController();
    const words = field.value.trim().toLowerCase();
    const found = commands().filter((c) => c.name.toLowerCase().includes(words));
    show(found);
    if (!words) return;
    try {
      const address = new URL("memories?q=" + encodeURIComponent(field.value), here);
      const answer = await fetch(address, { signal: asking.signal, credentials: "same-origin" });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      const rows = [...fresh.querySelectorAll("#results [data-row] a[href*='memory/']")].slice(0, most);
      const memories = rows.map((a) => ({ name: a.textContent, kind: "memory",
        run: () => location.assign(new URL(a.getAttribute("href"), address)) }));
      const chosen = at;
      show([...found, ...memories]);
      mark(chosen);
    } catch { /* another word was typed, or the page has ended */ }
  };
  const choose = (i) => { const { run } = does[i] ?? {}; dialog.close(); run?.(); };

  field.addEventListener("input", look);
  list.addEventListener("click", (e) => choose([...list.children].indexOf(e.target.closest("li"))));
  dialog.addEventListener("keydown", (e) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (e.isComposing || !step && e.key !== "Enter") return;
    e.preventDefault();
    if (step) mark(at + step); else choose(at);
  });
  document.addEventListener("keydown", (e) => {
    if (e.key.toLowerCase() !== "k" || !(e.ctrlKey || e.metaKey) || e.shiftKey || e.altKey) return;
    e.preventDefault();
    if (dialog.open) { dialog.close(); return; }
    if (document.querySelector("dialog[open]")) return;
    field.value = "";
    dialog.showModal();
    look();
  });
}
