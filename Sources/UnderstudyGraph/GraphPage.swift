// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What every drawn page has: how it looks and what it does.
enum GraphPage {
  static let style = """
    :root { color-scheme: light; font: 14px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, \
    "Helvetica Neue", Arial, sans-serif; color: #1b1b1f }
    * { box-sizing: border-box }
    body { margin: 0; display: grid; grid-template-columns: 320px 1fr; height: 100vh; \
    overflow: hidden }
    aside { padding: 16px; border-right: 1px solid #d5d8de; overflow-y: auto; background: #fafbfc }
    h1 { font-size: 18px; margin: 0 }
    h2 { font-size: 14px; margin: 16px 0 4px }
    .sum { margin: 2px 0 10px; color: #565b66 }
    .legend, #list { list-style: none; margin: 0 0 12px; padding: 0 }
    .legend li { display: flex; align-items: center; gap: 8px }
    i { flex: none; width: 14px; height: 14px; border-radius: 4px; border: 1.5px solid \
    var(--stroke); background: var(--fill) }
    input { width: 100%; padding: 7px 10px; font: inherit; border: 1px solid #9aa0ab; \
    border-radius: 7px; background: #fff }
    #list { margin-top: 8px; max-height: 40vh; overflow-y: auto }
    button { display: flex; gap: 8px; align-items: center; width: 100%; border: 0; \
    background: none; font: inherit; text-align: left; padding: 3px 4px; border-radius: 5px; \
    cursor: pointer; overflow-wrap: anywhere }
    button:hover, button[aria-current] { background: #e6ebf5 }
    #detail { overflow-wrap: anywhere }
    #detail p { margin: 2px 0; color: #565b66 }
    #findings summary { cursor: pointer; color: #b3151c; overflow-wrap: anywhere }
    pre { white-space: pre-wrap; font: 12px/1.4 ui-monospace, Menlo, Consolas, monospace }
    main { overflow: auto; cursor: grab }
    main.moving { cursor: grabbing; user-select: none }
    .node { cursor: pointer; outline: none }
    .node rect { fill: var(--fill); stroke: var(--stroke); stroke-width: 1.5 }
    .node.missing rect { stroke-dasharray: 5 3 }
    .node:focus rect, .node.chosen rect { stroke-width: 3.5 }
    .node text { font-size: 13px; fill: #1b1b1f }
    .node text.traits { font-size: 11px; fill: #4a4f5a }
    .group { font-size: 13px; fill: #565b66 }
    .edge { fill: none; stroke: #7b8494; stroke-width: 1.3; marker-end: url(#tip) }
    #tip path { fill: #7b8494 }
    .many .edge { stroke-opacity: .28; marker-end: none }
    .edge.optional { stroke-dasharray: 6 4 }
    .edge.deferred { stroke-dasharray: 2 4 }
    .edge.every { stroke-width: 2.4 }
    svg.some .node:not(.near) { opacity: .22 }
    svg.some .edge:not(.near) { stroke-opacity: .06; marker-end: none }
    svg.some .edge.near { stroke: #1f4f9c; stroke-opacity: 1; stroke-width: 2.2; \
    marker-end: url(#tip) }

    """

