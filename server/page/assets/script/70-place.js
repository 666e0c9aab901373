// After an action, and after Back, the reader is where they were: the same place of the page, and the same focus.
{
  const places = "ltm places", mostPlaces = 20;
  const address = () => { // what was done, and what is selected, make no other place
    const url = new URL(location.href);
    for (const name of ["did", "selected"]) url.searchParams.delete(name);
    return url.pathname + url.search;
  };
  const read = () => { try { return JSON.parse(sessionStorage.getItem(places)) ?? []; } catch { return []; } };
  // nameOf says which element has the focus: by its row, or by what it does.
  const nameOf = (element) => {
    if (!element || !page?.contains(element)) return undefined;
    const row = element.closest("[data-row]");
    const rows = [...page.querySelectorAll("[data-row]")];
    const { href, name, value, id } = element;
    return { row: row?.querySelector("a[href]")?.getAttribute("href"), at: rows.indexOf(row),
      href: href && element.getAttribute("href"), name, value: name === "id" || element.tagName === "BUTTON" ? value : undefined, id };
  };
  const find = (of) => {
    if (!of) return undefined;
    const rows = [...page.querySelectorAll("[data-row]")];
    // A row that is gone leaves the focus to the one in its place.
    const row = of.row ? rows.find((r) => r.querySelector("a[href]")?.getAttribute("href") === of.row) ??
      rows[Math.min(of.at, rows.length - 1)] : undefined;
    if (row && of.name === "id") return row.querySelector("input[name=id]");
    if (row) return row.querySelector("a[href]");
    if (of.id) return document.getElementById(of.id);
    if (of.href) return page.querySelector(`a[href="${CSS.escape(of.href)}"]`);
    if (of.name) return page.querySelector(`main :is(button, input, select)[name="${CSS.escape(of.name)}"]` +
      (of.value === undefined ? "" : `[value="${CSS.escape(of.value)}"]`));
    return undefined;
  };
  let acted = false;
  document.addEventListener("submit", (e) => { if (e.target.method === "post") acted = true; });
  addEventListener("pagehide", () => {
    const here = { address: address(), y: scrollY, focus: nameOf(document.activeElement), acted };
    const all = [...read().filter((p) => p.address !== here.address), here].slice(-mostPlaces);
    try { sessionStorage.setItem(places, JSON.stringify(all)); } catch { /* then the page begins at its top */ }
  });
  addEventListener("load", () => {
    const came = performance.getEntriesByType("navigation")[0]?.type;
    const was = page && read().find((p) => p.address === address());
    const did = new URLSearchParams(location.search).has("did");
    if (!was || location.hash || !(came === "back_forward" || was.acted && did)) return;
    find(was.focus)?.focus({ preventScroll: true });
    scrollTo(0, was.y);
  });
}
