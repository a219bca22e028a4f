// The home page follows the counts.

import { showGroups } from "./groups.js";
import { listen } from "./live.js";

const format = new Intl.NumberFormat(document.documentElement.lang);
const summary = document.getElementById("summary");
const table = document.querySelector(".questions");

function fill(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (_whole, key) => format.format(values[key]));
}

function show(counts) {
  if (!summary) {
    // Sheets have come in where there were none: the page looks different now.
    if (counts.total > 0) location.reload();
    return;
  }
  const words = summary.dataset;
  const parts = [fill(counts.left ? words.left : words.done, counts)];
  if (counts.second) parts.push(fill(words.second, { n: counts.second }));
  if (counts.disputed) parts.push(fill(words.disputed, { n: counts.disputed }));
  summary.textContent = parts.join(" ");
  const bar = document.getElementById("done");
  bar.max = counts.total;
  bar.value = counts.total - counts.left;
  showGroups(document.getElementById("groups"), counts.groups);
  const unsettled = document.getElementById("unsettled");
  unsettled.hidden = counts.unsettled === 0;
  unsettled.textContent = fill(unsettled.dataset.say, { n: counts.unsettled });
  for (const question of counts.questions) showQuestion(question, counts.present);
}

function showQuestion(question, present) {
  const cell = document.querySelector(`[data-question="${question.theme}-${question.nominal}"]`);
  if (!cell) return;
  cell.dataset.state = question.state;
  cell.querySelector(".left").textContent = question.left;
  cell.querySelector(".written").textContent = question.written;
  cell.querySelector(".ruled").textContent = question.ruled;
  cell.querySelector(".disputed").textContent = question.disputed;
  cell.querySelector(".disputes").hidden = question.disputed === 0;
  cell.querySelector(".second").textContent = question.second ?? 0;
  cell.querySelector(".seconds").hidden = !question.second;
  cell.querySelector(".effect-first").hidden = question.effect !== "first";
  cell.querySelector(".effect-idle").hidden = question.effect !== "idle";
  const here = cell.querySelector(".here");
  const who = present[`${question.theme}-${question.nominal}`];
  here.hidden = !who;
  here.textContent = who?.name ?? "";
  cell.querySelector(".hidden-text").textContent = fill(table.dataset.say, question);
  const share = question.total ? (100 * (question.ruled + question.disputed)) / question.total : 0;
  cell.querySelector(".arc").setAttribute("stroke-dasharray", `${share.toFixed(1)} 100`);
}

listen(show);