  static let script = """
    const svg = document.getElementById("graph"), main = document.querySelector("main");
    const list = document.getElementById("list"), detail = document.getElementById("detail");
    const search = document.getElementById("search");
    const width = svg.width.baseVal.value, height = svg.height.baseVal.value;
    const element = (name, text) => Object.assign(document.createElement(name), \
    { textContent: text });
    let scale = 1, chosen = null;
    svg.classList.toggle("many", edges.length > 60);
    function zoom(next, x = main.clientWidth / 2, y = main.clientHeight / 2) {
      next = Math.min(2.5, Math.max(0.15, next));
      const left = (main.scrollLeft + x) / scale, top = (main.scrollTop + y) / scale;
      scale = next;
      svg.setAttribute("width", width * scale);
      svg.setAttribute("height", height * scale);
      main.scrollLeft = left * scale - x;
      main.scrollTop = top * scale - y;
    }
    function mark(some) {
      document.querySelectorAll(".near, .chosen").forEach(e => e.classList.remove("near", "chosen"));
      svg.classList.toggle("some", some !== null);
      if (some) some.forEach(n => document.getElementById("n" + n).classList.add("near"));
    }
    function choose(n) {
      chosen = n === chosen ? null : n;
      detail.replaceChildren();
      show();
      if (chosen === null) return find();
      const near = new Set([n]), needs = [], needed = [];
      edges.forEach(([from, to, kind], i) => {
        if (from !== n && to !== n) return;
        near.add(from).add(to);
        if (from === n) needs.push([to, kind]);
        if (to === n) needed.push([from, kind]);
      });
      mark(near);
      edges.forEach(([from, to], i) => {
        if (from === n || to === n) document.getElementById("e" + i).classList.add("near");
      });
      document.getElementById("n" + n).classList.add("chosen");
      const [label, traits, site] = nodes[n];
      detail.append(element("h2", label), element("p", traits));
      if (site) detail.append(element("p", site));
      for (const [title, ends] of [["Needs", needs], ["Needed by", needed]]) {
        if (!ends.length) continue;
        detail.append(element("h2", title));
        ends.forEach(([end, kind]) => {
          const go = button(end, kind === "one" ? "" : ", " + kind);
          go.onclick = () => { if (end !== chosen) choose(end); };
          detail.append(go);
        });
      }
      const box = document.getElementById("n" + n).getBBox();
      const place = document.getElementById("n" + n).transform.baseVal[0].matrix;
      main.scrollTo({ left: (place.e + box.width / 2) * scale - main.clientWidth / 2, \
    top: (place.f + box.height / 2) * scale - main.clientHeight / 2 });
    }
    function button(n, addition) {
      const button = element("button", ""), color = element("i", "");
      color.className = nodes[n][3];
      button.append(color, nodes[n][0] + addition);
      return button;
    }
    function matches() {
      const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
      const all = nodes.map((node, n) => n);
      return all.filter(n => words.every(w => nodes[n].join(" ").toLowerCase().includes(w)));
    }
    function show() {
      list.replaceChildren(...matches().map(n => {
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
    search.oninput = () => { chosen = null; detail.replaceChildren(); find(); };
    search.onkeydown = event => {
      const found = matches();
      if (event.key === "Enter" && found.length) choose(found[0]);
    };
    document.querySelectorAll(".node").forEach(node => {
      const n = Number(node.id.slice(1));
      node.onclick = () => choose(n);
      node.onkeydown = event => { if (event.key === "Enter") choose(n); };
    });
    main.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const area = main.getBoundingClientRect();
      zoom(scale * Math.exp(-event.deltaY / 300), event.clientX - area.left, \
    event.clientY - area.top);
    }, { passive: false });
    let drag = null;
    main.onpointerdown = event => {
      if (!event.target.closest(".node")) drag = [event.clientX, event.clientY];
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
    // A text ends where its box does, whatever the font.
    document.querySelectorAll(".node text").forEach(text => {
      let letters = Array.from(text.textContent);
      while (letters.length > 2 && text.getComputedTextLength() > \(GraphLayout.textWidth)) {
        letters = letters.slice(0, -2).concat("…");
        text.textContent = letters.join("");
      }
    });
    // As much as is readable: the whole graph if it fits at three quarters of its size.
    zoom(Math.max(0.75, Math.min(1, main.clientWidth / width, main.clientHeight / height)));
    main.scrollTo(0, 0);
    find();
    const start = new URLSearchParams(location.hash.slice(1));
    if (start.has("search")) { search.value = start.get("search"); find(); }
    if (start.has("node")) choose(Number(start.get("node")));

    """
}
