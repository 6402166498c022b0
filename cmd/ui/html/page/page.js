"use strict";
// The page is complete without this script: segments have titles, changes unfold. The script adds a
// tab stop for each timeline, arrow keys within it, and a button.
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
