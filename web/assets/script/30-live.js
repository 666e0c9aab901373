// The page follows what is stored. A browser has one stream of changes, however many tabs it has, as it opens only six
// connections to a place: the tab that holds the lock has the stream and tells the others.
if (page?.dataset.version && navigator.locks && window.BroadcastChannel) {
  const events = new URL("events", here).href;
  const channel = new BroadcastChannel(events);
  const retryAfter = 5000; // ms
  let latest = { version: Number(page.dataset.version) }; // the newest change that was heard of
  let source, silent = 0, fetching = false, ended = false;

  const bar = document.createElement("div");
  bar.className = "news";
  bar.setAttribute("role", "status");
  document.body.append(bar);
  const say = (text, ...more) => bar.replaceChildren(text, " ", ...more);
  const hush = () => bar.replaceChildren();

  // isBusy reports whether the reader would lose something if the page were replaced now.
  const isBusy = () => {
    const selected = getSelection();
    return page.contains(document.activeElement) && isField(document.activeElement) || isUnsaved() ||
      document.querySelector("dialog[open]") !== null ||
      !selected.isCollapsed && page.contains(selected.anchorNode);
  };
  const isUnsaved = () => [...page.querySelectorAll("form[method=post] :is(input, textarea, select)")].some(isTyped);

  const replace = (fresh) => {
    const open = [...page.querySelectorAll("details")].map((d) => d.open);
    const focus = page.contains(document.activeElement) && document.activeElement.getAttribute("href");
    asSent = fresh.main.innerHTML;
    document.title = fresh.title;
    page.dataset.version = fresh.main.dataset.version;
    page.replaceChildren(...fresh.main.childNodes);
    page.querySelectorAll("details").forEach((d, i) => { d.open = open[i] ?? d.open; });
    dress(page);
    if (focus) page.querySelector(`a[href="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
    hush();
  };

  const offer = (fresh) => {
    const text = "Changed meanwhile" + (latest.what ? ` (${latest.what})` : "") + ".";
    if (isUnsaved()) { // what is typed stays; the change is shown beside it
      const link = document.createElement("a");
      link.href = new URL(latest.address ?? "", here).href;
      link.target = "_blank";
      link.textContent = "Show it in a new tab";
      say(text + " What you typed or selected is still here.", link);
      return;
    }
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Show it";
    button.addEventListener("click", () => { if (isUnsaved()) offer(fresh); else replace(fresh); });
    say(text, button);
  };

  // follow shows the newest state, once the tab is seen.
  const follow = async () => {
    if (fetching || document.hidden || latest.version <= Number(page.dataset.version)) return;
    fetching = true;
    try {
      const before = asSent;
      const answer = await fetch(location.href, { credentials: "same-origin" });
      const doc = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = { main: doc.getElementById("main"), title: doc.title };
      if (!fresh.main?.dataset.version) { say("You are no longer signed in here."); return; }
      if (before !== asSent) return; // a search was faster
      if (fresh.main.innerHTML === asSent) page.dataset.version = fresh.main.dataset.version;
      else if (isBusy()) { offer(fresh); page.dataset.version = fresh.main.dataset.version; }
      else replace(fresh);
    } catch {
      // The stream notices when the page does not answer.
    } finally {
      fetching = false;
    }
    if (latest.version > Number(page.dataset.version)) setTimeout(follow, 100);
  };

  const hear = (message) => {
    if (message.silent) { ended = true; say("This page does not answer. It may have ended."); return; }
    if (ended) { ended = false; hush(); }
    if (message.version > latest.version) latest = message;
    follow();
  };
  const tell = (message) => { hear(message); channel.postMessage(message); };

  // lead keeps the stream open until the page is left, which releases the lock.
  const lead = () => new Promise((release) => {
    const listen = () => {
      source = new EventSource(events);
      source.addEventListener("message", (e) => { tell(JSON.parse(e.data)); silent = 0; });
      source.addEventListener("error", () => {
        if (++silent === 3) tell({ silent: true });
        if (source.readyState === EventSource.CLOSED) setTimeout(listen, retryAfter);
      });
    };
    listen();
    addEventListener("pagehide", () => { source.close(); source = undefined; release(); }, { once: true });
  });
  const stand = () => navigator.locks.request(events, lead);

  channel.addEventListener("message", (e) => {
    if (!e.data.ask) hear(e.data);
    else if (source) channel.postMessage(latest);
  });
  // After a pause, messages may have been missed.
  const resume = () => { channel.postMessage({ ask: true }); follow(); };
  document.addEventListener("visibilitychange", resume);
  addEventListener("pageshow", (e) => { if (e.persisted) { stand(); resume(); } });
  stand();
  resume();
}
