// What the player's page does by itself: the time that is left counts down, the text counts up.

import { countDown } from "../countdown.js";

for (const until of document.querySelectorAll("[data-left]")) countDown(until, over);
const text = document.querySelector("textarea[data-count]");
if (text) countLetters(text);

function over() {
  // The server refuses by its own clock; a text that somebody has typed stays readable.
  for (const part of document.querySelectorAll("a.only-open, p.only-open")) part.hidden = true;
  for (const button of document.querySelectorAll("form.only-open button")) button.disabled = true;
}

function countLetters(field) {
  const shown = document.getElementById("count");
  field.addEventListener("input", () => {
    // As the server counts: signs, not halves of them.
    const n = [...field.value].length;
    shown.textContent = field.dataset.count.replace("{n}", n).replace("{most}", field.maxLength);
  });
}
