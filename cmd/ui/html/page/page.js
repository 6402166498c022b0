"use strict";
// The page is complete without this script: segments have titles, changes unfold. The script adds a
// tab stop for each timeline, arrow keys within it, a button, and sorting to the heads of tables.
for (const box of document.querySelectorAll(".timeline")) {
  const strips = box.querySelector(".strips"), detail = box.querySelector(".detail");
  const places = new Map(); // message -> its segments
  for (const r of strips.querySelectorAll("rect")) {
    if (!places.has(r.dataset.m)) places.set(r.dataset.m, []);
    places.get(r.dataset.m).push(r);
  }
  const order = [...places.keys()].sort((a, b) => places.get(a)[0].dataset.i - places.get(b)[0].dataset.i);
  if (!order.length) continue;
  const label = strips.getAttribute("aria-label");
  let at = -1;
  const text = (i) => places.get(order[i])[0].querySelector("title").textContent;
  const show = (i) => {
    if (at >= 0) for (const r of places.get(order[at])) r.classList.remove("on");
    at = i;
    for (const r of places.get(order[i])) r.classList.add("on");
    detail.textContent = text(i);
    strips.setAttribute("aria-valuenow", i + 1);
    strips.setAttribute("aria-valuetext", text(i));
  };
  strips.setAttribute("role", "slider");
  strips.setAttribute("aria-label", label);
  strips.setAttribute("aria-valuemin", 1);
  strips.setAttribute("aria-valuemax", order.length);
  strips.setAttribute("aria-valuenow", 1);
  strips.setAttribute("aria-valuetext", text(0));
  strips.tabIndex = 0;
  detail.textContent = "Point at a segment, or use the arrow keys" + (document.querySelector("details") ? "; Enter opens what changed." : ".");
  const open = (i) => {
    const d = document.getElementById(order[i]);
    if (!d) return;
    d.open = true;
    d.querySelector("summary").focus();
    d.scrollIntoView({ block: "center" });
  };
  strips.addEventListener("pointermove", (e) => {
    const i = e.target.dataset && e.target.dataset.m ? order.indexOf(e.target.dataset.m) : -1;
    if (i >= 0 && i !== at) show(i);
  });
  strips.addEventListener("click", () => { if (at >= 0) open(at); });
  strips.addEventListener("keydown", (e) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -order.length, End: order.length }[e.key];
    if (e.key === "Enter" && at >= 0) open(at);
    else if (step === undefined || e.ctrlKey || e.metaKey || e.altKey) return;
    else show(Math.max(0, Math.min(order.length - 1, at < 0 ? (step > 0 ? Math.min(step, order.length) - 1 : 0) : at + step)));
    e.preventDefault();
  });
}
const fold = document.getElementById("fold");
if (fold) {
  const b = document.createElement("button");
  b.type = "button";
  const all = () => document.querySelectorAll("details");
  const name = () => { b.textContent = [...all()].some((d) => !d.open) ? "Unfold all" : "Fold all"; };
  b.addEventListener("click", () => {
    const open = [...all()].some((d) => !d.open);
    for (const d of all()) d.open = open;
    name();
  });
  name();
  fold.append(b);
}

// The first press of a head sorts numbers from the largest and words from A, the second the other way
// round, the third restores the order of the page. Sums stay at the end.
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0], rows = [...body.rows], sums = rows.filter((r) => r.classList.contains("sum"));
  const own = rows.filter((r) => !sums.includes(r));
  if (own.length < 2) continue;
  table.classList.add("sortable");
  const heads = [...table.tHead.rows[0].cells];
  const number = (cell) => {
    if (!cell) return NaN;
    const bar = cell.querySelector("svg");
    if (bar) return parseFloat(bar.lastElementChild.getAttribute("width"));
    return parseFloat(cell.textContent.replace(/\u2212/g, "-").replace(/[~$,+\s]/g, ""));
  };
  const text = (cell) => (cell ? cell.textContent : "");
  heads.forEach((th, i) => {
    const figures = th.classList.contains("n") || own.some((r) => r.cells[i] && r.cells[i].classList.contains("bar"));
    const by = (a, b) => {
      if (!figures) return text(a.cells[i]).localeCompare(text(b.cells[i]), "en", { numeric: true });
      return number(a.cells[i]) - number(b.cells[i]);
    };
    const unknown = (r) => (figures ? isNaN(number(r.cells[i])) : text(r.cells[i]) === "");
    const b = document.createElement("button");
    b.type = "button";
    b.textContent = th.textContent;
    b.title = "Sort by " + th.textContent;
    b.addEventListener("click", () => {
      const first = figures ? "descending" : "ascending", second = figures ? "ascending" : "descending";
      const order = { [first]: second, [second]: "" }[th.getAttribute("aria-sort") || ""] ?? first;
      for (const h of heads) h.removeAttribute("aria-sort");
      if (order) th.setAttribute("aria-sort", order);
      table.classList.toggle("sorted", order !== "");
      const sign = order === "descending" ? -1 : 1;
      const known = own.filter((r) => !unknown(r)).sort((a, b) => sign * by(a, b));
      body.append(...(order ? [...known, ...own.filter(unknown)] : own), ...sums);
    });
    th.replaceChildren(b);
  });
}
