// The desk: the queue on one side, the open page on the other, files that come in above.

import { Haste } from "../haste.js";
import { Refused } from "../server.js";
import { count, find, say } from "../wall/shared.js";
import { opened } from "./detail.js";
import { button, make } from "./make.js";
import { follow, get, post } from "./server.js";
import { showJobs, takeFiles } from "./upload.js";

const QUIET_MS = 5000;
const BUSY_MS = 1000;

const queue = find("#queue");
const detail = find("#detail");
const two = find("#two");
let items = [];
let shown = "";
let open = null;
let timer = 0;
let last = "";
let acting = false;
const haste = new Haste(detail);

// --- the queue ----------------------------------------------------------------------------------

async function refresh() {
  clearTimeout(timer);
  try {
    const state = await follow("/api/desk");
    showJobs(state.jobs);
    const text = JSON.stringify([state.items, state.done, state.aside]);
    if (text !== last) {
      last = text;
      items = state.items;
      showQueue();
      showLog("aside", state.aside, (page) => [page.title, button(say("bring_back"), () => bringBack(page.id))]);
      showLog("done", state.done, (entry) => [
        make("span", {}, entry.text, make("span.soft.small", {}, ` · ${entry.who}, ${time(entry.at)}`)),
        entry.undo ? button(say("undo"), () => takeBack(entry.id)) : null,
      ]);
    }
    timer = setTimeout(refresh, state.busy ? BUSY_MS : QUIET_MS);
  } catch (error) {
    if (error instanceof Refused && error.status === 401) location.reload();
    timer = setTimeout(refresh, QUIET_MS);
  }
}

const clock = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: "short", hourCycle: "h23" });
const time = (seconds) => clock.format(new Date(1000 * seconds));
const visible = () => items.filter((item) => !shown || item.need === shown);

function showQueue() {
  find("#lead").textContent = items.length ? say("waiting", { n: count(items.length) }) : say("nothing");
  const needs = [...new Map(items.map((item) => [item.need, item.asks]))];
  if (!needs.some(([need]) => need === shown)) shown = "";
  const chip = (need, word, number) => {
    const made = make("button.chip", { type: "button", onclick: () => choose(need) }, word, " ", make("b", {}, count(number)));
    if (need === shown) made.setAttribute("aria-current", "true");
    return made;
  };
  find("#chips").replaceChildren(
    ...(needs.length > 1 ? [chip("", say("all"), items.length)] : []),
    ...needs.map(([need, asks]) => chip(need, asks, items.filter((item) => item.need === need).length)),
  );
  queue.replaceChildren(...visible().map(listed));
  if (!items.length) queue.append(make("li.soft", {}, say("nothing_hint")));
  // Somebody else has dealt with what is open here.
  if (open && !items.some((item) => item.id === open.id)) close();
  markOpen();
}

function choose(need) {
  shown = need;
  showQueue();
}

function listed(item) {
  const thumb = item.picture ? make("img", { src: `${item.picture}&small=true`, alt: "", loading: "lazy" }) : make("span", { ariaHidden: "true" }, "—");
  return make(
    "li",
    {},
    make(
      "button.item",
      { type: "button", data: { page: item.id, need: item.need }, onclick: () => show(item.id) },
      make("span.thumb", {}, thumb),
      make("span.what", {}, make("b", {}, item.title), make("span", {}, item.asks), make("span.soft.small.file", {}, say("page", { file: item.file, page: item.page }))),
    ),
  );
}

function markOpen() {
  for (const made of queue.querySelectorAll(".item")) {
    const here = open?.id === Number(made.dataset.page);
    made.classList.toggle("open", here);
    if (here) made.setAttribute("aria-current", "true");
    else made.removeAttribute("aria-current");
  }
}

// --- the open page ------------------------------------------------------------------------------

