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
  // pin pins the memory of a row as the form of its list does, whatever rows are selected. Pinned, it is unpinned.
  const pin = () => {
    const at = row(), box = at?.querySelector('input[type=checkbox][name="id"]');
    if (!box) { if (!at) press(by("p")); return; }
    const form = box.form.cloneNode(false);
    const send = (name, value) => {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name, value });
      form.append(field);
    };
    send("what", at.querySelector(".importance-critical") ? "unpin" : "pin");
    send("back", box.form.elements.back.value);
    send("id", box.value);
    form.hidden = true;
    page.append(form);
    form.requestSubmit();
  };
  const keys = { "/": search, j: () => move(1), k: () => move(-1), e: edit, p: pin, "?": () => help?.showModal() };

  document.addEventListener("keydown", (e) => {
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || e.isComposing || help?.open) return;
    if (e.key === "Escape") { document.activeElement?.blur?.(); return; }
    if (isField(document.activeElement) || !page || !help || !keys[e.key]) return;
    e.preventDefault();
    keys[e.key]();
  });
  const show = document.getElementById("show-keys");
  show?.addEventListener("click", () => help.showModal());
  show?.removeAttribute("hidden"); // without the script, there are no keys
  if (sessionStorage.getItem(wanted) && by("/")) by("/").focus();
  sessionStorage.removeItem(wanted);
}
