// The list of appeals: the time that is left counts down, and new appeals are told of.

import { countDown } from "../countdown.js";

const EVERY_MS = 10000;
const known = Number(document.getElementById("waiting").dataset.count);
const more = document.getElementById("more");

for (const until of document.querySelectorAll("[data-left]")) countDown(until);

setInterval(async () => {
  if (document.hidden || !more.hidden) return;
  const response = await fetch("/api/waiting").catch(() => null);
  if (!response?.ok) return;
  const { appeals } = await response.json();
  // Not by itself: somebody may be reading or typing here.
  if (appeals !== known) more.hidden = false;
}, EVERY_MS);
