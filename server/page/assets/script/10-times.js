// The reader's zone, for what the server counts by day.
{
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone) document.cookie = `ltm_zone=${encodeURIComponent(zone)}; path=${here.pathname}; samesite=strict`;
}

// ageOf says how long ago something was: "8 d".
function ageOf(at) {
  const minutes = Math.max(0, Math.floor((Date.now() - at) / 60000));
  for (const [unit, size] of [["y", 525960], ["mo", 43830], ["d", 1440], ["h", 60]]) {
    if (minutes >= size) return `${Math.floor(minutes / size)} ${unit}`;
  }
  return `${minutes} min`;
}

// Times in the reader's zone and words. What the server wrote stays as the title.
function localTimes(root) {
  const show = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" }); // of which only that is known
  for (const time of root.querySelectorAll("time[datetime]:not([title])")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    const text = (time.dateTime.includes("T") ? show : day).format(at);
    time.title = "age" in time.dataset ? `${text} (${time.textContent})` : time.textContent;
    time.textContent = "age" in time.dataset ? ageOf(at) : text;
  }
}
dressers.push(localTimes);
