// Forms with data-live show their results as the reader types. The address follows, so that a reload shows the same.
{
  let timer, running;
  const ask = async (form) => {
    running?.abort();
    running = new AbortController();
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value !== "") query.append(name, value);
    const address = form.action.split("?")[0] + (query.size ? "?" + query : "");
    try {
      const answer = await fetch(address, { signal: running.signal, credentials: "same-origin" });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      const results = fresh.getElementById(form.dataset.live);
      if (!results) { location.assign(address); return; }
      asSent = fresh.getElementById("main").innerHTML;
      document.getElementById(form.dataset.live).replaceWith(results);
      // What is selected stays so, as far as it is among the results; what dresses them reads the address.
      const shown = new URL(address, location.href), selected = new URLSearchParams(location.search).get("selected");
      if (selected) shown.searchParams.set("selected", selected);
      history.replaceState(null, "", shown);
      dress(results);
    } catch (err) {
      if (err.name !== "AbortError") location.assign(address);
    }
  };
  document.addEventListener("input", (e) => {
    const form = e.target.closest("form[data-live]");
    if (!form) return;
    const output = e.target.parentElement.querySelector("output");
    if (output) output.value = e.target.value;
    clearTimeout(timer);
    timer = setTimeout(ask, 120, form);
  });
  document.addEventListener("keydown", (e) => { // Esc empties the field, and shows what is without a question
    const form = e.target.closest?.("form[data-live]");
    if (e.key !== "Escape" || e.isComposing || !form || e.target.type !== "search" || !e.target.value) return;
    e.preventDefault();
    e.target.value = "";
    clearTimeout(timer);
    ask(form);
  });
  document.addEventListener("submit", (e) => {
    if (!e.target.matches("form[data-live]")) return;
    e.preventDefault();
    clearTimeout(timer);
    ask(e.target);
  });
}
