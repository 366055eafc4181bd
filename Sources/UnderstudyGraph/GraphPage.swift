// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The style and the script of every page. Neither depends on the graph: the script reads that from
/// a data block.
enum GraphPage {
  static let style = """
    :root { color-scheme: light dark; font: 14px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, \
    "Helvetica Neue", Arial, sans-serif; color: var(--text); background: var(--page); \
    --text: #1f2328; --muted: #59636e; --page: #fff; --panel: #f6f8fa; --line: #d1d9e0; \
    --edge: #818b98; --near: #0969da; --hover: #e6eaef; --wrong: #c11e27 }
    @media (prefers-color-scheme: dark) {
    :root { --text: #f0f6fc; --muted: #9198a1; --page: #0d1117; --panel: #151b23; --line: #3d444d; \
    --edge: #7d8590; --near: #79b8ff; --hover: #2a313c; --wrong: #ff7b72 }
    }
    * { box-sizing: border-box }
    body { margin: 0; display: grid; grid-template-columns: 320px minmax(0, 1fr); height: 100dvh; \
    overflow: hidden }
    aside { padding: 16px; border-right: 1px solid var(--line); overflow-y: auto; \
    overflow-wrap: anywhere; background: var(--panel) }
    h1 { font-size: 18px; margin: 0 }
    h2 { font-size: 14px; margin: 16px 0 4px }
    .sum { margin: 2px 0 10px; color: var(--muted) }
    .legend, #list { list-style: none; margin: 0 0 12px; padding: 0 }
    .legend li { display: flex; align-items: center; gap: 8px }
    i { flex: none; width: 14px; height: 14px; border-radius: 4px; border: 1.5px solid \
    var(--stroke); background: var(--fill) }
    #search { width: 100%; padding: 7px 10px; font: inherit; color: inherit; \
    border: 1px solid var(--edge); border-radius: 7px; background: var(--page) }
    #list { margin-top: 8px; max-height: 40vh; overflow-y: auto }
    button { font: inherit; color: inherit; cursor: pointer }
    .tools { display: flex; gap: 6px; margin: 0 0 8px }
    .tools button { min-width: 34px; padding: 4px 10px; border: 1px solid var(--edge); \
    border-radius: 7px; background: var(--page) }
    #list button, #detail button { display: flex; gap: 8px; align-items: center; width: 100%; \
    border: 0; background: none; text-align: left; padding: 3px 4px; border-radius: 5px; \
    overflow-wrap: anywhere }
    #list button:hover, #detail button:hover, button[aria-current] { background: var(--hover) }
    #detail { overflow-wrap: anywhere }
    #detail p { margin: 2px 0; color: var(--muted) }
    #findings summary { cursor: pointer; color: var(--wrong); overflow-wrap: anywhere }
    pre { white-space: pre-wrap; overflow-wrap: anywhere; \
    font: 12px/1.4 ui-monospace, Menlo, Consolas, monospace }
    main { overflow: auto; cursor: grab }
    main.moving { cursor: grabbing; user-select: none }
    .node { cursor: pointer; outline: none }
    .node rect { fill: var(--fill); stroke: var(--stroke); stroke-width: 1.5 }
    .node.missing rect { stroke-dasharray: 5 3 }
    .node:focus rect, .node.chosen rect { stroke-width: 3.5 }
    .node text { font-size: 13px; fill: var(--text) }
    .node text.traits { font-size: 11px; fill: var(--muted) }
    .node text.stacked, .node.stack text, .folded { display: none }
    .node.stack text.stacked { display: inline; font-weight: 600 }
    .group { font-size: 13px; fill: var(--muted) }
    .edge { fill: none; stroke: var(--edge); stroke-width: 1.3; marker-end: url(#tip) }
    #tip path { fill: var(--edge) }
    .many .edge { stroke-opacity: .28; marker-end: none }
    .edge.optional { stroke-dasharray: 6 4 }
    .edge.deferred { stroke-dasharray: 2 4 }
    .edge.every { stroke-width: 2.4 }
    svg.some .node:not(.near) { opacity: .22 }
    svg.some .edge:not(.near) { stroke-opacity: .06; marker-end: none }
    svg.some .edge.near { stroke: var(--near); stroke-opacity: 1; stroke-width: 2.2; \
    marker-end: url(#tip) }
    @media (max-width: 760px) {
    body { grid-template: auto minmax(0, 1fr) / minmax(0, 1fr) }
    aside { padding: 10px 12px; max-height: 50dvh; border-right: 0; \
    border-bottom: 1px solid var(--line) }
    .legend { display: flex; flex-wrap: wrap; gap: 2px 14px; margin-bottom: 6px }
    .sum { margin-bottom: 4px }
    .tools button { min-width: 44px; min-height: 40px }
    #search { min-height: 40px; font-size: 16px }
    #list { max-height: 22dvh; margin-bottom: 0 }
    #list:not(.searching) { display: none }
    }

    """

