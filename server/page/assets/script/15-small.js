// Small things: a button that copies a text, and a part of the meter that shows its row.
{
  document.addEventListener("click", async (e) => {
    const button = e.target.closest?.("[data-copy]");
    if (!button) return;
    const from = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(from.textContent);
      button.textContent = "Copied";
    } catch { getSelection().selectAllChildren(from); } // then the reader copies it
  });
  const mark = (e) => {
    const at = e.target.closest?.("rect[data-at], tr[data-at]")?.dataset.at;
    for (const each of page?.querySelectorAll("[data-at]") ?? []) each.classList.toggle("at", each.dataset.at === at);
  };
  document.addEventListener("mouseover", mark);
  dressers.push((root) => { for (const each of root.querySelectorAll("[data-copy]")) each.hidden = false; });
}
