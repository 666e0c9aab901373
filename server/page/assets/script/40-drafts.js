// What is typed into forms with data-draft is kept in the tab until it is stored, so that a reload does not lose it.
{
  const prefix = "ltm draft ", saving = "ltm saving";
  const mostDrafts = 20, mostText = 300000; // characters
  // Another project may have had this address before.
  const keyOf = (form) => prefix + page.dataset.store + " " + here.pathname + " " + form.dataset.draft;
  const fieldsOf = (form) => [...form.elements].filter((f) => f.name && f.type !== "submit" && f.type !== "button");
  const valuesOf = (form) => fieldsOf(form).map((f) => [f.name, f.value]);
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

  const drafts = () => Object.keys(sessionStorage).filter((k) => k.startsWith(prefix))
    .sort((a, b) => JSON.parse(sessionStorage[a]).at - JSON.parse(sessionStorage[b]).at);
  const keep = (form) => {
    const text = JSON.stringify({ at: Date.now(), values: valuesOf(form) });
    if (text.length > mostText) return;
    try {
      sessionStorage.setItem(keyOf(form), text);
      for (const old of drafts().slice(0, -mostDrafts)) sessionStorage.removeItem(old);
    } catch { /* there is no room; the form itself still has the text */ }
  };

  const restore = (form) => {
    const kept = sessionStorage.getItem(keyOf(form));
    if (kept === null) return;
    const given = valuesOf(form), { values } = JSON.parse(kept);
    if (same(values, given)) return;
    const put = (all) => { // by their names: an older form may have had others
      const by = new Map(all);
      for (const f of fieldsOf(form)) if (by.has(f.name)) f.value = by.get(f.name);
    };
    put(values);
    const note = document.createElement("p");
    note.className = "note draft";
    note.setAttribute("role", "status");
    const drop = document.createElement("button");
    drop.type = "button";
    drop.className = "quiet";
    drop.textContent = "Drop it";
    drop.addEventListener("click", () => { sessionStorage.removeItem(keyOf(form)); put(given); note.remove(); });
    note.append("What you typed before, and did not store, is here again. ", drop);
    form.before(note);
  };

  document.addEventListener("input", (e) => {
    const form = e.target.closest("form[data-draft]");
    if (form) keep(form);
  });
  document.addEventListener("submit", (e) => {
    if (!e.target.matches("form[data-draft]")) return;
    keep(e.target);
    sessionStorage.setItem(saving, keyOf(e.target));
  });

  // The page after a form was sent: either it says what was done, or it is the form again, with what was typed.
  let sent = sessionStorage.getItem(saving);
  sessionStorage.removeItem(saving);
  if (sent && new URLSearchParams(location.search).has("did")) sessionStorage.removeItem(sent);
  dressers.push((root) => {
    for (const form of root.querySelectorAll("form[data-draft]")) {
      if (sent === keyOf(form)) keep(form); else restore(form);
    }
    sent = null; // a form that comes later has what is stored
  });
}