async function show(id) {
  try {
    const item = await get(`/api/desk/page/${id}`);
    const built = opened(item, { back: close, give: (player, sheet) => give(item, player, sheet), place, choose: (page) => decide(page, "choose", say("done_chosen")), aside: (page) => decide(page, "aside", say("done_aside")) });
    open = { id, ...built };
    detail.replaceChildren(...built.nodes);
    two.classList.add("opened");
    markOpen();
    queue.querySelector(".item.open")?.scrollIntoView({ block: "nearest" });
    if (matchMedia("(max-width: 820px)").matches) detail.scrollIntoView();
    // On a phone the keyboard would cover the page.
    else if (matchMedia("(pointer: fine)").matches) built.focus?.();
  } catch (error) {
    complain(error);
    refresh();
  }
}

function close() {
  const was = open?.id;
  open = null;
  detail.replaceChildren();
  two.classList.remove("opened");
  markOpen();
  queue.querySelector(`[data-page="${was}"]`)?.focus();
}

async function act(work, words) {
  // The next page has its buttons where this one had them.
  if (acting || haste.tooSoon) return;
  acting = true;
  const at = visible().findIndex((item) => item.id === open?.id);
  try {
    const answer = await work();
    toast(typeof words === "function" ? words(answer) : words);
    last = "";
    await refresh();
    // On to the page that came after this one.
    const next = visible()[Math.max(0, Math.min(at, visible().length - 1))];
    if (next) await show(next.id);
    else close();
  } catch (error) {
    complain(error);
  }
  haste.changed();
  acting = false;
}

const decide = (item, what, words) => act(() => post(`/api/desk/page/${item.id}/${what}`), words);

function give(item, player, sheet) {
  if (item.need === "owner") {
    return act(() => post(`/api/desk/page/${item.id}/owner`, { player: player.number }), say("done_named", { what: `${player.number}, ${player.name}` }));
  }
  const name = sheet || `${item.blank === "final" ? "F" : ""}${player.number}`;
  return act(() => post(`/api/desk/page/${item.id}/name`, { sheet: name }), say("done_named", { what: name }));
}

const place = (item, body) => act(() => post(`/api/desk/page/${item.id}/place`, body), (answer) => say(answer.read ? "done_placed" : "done_turned"));
const takeBack = (entry) => act(() => post("/api/desk/undo", { entry }), say("done_undone"));
const bringBack = (page) => act(() => post(`/api/desk/page/${page}/aside`, { aside: false }), say("done_undone"));

function showLog(name, rows, parts) {
  find(`#${name}-part`).hidden = !rows.length;
  find(`#${name}-count`).textContent = count(rows.length);
  find(`#${name}`).replaceChildren(...rows.map((row) => make("li", {}, ...parts(row).filter(Boolean))));
}

let fading = 0;
function toast(text, bad = false) {
  const made = find("#toast");
  clearTimeout(fading);
  made.textContent = text;
  made.classList.toggle("bad", bad);
  made.hidden = false;
  fading = setTimeout(() => (made.hidden = true), bad ? 9000 : 3500);
}

function complain(error) {
  if (error instanceof Refused) toast(`${error.message} ${error.hint}`, true);
  else toast(`${say("no_connection")} ${say("no_connection_hint")}`, true);
}

// --- the keyboard -------------------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches("input:not([type=file]), textarea, select");
  if (event.key === "Escape" && open) {
    event.preventDefault();
    return close();
  }
  if (typing && event.target.value) return;
  if (open?.nudge?.(event.key)) return event.preventDefault();
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const list = visible();
    if (!list.length) return;
    event.preventDefault();
    const focused = Number(document.activeElement?.dataset?.page);
    const at = list.findIndex((item) => item.id === (open?.id ?? focused));
    const step = event.key === "ArrowDown" ? 1 : -1;
    const next = list[at < 0 ? 0 : Math.min(list.length - 1, Math.max(0, at + step))];
    if (open) return show(next.id);
    return queue.querySelector(`[data-page="${next.id}"]`)?.focus();
  }
  if (event.key === "Enter" && !event.repeat && open && !typing && !event.target.closest("button, a, summary, label")) {
    event.preventDefault();
    detail.querySelector("[data-primary]")?.click();
  }
});

document.addEventListener("visibilitychange", () => document.hidden || refresh());
takeFiles(refresh);
await refresh();
const asked = Number(new URLSearchParams(location.search).get("page"));
if (asked) show(asked);
else if (items.length && !matchMedia("(max-width: 820px)").matches) show(items[0].id);
