"use strict";
// The page is complete without this script. The script adds the search: it shows only messages that
// have the text, marks the places, and unfolds the blocks around them.
const tools = document.getElementById("tools");
const articles = [...document.querySelectorAll("article")];
const input = document.createElement("input");
input.type = "search";
input.placeholder = "Search " + articles.length + " messages";
input.setAttribute("aria-label", "Search the messages");
const result = document.createElement("output");
const button = (text, act) => {
  const b = document.createElement("button");
  b.type = "button";
  b.textContent = text;
  b.addEventListener("click", act);
  return b;
};
const most = 2000; // marks on the page: a browser is slow with more
let marks = [], at = -1, opened = [];
const clear = () => {
  for (const m of marks) {
    const parent = m.parentNode;
    m.replaceWith(m.firstChild);
    parent.normalize();
  }
  for (const d of opened) d.open = false;
  marks = [], opened = [], at = -1;
};
const mark = (article, text) => {
  const nodes = [];
  const walk = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) nodes.push(walk.currentNode);
  for (let node of nodes) {
    for (;;) {
      const i = node.data.toLowerCase().indexOf(text);
      if (i < 0 || marks.length >= most || i + text.length > node.length) break;
      const found = node.splitText(i);
      node = found.splitText(text.length);
      const m = document.createElement("mark");
      found.replaceWith(m);
      m.append(found);
      marks.push(m);
      for (let d = m.closest("details"); d; d = d.parentElement.closest("details")) {
        if (!d.open) opened.push(d);
        d.open = true;
      }
    }
  }
};
const show = (step) => {
  if (!marks.length) return;
  if (at >= 0) marks[at].classList.remove("at");
  at = (at + step + marks.length) % marks.length;
  marks[at].classList.add("at");
  marks[at].scrollIntoView({ block: "center" });
  result.textContent = at + 1 + " of " + marks.length + (marks.length >= most ? "+" : "");
};
const search = () => {
  clear();
  const text = input.value.toLowerCase();
  let found = 0;
  for (const a of articles) {
    const has = !text || a.textContent.toLowerCase().includes(text);
    a.hidden = !has;
    if (has) found++;
    if (has && text) mark(a, text);
  }
  result.textContent = text ? found + " messages, " + marks.length + (marks.length >= most ? "+" : "") + " places" : "";
};
let timer = 0;
input.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(search, 200);
});
input.addEventListener("keydown", (e) => {
  if (e.key === "Escape") input.value = "", search();
  else if (e.key !== "Enter") return;
  else show(e.shiftKey ? -1 : 1);
  e.preventDefault();
});
document.addEventListener("keydown", (e) => {
  if (e.key !== "/" || e.target === input || e.ctrlKey || e.metaKey || e.altKey) return;
  input.focus();
  e.preventDefault();
});
tools.append(input, result, button("Previous", () => show(-1)), button("Next", () => show(1)));
if (document.querySelector("details")) {
  const fold = button("Unfold all", () => {
    const all = [...document.querySelectorAll("details")];
    const open = all.some((d) => !d.open);
    for (const d of all) d.open = open;
    opened = [];
    fold.textContent = open ? "Fold all" : "Unfold all";
  });
  tools.append(fold);
}
