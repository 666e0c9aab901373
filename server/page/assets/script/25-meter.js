// A part of the meter shows its row, and a row its part.
{
  const mark = (e) => {
    const at = e.target.closest?.("rect[data-at], tr[data-at]")?.dataset.at;
    for (const each of page?.querySelectorAll("[data-at]") ?? []) each.classList.toggle("at", each.dataset.at === at);
  };
  document.addEventListener("mouseover", mark);
}
