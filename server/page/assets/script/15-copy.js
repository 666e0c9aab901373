// A button that copies a text.
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
  dressers.push((root) => { for (const each of root.querySelectorAll("[data-copy]")) each.hidden = false; });
}
