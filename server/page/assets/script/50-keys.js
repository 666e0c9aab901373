// Keys of one letter, which are off in fields. What can be pressed says so with data-key.
{
  const wanted = "ltm focus";
  const help = document.getElementById("keys");
  const press = (element) => { element?.click(); return Boolean(element); };
  const by = (key) => page.querySelector(`[data-key="${key}"]`);
  const row = () => document.activeElement?.closest?.("[data-row]");
  const linkOf = (of) => of?.querySelector('a[href*="memory/"]') ?? of?.querySelector("a[href]");

  const move = (step) => {
    const rows = [...page.querySelectorAll("[data-row]")].filter(linkOf), at = rows.indexOf(row());
    const next = rows[at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step];
    if (!next) return;
    linkOf(next).focus();
    next.scrollIntoView({ block: "nearest" });
  };
  const search = () => {
    const field = by("/");
    if (field) { field.focus(); field.select?.(); return; }
    sessionStorage.setItem(wanted, "/");
    location.assign(new URL("memories", here));
  };
  const edit = () => {
    const link = linkOf(row());
    if (link?.pathname.includes("/memory/")) location.assign(link.pathname + "/edit"); else press(by("e"));
  };
  // change changes the memory of a row as the form of its list does, whatever rows are selected. Without a row, it
  // presses the button that the page has for the key.
  const change = (key, what) => {
    const at = row(), box = at?.querySelector('input[type=checkbox][name="id"]');
    if (!box) { if (!at) press(by(key)); return; }
    const form = box.form.cloneNode(false), seen = `seen-${box.value}`;
    const send = (name, value) => {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name, value });
      form.append(field);
    };
    send("what", what(at));
    send("back", box.form.elements.back.value);
    send("id", box.value);
    if (box.form.elements[seen]) send(seen, box.form.elements[seen].value);
    form.hidden = true;
    page.append(form);
    form.requestSubmit();
  };
  const pin = () => change("p", (at) => at.querySelector(".importance-critical") ? "unpin" : "pin");
  const forget = () => change("#", () => "forget");
  // approve approves what the reader has before their eyes, and nothing else.
  const approve = () => {
    const text = row()?.querySelector(".passage")?.getBoundingClientRect();
    const inView = text && text.height > 0 && text.top >= 0 && text.bottom <= innerHeight;
    if (!row() || inView && row().querySelector('[name^="seen-"]')) change("a", () => "approve");
  };
  const select = () => press(row()?.querySelector('input[type=checkbox][name="id"]'));
  const undo = () => press(page.querySelector("form.done button"));
  const keys = { "/": search, j: () => move(1), k: () => move(-1), x: select, e: edit, p: pin, "#": forget, u: undo,
    a: approve, "?": () => help?.showModal() };
  const off = "ltm keys off"; // single keys can be in the way of a program that speaks or listens
  const areOn = () => { try { return !localStorage.getItem(off); } catch { return true; } };

  // From the search field, and among rows, arrows move to the next row.
  const arrow = (e) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key], field = document.activeElement;
    if (!step || !(row() && !isField(field) || step > 0 && field?.type === "search")) return false;
    e.preventDefault();
    move(step);
    return true;
  };

  document.addEventListener("keydown", (e) => {
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || e.isComposing || document.querySelector("dialog[open]")) return;
    if (e.key === "Escape") { document.activeElement?.blur?.(); return; }
    if (arrow(e) || !areOn()) return;
    if (isField(document.activeElement) || !page || !help || !keys[e.key]) return;
    e.preventDefault();
    keys[e.key]();
  });
  const show = document.getElementById("show-keys");
  show?.addEventListener("click", () => help.showModal());
  show?.removeAttribute("hidden"); // without the script, there are no keys
  const on = document.getElementById("keys-on");
  if (on) on.checked = areOn();
  on?.addEventListener("change", () => {
    try { if (on.checked) localStorage.removeItem(off); else localStorage.setItem(off, "1"); } catch { /* for now */ }
  });
  if (sessionStorage.getItem(wanted) && by("/")) by("/").focus();
  sessionStorage.removeItem(wanted);
}
