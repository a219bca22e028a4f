// Who gains and who loses by a change, as a table; those who cross the line first.

import { make } from "../make.js";
import { count, say } from "../wall/shared.js";

// More than these nobody reads before deciding; the number of all stands above.
const MOST = 40;

/**
 * @param {object[]} players As `changes_json` gives them.
 * @param {number} crossing How many of them cross the line.
 * @returns {Node}
 */
export function effectTable(players, crossing) {
  if (players.length === 0) return make("p", { class: "soft" }, say("effect_none"));
  const text = say("effect", { n: count(players.length), crossing: count(crossing) });
  const head = ["effect_name", "effect_points", "effect_place", "effect_status"].map((name) =>
    make("th", { scope: "col" }, say(name)),
  );
  const rows = players.slice(0, MOST).map((player) => {
    const name = make("th", { scope: "row" }, `${player.number} · ${player.name}`);
    const cells = [player.points, arrow(player.places), arrow(player.statuses)];
    const row = make("tr", {}, name, ...cells.map((cell) => make("td", {}, cell)));
    row.classList.toggle("crosses", player.crosses !== null);
    if (player.crosses) row.lastChild.prepend(player.crosses === "in" ? "▲ " : "▼ ");
    return row;
  });
  const table = make("table", { class: "effect" }, make("thead", {}, make("tr", {}, ...head)));
  table.append(make("tbody", {}, ...rows));
  const box = make("div", {}, make("p", {}, text), make("div", { class: "scroll", tabindex: "0" }, table));
  if (players.length > MOST) box.append(make("p", { class: "soft" }, say("effect_more", { n: count(players.length - MOST) })));
  return box;
}

function arrow([before, after]) {
  return before === after ? after : `${before || "—"} → ${after || "—"}`;
}
