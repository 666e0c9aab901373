// Rows are selected one by one, from one to another with Shift, or all by the box above them. What is selected is in
// the address, so that a reload has it again: but not in a form with data-unkept, whose rows must be looked at again.
{
  const name = "selected";
  const boxesOf = (form) => [...form.querySelectorAll('[data-row] input[type=checkbox][name="id"]')];
  let last; // the box that was changed before

  // show has the box above the rows, and the address, say what is selected.
  const show = (form) => {
    const boxes = boxesOf(form), ids = boxes.filter((b) => b.checked).map((b) => b.value);
    const all = form.querySelector("[data-all]");
    all.checked = ids.length > 0 && ids.length === boxes.length;
    all.indeterminate = ids.length > 0 && !all.checked;
    for (const button of form.querySelectorAll(".bulk button")) button.disabled = ids.length === 0;
    const count = form.querySelector(".bulk .count");
    if (count) count.textContent = ids.length > 0 ? `${ids.length} selected:` : "None selected:";
    if ("unkept" in form.dataset) return;
    const address = new URL(location.href);
    address.searchParams.delete(name);
    if (ids.length > 0) address.searchParams.set(name, ids.join(","));
    if (address.href !== location.href) history.replaceState(null, "", address);
  };

  document.addEventListener("click", (e) => {
    const form = e.target.form, boxes = form?.querySelector("[data-all]") ? boxesOf(form) : [];
    const at = boxes.indexOf(e.target), from = boxes.indexOf(last), to = e.target.checked;
    if (boxes.length === 0) return;
    if (e.target.matches("[data-all]")) for (const box of boxes) box.checked = to;
    else if (at < 0) return;
    else if (e.shiftKey && from >= 0) {
      for (const box of boxes.slice(Math.min(at, from), Math.max(at, from))) box.checked = to;
    }
    last = e.target;
    show(form);
  });

  // Enter in a field of a list does what that field is for.
  document.addEventListener("keydown", (e) => {
    const button = e.key === "Enter" && !e.isComposing && e.target.matches?.(".bulk input") &&
      e.target.closest("[data-enter]")?.querySelector("button");
    if (!button) return;
    e.preventDefault();
    button.click();
  });

  dressers.push((root) => {
    const ids = (new URLSearchParams(location.search).get(name) ?? "").split(",");
    for (const all of root.querySelectorAll("[data-all]")) {
      all.hidden = false; // without the script, it does nothing
      const kept = "unkept" in all.form.dataset ? [] : ids;
      for (const box of boxesOf(all.form)) if (kept.includes(box.value)) box.checked = true;
      show(all.form);
    }
  });
}
