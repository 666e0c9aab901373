// The reader's zone, for what the server counts by day.
{
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone) document.cookie = `ltm_zone=${encodeURIComponent(zone)}; path=${here.pathname}; samesite=strict`;
}

// Times in the reader's zone and words. What the server wrote stays as the title.
function localTimes(root) {
  const show = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" }); // of which only that is known
  for (const time of root.querySelectorAll("time[datetime]:not([title])")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    time.title = time.textContent;
    time.textContent = (time.dateTime.includes("T") ? show : day).format(at);
  }
}
dressers.push(localTimes);
