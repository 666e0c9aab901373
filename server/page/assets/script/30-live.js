// The page follows what is stored. A browser has one stream of changes, however many tabs it has, as it opens only six
// connections to a place: the tab that holds the lock has the stream and tells the others.
if (page?.dataset.version && !(navigator.locks && window.BroadcastChannel)) {
  document.getElementById("unfollowed")?.removeAttribute("hidden");
} else if (page?.dataset.version) {
  const events = new URL("events", here).href;
  const channel = new BroadcastChannel(events);
  const retryAfter = 5000, patience = 40000; // ms; the stream says every 15 s that it is alive
  let latest = { version: Number(page.dataset.version) }; // the newest change that was heard of
  let source, silent = 0, fetching = false;
  let wrong; // why changes are not heard of, of whys
  let offered; // a change that the reader was told of, and has not seen
  const link = `for a new link, run ${page.dataset.again} in the project's directory.`;
  const whys = {
    silent: "This page does not answer: it has ended, or is too busy. What you see is as it was, and what you type stays " +
      `in this tab. It goes on by itself once the page answers. If that has ended, ${link}`,
    out: "You are no longer signed in: the page was started anew. What you see is as it was, and what you type stays in " +
      `this tab; ${link}`,
    full: "This browser does not follow changes: as many others as can do so already. Load the page again to see what " +
      "has changed. It follows by itself once another browser is closed.",
  };

  const bar = document.createElement("div");
  bar.className = "news";
  bar.setAttribute("role", "status");
  document.body.append(bar);
  const say = (text, ...more) => bar.replaceChildren(text, " ", ...more);
  const hush = () => bar.replaceChildren();
  const fail = (why) => { wrong = why; say(whys[why]); };

  // isBusy reports whether the reader would lose something if the page were replaced now.
  const isBusy = () => {
    const selected = getSelection();
    return page.contains(document.activeElement) && isField(document.activeElement) || isUnsaved() ||
      document.querySelector("dialog[open]") !== null ||
      !selected.isCollapsed && page.contains(selected.anchorNode);
  };
  const isUnsaved = () => [...page.querySelectorAll("form[method=post] :is(input, textarea, select)")].some(isTyped);

  // ownOf is what a page says itself: the numbers of what waits, which are counted apart, are the same everywhere.
  const ownOf = (html) => {
    const doc = new DOMParser().parseFromString(html, "text/html");
    for (const counted of doc.querySelectorAll(".badge, [data-waiting]")) counted.remove();
    return doc.body.innerHTML;
  };

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
    offered = undefined;
    hush();
  };

  const offer = (fresh) => {
    offered = fresh;
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
      if (!fresh.main?.dataset.version) { fail("out"); return; }
      if (before !== asSent) return; // a search was faster
      if (ownOf(fresh.main.innerHTML) === ownOf(asSent)) {
        page.dataset.version = fresh.main.dataset.version;
        document.dispatchEvent(new Event("followed"));
      } else if (isBusy()) { offer(fresh); page.dataset.version = fresh.main.dataset.version; }
      else replace(fresh);
    } catch {
      // The stream notices when the page does not answer.
    } finally {
      fetching = false;
    }
    if (latest.version > Number(page.dataset.version)) setTimeout(follow, 100);
  };

  // isNews reports whether a message says more than the one before. One change can give two, the second without what it
  // was; that must not take the reason away before the reader has seen it.
  const isNews = (message) => message.what || !offered && latest.version <= Number(page.dataset.version);

  const hear = (message) => {
    if (message.wrong) { fail(message.wrong); return; }
    if (wrong) {
      wrong = undefined;
      if (offered) offer(offered); else hush();
    }
    const newer = message.version > latest.version;
    if (newer) latest = isNews(message) ? message : { ...latest, version: message.version };
    // The page may have been fetched after the change and before the message that says what it was.
    if (newer && message.what && offered && latest.version <= Number(page.dataset.version)) offer(offered);
    follow();
  };
  const tell = (message) => { hear(message); channel.postMessage(message); };

  // refusal returns why the stream is not to be had, or undefined if it is by now.
  const refusal = async () => {
    try {
      const { status } = await fetch(events, { method: "HEAD", credentials: "same-origin" });
      return { 403: "out", 503: "full" }[status];
    } catch { return "silent"; }
  };

  // lead keeps the stream open until the page is left, which releases the lock.
  const lead = () => new Promise((release) => {
    let watch;
    const alive = () => {
      silent = 0;
      clearTimeout(watch);
      watch = setTimeout(() => { // the connection is there, and nothing comes by it
        tell({ wrong: "silent" });
        source?.close();
        if (source) listen();
      }, patience);
    };
    const listen = () => {
      source = new EventSource(events);
      alive();
      source.addEventListener("beat", alive);
      source.addEventListener("message", (e) => { tell(JSON.parse(e.data)); alive(); });
      source.addEventListener("error", async () => {
        if (source.readyState !== EventSource.CLOSED) { // it tries again by itself
          if (++silent === 3) tell({ wrong: "silent" });
          return;
        }
        const why = await refusal();
        if (why && why !== wrong) tell({ wrong: why });
        if (source) setTimeout(listen, retryAfter);
      });
    };
    listen();
    addEventListener("pagehide", () => { clearTimeout(watch); source.close(); source = undefined; release(); }, { once: true });
  });
  const stand = () => navigator.locks.request(events, lead);

  channel.addEventListener("message", (e) => {
    if (!e.data.ask) hear(e.data);
    else if (source) channel.postMessage(wrong ? { wrong } : latest);
  });
  // After a pause, messages may have been missed.
  const resume = () => { channel.postMessage({ ask: true }); follow(); };
  document.addEventListener("visibilitychange", resume);
  addEventListener("pageshow", (e) => { if (e.persisted) { stand(); resume(); } });
  stand();
  resume();
}
