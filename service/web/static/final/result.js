// How the final stands: the table and what is to be said of it.

import { find, say, shared } from "../wall/shared.js";
import { make } from "../make.js";

/**
 * Show the result.
 * @param {(number: number) => void} leaveOut Called when the chief says that somebody does not play.
 */
export function showResult({ rows, lines }, leaveOut) {
  find("#outcome").replaceChildren(...lines.map((line) => make("p", {}, line)));
  const number = { class: "num", scope: "col" };
  const head = make(
    "tr",
    {},
    make("th", number, say("place")),
    make("th", number, "№"),
    make("th", { scope: "col" }, say("player")),
    make("th", number, say("before")),
    make("th", number, say("staked")),
    make("th", number, say("answer")),
    make("th", number, "±"),
    make("th", number, say("result")),
  );
  find("#result").replaceChildren(
    make("thead", {}, head),
    make("tbody", {}, ...rows.map((row) => line(row, leaveOut))),
  );
}

function line(row, leaveOut) {
  const name = make("th", { scope: "row" }, make("span", { class: "player" }, row.name));
  if (row.winner) name.append(" ", make("span", { class: "badge in" }, say("winner")));
  if (row.fault) name.append(make("span", { class: "soft small fault" }, row.fault));
  if (row.chief && shared.decides) {
    const button = make("button", { type: "button" }, say("not_playing"));
    button.onclick = () => leaveOut(row.number);
    name.append(" ", button);
  }
  const cells = [row.place, row.number, row.before, row.stake, row.answer, row.change, row.after];
  const made = cells.map((cell) => make("td", { class: "num" }, String(cell)));
  made.at(-1).classList.add("score");
  made[1].classList.add("soft");
  made.splice(2, 0, name);
  return make("tr", { class: row.winner ? "in won" : "in" }, ...made);
}
