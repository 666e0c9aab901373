// Forms with data-live show their results as the reader types. The address follows, so that a reload shows the same.
for (const form of document.querySelectorAll("form[data-live]")) {
  const id = form.dataset.live;
  let timer, running;
  const ask = async () => {
    running?.abort();
    running = new AbortController();
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value !== "") query.append(name, value);
    const address = form.action.split("?")[0] + (query.size ? "?" + query : "");
    try {
      const answer = await fetch(address, { signal: running.signal, credentials: "same-origin" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const results = page.getElementById(id);
      if (!results) { location.assign(address); return; }
      document.getElementById(id).replaceWith(results);
      localTimes(results);
      history.replaceState(null, "", address);
    } catch (err) {
      if (err.name !== "AbortError") location.assign(address);
    }
  };
  form.addEventListener("input", (e) => {
    const output = e.target.parentElement.querySelector("output");
    if (output) output.value = e.target.value;
  });
  form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 120); });
  form.addEventListener("submit", (e) => { e.preventDefault(); clearTimeout(timer); ask(); });
}
