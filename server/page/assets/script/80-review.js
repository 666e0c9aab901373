// How much waits for a person is counted by the view Review. Other views show what was counted last, and ask it.
{
  let asking;
  const count = async () => {
    asking?.abort();
    asking = new AbortController();
    try {
      const answer = await fetch(new URL("review", here), { signal: asking.signal, credentials: "same-origin" });
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (!fresh.querySelector("[data-waiting]")) return; // no longer signed in
      for (const to of document.querySelectorAll(".badge[data-count]")) {
        const n = fresh.querySelector(`[data-count="${to.dataset.count}"]`)?.textContent ?? "";
        to.textContent = n === "0" ? "" : n;
      }
      const strip = page.querySelector("[data-waiting]"), counted = fresh.querySelector("[data-waiting]");
      if (strip && strip.innerHTML !== counted.innerHTML) {
        for (const a of counted.querySelectorAll("a")) a.setAttribute("href", new URL(a.getAttribute("href"), here).href);
        strip.replaceChildren(...counted.childNodes);
      }
    } catch { /* the reader went on, or the page has ended */ }
  };
  document.addEventListener("followed", count); // only the numbers differ
  dressers.push((root) => { if (root === page && page.dataset.version) count(); });
}
