// The counts of double reading follow the work.

import { listen } from "./live.js";

const format = new Intl.NumberFormat(document.documentElement.lang);
const bar = document.getElementById("read");
const before = bar?.max ?? 0;

async function follow() {
  const response = await fetch("/api/double", { headers: { Accept: "application/json" } });
  if (!response.ok) return;
  const found = await response.json();
  for (const cell of document.querySelectorAll("[data-count]")) {
    cell.textContent = format.format(found[cell.dataset.count]);
  }
  bar.max = found.total || before;
  bar.value = found.total - found.none - found.one;
}

// Without a connection the page stays as it is.
if (bar) listen(() => follow().catch(() => {}));
