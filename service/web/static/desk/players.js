// Choosing a player: suggestions, and a search while somebody types.

import { say } from "../wall/shared.js";
import { make } from "./make.js";
import { get } from "./server.js";

const PAUSE_MS = 120;
const SHEET = /^\s*([sсзfф])\s*(\d{1,4})\s*$/i;

/**
 * The part of the page where a player is chosen.
 * @param {object} item The page; `item.suggested` are likely players.
 * @param {(player: object|null, sheet: string) => Promise<void>} choose Gets a player, or a sheet's name.
 */
export function choosing(item, choose) {
  const results = make("ul.players", { role: "listbox" });
  let chosen = 0;
  let rows = [];
  let asked = 0;
  let timer = 0;
  const input = make("input", {
    type: "search",
    id: "player",
    autocomplete: "off",
    placeholder: say("search"),
    ariaLabel: say("search"),
  });

  function show(players, typed) {
    const sheet = item.need === "name" && SHEET.exec(typed);
    rows = players.map((player) => ({ player, act: () => choose(player, "") }));
    if (sheet) rows.unshift({ sheet: typed.trim(), act: () => choose(null, typed.trim()) });
    chosen = 0;
    results.replaceChildren(...rows.map(row), ...(rows.length || !typed ? [] : [make("li.soft", {}, say("search_none"))]));
    mark();
  }
  function row({ player, sheet, act }) {
    const open = make("button", { type: "button", role: "option", onclick: act });
    if (sheet) open.append(say("other_sheet", { sheet }));
    else {
      open.append(
        make("span.number", {}, String(player.number)),
        make("span.name", {}, player.name),
        make("span.soft.small", {}, [player.category, player.school].filter(Boolean).join(" · ")),
      );
      if (player.has) open.append(make("span.badge.person", {}, say("has", { sheet: player.has })));
    }
    return make("li", {}, open);
  }
  function mark() {
    [...results.querySelectorAll("button")].forEach((button, at) => {
      button.classList.toggle("chosen", at === chosen);
      button.setAttribute("aria-selected", String(at === chosen));
    });
  }
  async function ask() {
    const typed = input.value;
    const mine = ++asked;
    const players = typed.trim() ? await get(`/api/desk/players?q=${encodeURIComponent(typed)}`).catch(() => []) : item.suggested;
    // Answers may overtake each other.
    if (mine === asked) show(players, typed);
  }
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE_MS);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      event.stopPropagation();
      // A key held down would go on to the pages that follow.
      if (event.repeat) return;
      clearTimeout(timer);
      (event.target.value.trim() ? ask() : Promise.resolve()).then(() => rows[chosen]?.act());
    } else if (["ArrowDown", "ArrowUp"].includes(event.key) && rows.length > 1) {
      event.preventDefault();
      event.stopPropagation();
      chosen = (chosen + (event.key === "ArrowDown" ? 1 : rows.length - 1)) % rows.length;
      mark();
    }
  });
  show(item.suggested, "");
  const parts = [make("label.hidden-text", { htmlFor: "player" }, say("search")), input];
  if (item.suggested.length) parts.push(make("p.soft.small", {}, say("suggested")));
  return { node: make("div.choosing", {}, ...parts, results), focus: () => input.focus({ preventScroll: true }) };
}
