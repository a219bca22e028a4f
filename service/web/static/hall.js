// The hall's screen follows the counts. It gets no names and shows none.

import { fill, showGroups } from "./groups.js";
import { listen } from "./live.js";

const $ = (id) => document.getElementById(id);
const grid = document.querySelector(".hall-grid");

function show(counts) {
  const done = counts.total - counts.left;
  // Never 100 before the last answer.
  $("share").textContent = counts.total ? Math.floor((100 * done) / counts.total) : 0;
  $("done").max = counts.total || 1;
  $("done").value = done;
  const words = $("lead").dataset;
  $("lead").textContent = !counts.total ? words.none : counts.left ? words.open : words.done;
  counts.questions.forEach(showQuestion);
  showGroups($("groups"), counts.groups);
  const posted = $("posted");
  posted.hidden = counts.published === null;
  const title = $("posted-title");
  if (!posted.hidden) title.textContent = fill(title.dataset.say, { number: counts.published });
}

function showQuestion(question) {
  const cell = grid.querySelector(`[data-question="${question.theme}-${question.nominal}"]`);
  if (!cell) return;
  cell.dataset.state = question.state;
  cell.querySelector(".hall-left").textContent = question.left || "";
  cell.querySelector(".hidden-text").textContent = fill(grid.dataset.say, question);
  const share = question.total ? (100 * (question.ruled + question.disputed)) / question.total : 0;
  cell.querySelector(".arc").setAttribute("stroke-dasharray", `${share.toFixed(1)} 100`);
}

function toggle() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen().catch(() => {});
}

if (document.fullscreenEnabled) {
  $("full").hidden = false;
  $("full").addEventListener("click", toggle);
  document.addEventListener("keydown", (event) => {
    // The key, not the letter: «А» is on it under the Russian layout.
    if (event.code === "KeyF" && !event.ctrlKey && !event.metaKey && !event.altKey) toggle();
  });
}

listen(show);
