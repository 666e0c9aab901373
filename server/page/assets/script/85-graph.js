// The picture of links. The server puts its nodes on a spiral; here, links pull together what they join. The reader can
// move it, zoom, and ask what a memory says.
{
  const kept = "ltm graph"; // where nodes are, so that a reload, a change or a filter leaves them there
  const apart = 85, wide = 1.35; // pixels between linked nodes, and how much wider the picture is than high
  const read = (view) => {
    try { const was = JSON.parse(sessionStorage.getItem(kept)); if (was?.view === view) return was; } catch { /* none */ }
    return { view, at: {} };
  };

  // settle moves the nodes that are not fixed: links are springs, all nodes repel each other, and the middle attracts.
  // It is the same each time.
  const settle = (nodes, links) => {
    for (let heat = 1; heat > 0.005; heat *= 0.97) {
      for (const { a, b } of links) {
        const dx = b.x - a.x, dy = b.y - a.y, d = Math.hypot(dx, dy) || 1;
        const pull = (d - apart) / d * heat / Math.min(a.links, b.links), share = a.links / (a.links + b.links);
        b.vx -= dx * pull * share; b.vy -= dy * pull * share;
        a.vx += dx * pull * (1 - share); a.vy += dy * pull * (1 - share);
      }
      nodes.forEach((a, i) => {
        for (let j = i + 1; j < nodes.length; j++) {
          const b = nodes[j], dx = b.x - a.x, dy = b.y - a.y, d = Math.max(1, dx * dx + dy * dy);
          const push = heat * 400 / d + (d < apart * apart ? 0.2 * (1 - heat) * (apart / Math.sqrt(d) - 1) : 0);
          a.vx -= dx * push; a.vy -= dy * push;
          b.vx += dx * push; b.vy += dy * push;
        }
      });
      for (const n of nodes) {
        n.vx = 0.6 * (n.vx - 0.03 * heat * n.x);
        n.vy = 0.6 * (n.vy - 0.03 * heat * n.y);
        if (n.fixed) continue;
        n.x += n.vx; n.y += n.vy;
      }
    }
  };

  const start = (box) => {
    const svg = box.querySelector("svg"), was = read(box.dataset.view), texts = new Map();
    const nodes = [...svg.querySelectorAll("a")].map((of) => {
      const { e, f } = of.transform.baseVal[0].matrix, at = was.at[of.dataset.id];
      const title = of.querySelector("title"), topic = title.textContent;
      of.setAttribute("aria-label", topic);
      title.remove(); // what is asked for says more
      return { of, topic, x: at ? at[0] : e / wide, y: at ? at[1] : f, vx: 0, vy: 0, links: 0, fixed: Boolean(at) };
    });
    const links = [...svg.querySelectorAll("line")].map((line) => {
      const a = nodes[line.dataset.from], b = nodes[line.dataset.to];
      a.links++; b.links++;
      return { line, a, b };
    }).filter(({ a, b }) => a !== b);
    if (nodes.some((n) => !n.fixed)) settle(nodes, links);
    const round = (v) => Math.round(v * 10) / 10;
    for (const n of nodes) {
      was.at[n.of.dataset.id] = [n.x = round(n.x), n.y = round(n.y)];
      n.x = round(n.x * wide);
      n.of.setAttribute("transform", `translate(${n.x} ${n.y})`);
    }
    for (const { line, a, b } of links) {
      for (const [name, value] of [["x1", a.x], ["y1", a.y], ["x2", b.x], ["y2", b.y]]) line.setAttribute(name, value);
    }
    box.classList.add("moved");

    // What is seen: its middle, and pixels for each unit.
    let see = was.see;
    const keep = () => { try { sessionStorage.setItem(kept, JSON.stringify(was)); } catch { /* it is drawn anew */ } };
    const dot = () => Math.min(1, Math.max(0.45, see.k * 1.5)); // seen from afar, nodes are smaller
    // Names are beside their nodes where they cover no other one and no node; that of one with many links may cover
    // nodes before it is left out. What counts most is named first.
    const weight = (n) => (n === nodes[0] ? 1e6 : n.links) + (n.of.matches(".critical") ? 6 : n.of.matches(".important") ? 3 : 0);
    const order = [...nodes].sort((a, b) => weight(b) - weight(a)), most = 24;
    const ends = [Math.min(...nodes.map((n) => n.x)), Math.max(...nodes.map((n) => n.x))], margin = 65; // pixels
    let named; // for which scale
    const name = () => {
      if (named === see.k) return;
      named = see.k;
      const r = 7 * dot(), dots = nodes.map((n) => [n.x * see.k - r, n.y * see.k - r, n.x * see.k + r, n.y * see.k + r]);
      const taken = [], over = (a) => (b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
      order.forEach((n, at) => {
        const [w, h] = n.size ??= [n.text.offsetWidth || 108, n.text.offsetHeight || 15];
        const x = n.x * see.k, y = n.y * see.k, off = (n === nodes[0] ? 11 : 7) * Math.max(dot(), n === nodes[0] ? 1 : 0) + 2;
        let best;
        for (const [dx, dy] of [[-w / 2, off], [-w / 2, -off - h], [off, -h / 2], [-off - w, -h / 2], [off / 2, off / 2],
          [-w - off / 2, off / 2], [off / 2, -h - off / 2], [-w - off / 2, -h - off / 2]]) {
          const own = [x + dx, y + dy, x + dx + w, y + dy + h], hits = over(own);
          if (taken.some(hits)) continue;
          const out = own[0] < ends[0] * see.k - margin || own[2] > ends[1] * see.k + margin;
          const cost = dots.filter(hits).length + (out ? 4 : 0);
          if (!best || cost < best.cost) best = { cost, own, dx, dy };
          if (cost === 0) break;
        }
        const fits = best && (best.cost === 0 || at < most && n.links > 2);
        n.of.classList.toggle("unnamed", !fits);
        if (!fits) return;
        taken.push(best.own);
        const box = n.text.parentElement;
        box.setAttribute("x", best.dx); box.setAttribute("y", best.dy);
        n.text.style.textAlign = best.dx > 0 ? "left" : best.dx < -w ? "right" : "";
      });
    };
    const show = () => {
      const w = box.clientWidth / see.k, h = box.clientHeight / see.k;
      svg.setAttribute("viewBox", `${see.x - w / 2} ${see.y - h / 2} ${w} ${h}`);
      svg.style.setProperty("--size", 1 / see.k);
      svg.style.setProperty("--dot", dot() / see.k);
      cancelAnimationFrame(box.naming);
      box.naming = requestAnimationFrame(name);
    };
    const fit = () => {
      const xs = nodes.map((n) => n.x), ys = nodes.map((n) => n.y);
      const left = Math.min(...xs), right = Math.max(...xs), top = Math.min(...ys), low = Math.max(...ys);
      const k = Math.min(1.2, (box.clientWidth - 2 * margin) / (right - left || 1), (box.clientHeight - 130) / (low - top || 1));
      see = { x: (left + right) / 2, y: (top + low) / 2 + 5 / k, k };
      delete was.see;
      show(); keep();
    };
    const look = (x, y, k) => { was.see = see = { x, y, k }; show(); keep(); };
    const move = (dx, dy) => look(see.x - dx / see.k, see.y - dy / see.k, see.k);
    const zoom = (by, x = 0, y = 0) => { // about a point, in pixels from the middle
      const k = Math.min(4, Math.max(0.05, see.k * by));
      look(see.x + x / see.k - x / k, see.y + y / see.k - y / k, k);
    };
    for (const n of nodes) n.text = n.of.querySelector("div");
    if (see) show(); else fit();
    new ResizeObserver(() => { if (was.see) show(); else fit(); }).observe(box);

    const bar = document.createElement("div"), about = document.createElement("div");
    bar.className = "buttons"; about.className = "about";
    about.setAttribute("role", "status");
    for (const [text, label, act] of [["+", "Zoom in", () => zoom(1.4)], ["−", "Zoom out", () => zoom(1 / 1.4)],
      ["Fit", "Fit all of it in", fit]]) {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: text, title: label });
      button.setAttribute("aria-label", label);
      button.addEventListener("click", act);
      bar.append(button);
    }
    box.append(bar, about);

    // Asked about a node: its links stand out, and a card has its text.
    let asked;
    const ask = async (n) => {
      if (asked === n) return;
      asked = n;
      box.classList.toggle("asked", Boolean(n));
      for (const each of svg.querySelectorAll(".near")) each.classList.remove("near", "it");
      about.replaceChildren();
      if (!n) return;
      n.of.classList.add("near", "it");
      for (const { line, a, b } of links) if (a === n || b === n) for (const e of [line, a.of, b.of]) e.classList.add("near");
      const head = document.createElement("b"), text = document.createElement("p");
      head.textContent = n.topic;
      text.textContent = n.of.dataset.kind;
      about.append(head, text);
      const id = n.of.dataset.id;
      if (!texts.has(id)) {
        texts.set(id, fetch(new URL(`memory/${id}`, here), { credentials: "same-origin" }).then(async (answer) =>
          new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".text")?.textContent.trim())
          .catch(() => undefined));
      }
      const says = await texts.get(id);
      if (says && asked === n) text.append(text.textContent ? "\n" : "", says.length > 400 ? `${says.slice(0, 400)}…` : says);
    };
    const nodeOf = (e) => nodes.find((n) => n.of === e.target.closest?.("a"));
    let pause;
    box.addEventListener("pointerover", (e) => {
      clearTimeout(pause);
      pause = setTimeout(() => ask(nodeOf(e)), 120);
    });
    box.addEventListener("pointerleave", () => { clearTimeout(pause); ask(); });
    box.addEventListener("focusin", (e) => {
      const n = nodeOf(e);
      ask(n);
      box.scrollTo(0, 0);
      if (!n?.of.matches(":focus-visible")) return;
      const x = (n.x - see.x) * see.k, y = (n.y - see.y) * see.k;
      if (Math.abs(x) > box.clientWidth / 2 - 60 || Math.abs(y) > box.clientHeight / 2 - 60) look(n.x, n.y, see.k);
    });
    box.addEventListener("focusout", () => ask());

    const fingers = new Map();
    let dragged = false;
    box.addEventListener("pointerdown", (e) => {
      if (e.target.closest("button") || e.button) return;
      if (fingers.size === 0) dragged = false;
      fingers.set(e.pointerId, e);
    });
    box.addEventListener("pointermove", (e) => {
      const old = fingers.get(e.pointerId);
      if (!old || !dragged && Math.hypot(e.x - old.x, e.y - old.y) < 5) return;
      if (!dragged) { dragged = true; box.setPointerCapture(e.pointerId); }
      fingers.set(e.pointerId, e);
      const other = [...fingers.values()].find((f) => f.pointerId !== e.pointerId);
      if (!other) { move(e.x - old.x, e.y - old.y); return; }
      const { left, top } = box.getBoundingClientRect();
      zoom(Math.hypot(e.x - other.x, e.y - other.y) / (Math.hypot(old.x - other.x, old.y - other.y) || 1),
        other.x - left - box.clientWidth / 2, other.y - top - box.clientHeight / 2);
    });
    for (const end of ["pointerup", "pointercancel"]) box.addEventListener(end, (e) => fingers.delete(e.pointerId));
    box.addEventListener("dragstart", (e) => e.preventDefault());
    box.addEventListener("click", (e) => { if (dragged) e.preventDefault(); dragged = false; }, true);
    box.addEventListener("wheel", (e) => {
      if (!e.ctrlKey && !e.metaKey) return; // without, the reader scrolls the page
      e.preventDefault();
      const { left, top } = box.getBoundingClientRect();
      zoom(Math.exp(-e.deltaY / 200), e.x - left - box.clientWidth / 2, e.y - top - box.clientHeight / 2);
    }, { passive: false });
    box.addEventListener("keydown", (e) => {
      const act = { "+": () => zoom(1.4), "=": () => zoom(1.4), "-": () => zoom(1 / 1.4), 0: fit, ArrowLeft: () => move(60, 0),
        ArrowRight: () => move(-60, 0), ArrowUp: () => move(0, 60), ArrowDown: () => move(0, -60), Escape: () => ask() }[e.key];
      if (!act || e.ctrlKey || e.metaKey || e.altKey) return;
      if (e.key !== "Escape") e.preventDefault();
      act();
    });
  };
  dressers.push((root) => {
    const box = root.querySelector(".graph");
    if (box) start(box);
  });
}