  static let script = """
    const data = JSON.parse(document.getElementById("data").textContent);
    const nodes = data.nodes.map(([label, traits, site, style, group, x, y]) =>
      ({ label, traits, site, style, group, x, y }));
    const edges = data.edges, [boxWidth, boxHeight] = data.box;
    const byId = id => document.getElementById(id);
    const svg = byId("graph"), main = document.querySelector("main");
    const list = byId("list"), detail = byId("detail"), search = byId("search");
    const width = svg.width.baseVal.value, height = svg.height.baseVal.value;
    const element = (name, text) => Object.assign(document.createElement(name), \
    { textContent: text });
    const folded = new Set(), first = new Map();
    nodes.forEach((node, n) => { if (!first.has(node.group)) first.set(node.group, n); });
    // The node that is drawn for a node: the first one of its group while that is folded.
    const drawnAs = n => folded.has(nodes[n].group) ? first.get(nodes[n].group) : n;
    const titleOf = n => folded.has(nodes[n].group) ? data.groups[nodes[n].group] : nodes[n].label;
    let scale = 1, chosen = null;
    svg.classList.toggle("many", edges.length > 60);
    function draw() {
      nodes.forEach((node, n) => {
        byId("n" + n).classList.toggle("folded", drawnAs(n) !== n);
        byId("n" + n).classList.toggle("stack", folded.has(node.group));
      });
      const drawn = new Set();
      edges.forEach(([from, to], i) => {
        const a = drawnAs(from), b = drawnAs(to), pair = a + " " + b;
        const isInside = a === b && from !== to;
        const isMoved = a !== from || b !== to;
        byId("e" + i).classList.toggle("folded", isInside || isMoved && drawn.has(pair));
        drawn.add(pair);
        const x = nodes[a].x + boxWidth, y = nodes[a].y + boxHeight / 2;
        const end = nodes[b].x, bottom = nodes[b].y + boxHeight / 2;
        // A needed node stands on the right, unless a cycle leads back.
        const bend = end > x ? Math.max(30, (end - x) / 2) : 70;
        byId("e" + i).setAttribute("d", \
    `M${x} ${y}C${x + bend} ${y} ${end - bend} ${bottom} ${end} ${bottom}`);
      });
    }
    function zoom(next, x = main.clientWidth / 2, y = main.clientHeight / 2) {
      next = Math.min(2.5, Math.max(Math.min(0.15, fitting()), next));
      const left = (main.scrollLeft + x) / scale, top = (main.scrollTop + y) / scale;
      scale = next;
      svg.setAttribute("width", width * scale);
      svg.setAttribute("height", height * scale);
      main.scrollLeft = left * scale - x;
      main.scrollTop = top * scale - y;
    }
    const fitting = () => Math.min(1, main.clientWidth / width, main.clientHeight / height);
    function mark(some) {
      document.querySelectorAll(".near, .chosen").forEach(e => e.classList.remove("near", "chosen"));
      svg.classList.toggle("some", some !== null);
      if (some) some.forEach(n => byId("n" + drawnAs(n)).classList.add("near"));
    }
    function choose(n) {
      n = drawnAs(n);
      chosen = n === chosen ? null : n;
      detail.replaceChildren();
      show();
      if (chosen === null) return find();
      const near = new Set([n]), needs = new Map(), needed = new Map();
      edges.forEach(([from, to, kind], i) => {
        const a = drawnAs(from), b = drawnAs(to);
        if (a !== n && b !== n || a === b && from !== to) return;
        near.add(a).add(b);
        if (a === n) needs.set(b, kind);
        if (b === n) needed.set(a, kind);
      });
      mark(near);
      edges.forEach(([from, to], i) => {
        if (drawnAs(from) === n || drawnAs(to) === n) byId("e" + i).classList.add("near");
      });
      byId("n" + n).classList.add("chosen");
      detail.append(element("h2", titleOf(n)));
      if (titleOf(n) === nodes[n].label) {
        detail.append(element("p", nodes[n].traits));
        if (nodes[n].site) detail.append(element("p", nodes[n].site));
      }
      for (const [title, ends] of [["Needs", needs], ["Needed by", needed]]) {
        if (!ends.size) continue;
        detail.append(element("h2", title));
        ends.forEach((kind, end) => {
          const go = button(end, kind === "one" ? "" : ", " + kind);
          go.onclick = () => { if (end !== chosen) choose(end); };
          detail.append(go);
        });
      }
      main.scrollTo({ left: (nodes[n].x + boxWidth / 2) * scale - main.clientWidth / 2, \
    top: (nodes[n].y + boxHeight / 2) * scale - main.clientHeight / 2 });
    }
    function button(n, addition) {
      const button = element("button", ""), color = element("i", "");
      color.className = nodes[n].style;
      button.append(color, titleOf(n) + addition);
      return button;
    }
    function matches() {
      const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
      const text = node => [node.label, node.traits, node.site].join(" ").toLowerCase();
      return nodes.map((node, n) => n).filter(n => words.every(w => text(nodes[n]).includes(w)));
    }
    function show() {
      list.classList.toggle("searching", search.value.trim() !== "");
      list.replaceChildren(...[...new Set(matches().map(drawnAs))].map(n => {
        const item = element("li", ""), go = button(n, "");
        if (n === chosen) go.setAttribute("aria-current", "true");
        go.onclick = () => choose(n);
        item.append(go);
        return item;
      }));
      const current = list.querySelector("[aria-current]");
      if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
    function find() {
      show();
      mark(search.value.trim() ? matches() : null);
    }
    function clear() { chosen = null; detail.replaceChildren(); find(); }
    search.oninput = clear;
    search.onkeydown = event => {
      const found = matches();
      if (event.key === "Enter" && found.length) choose(found[0]);
    };
    document.querySelectorAll(".fold").forEach(box => {
      box.onchange = () => {
        if (box.checked) folded.add(Number(box.value)); else folded.delete(Number(box.value));
        draw();
        clear();
      };
    });
    document.querySelectorAll(".node").forEach(node => {
      const n = Number(node.id.slice(1));
      node.onclick = () => choose(n);
      node.onkeydown = event => { if (event.key === "Enter") choose(n); };
    });
    byId("larger").onclick = () => zoom(scale * 1.25);
    byId("smaller").onclick = () => zoom(scale / 1.25);
    byId("whole").onclick = () => zoom(fitting());
    main.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const area = main.getBoundingClientRect();
      zoom(scale * Math.exp(-event.deltaY / 300), event.clientX - area.left, \
    event.clientY - area.top);
    }, { passive: false });
    // A finger scrolls by itself; a mouse drags.
    let drag = null;
    main.onpointerdown = event => {
      if (event.pointerType === "mouse" && !event.target.closest(".node"))
        drag = [event.clientX, event.clientY];
    };
    onpointermove = event => {
      if (!drag) return;
      main.classList.add("moving");
      main.scrollBy(drag[0] - event.clientX, drag[1] - event.clientY);
      drag = [event.clientX, event.clientY];
    };
    onpointerup = () => { drag = null; main.classList.remove("moving"); };
    onkeydown = event => {
      if (event.target === search) return;
      if (event.key === "+") zoom(scale * 1.2);
      if (event.key === "-") zoom(scale / 1.2);
      if (event.key === "Escape" && chosen !== null) choose(chosen);
    };
    // A text that is wider than its box is drawn narrower and not cut: cut texts could look alike.
    document.querySelectorAll(".node text").forEach(text => {
      if (text.getComputedTextLength() <= data.textWidth) return;
      text.setAttribute("textLength", data.textWidth);
      text.setAttribute("lengthAdjust", "spacingAndGlyphs");
    });
    draw();
    // As much as is readable: the whole graph if it fits at three quarters of its size.
    zoom(Math.max(0.75, fitting()));
    main.scrollTo(0, 0);
    find();
    const start = new URLSearchParams(location.hash.slice(1));
    if (start.has("fold")) document.querySelectorAll(".fold").forEach(box => box.click());
    if (start.has("search")) { search.value = start.get("search"); find(); }
    const named = start.get("node");
    if (named && nodes.hasOwnProperty(named) && named !== "length") choose(Number(named));

    """
}
