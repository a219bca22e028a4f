// What is said to the juror, above the bar; one thing at a time. It moves nothing on the page.

import { find, say } from "./shared.js";

const box = find("#notices");
// Good news goes by itself; what the juror has to do something about stays.
const SHOWN_MS = 7000;
let timer = 0;
let away = null;

// "The server does not answer" is no longer true; what could be tried again still can.
document.addEventListener("otbor:connection", ({ detail }) => {
  if (detail !== "here" || !away?.notice.isConnected) return;
  const { button } = away;
  if (button) notify(find("#connection").dataset.here, { button });
  else hush();
});

/**
 * Say something; returns the notice, which is connected for as long as it is shown.
 * @param {string} message
 * @param {{hint?: string, kind?: "good"|"warn"|"bad"|"away"|"", button?: [string, () => void], link?: [string, string]}} more
 */
export function notify(message, { hint = "", kind = "", button = null, link = null } = {}) {
  const notice = document.createElement("div");
  notice.className = `notice ${kind === "away" ? "bad" : kind}`;
  away = kind === "away" ? { notice, button } : null;
  const text = document.createElement("p");
  const strong = document.createElement("strong");
  strong.textContent = message;
  text.append(strong, " ", hint);
  notice.append(text);
  if (button) {
    const element = document.createElement("button");
    element.type = "button";
    [element.textContent, element.onclick] = button;
    notice.append(element);
  }
  if (link) {
    const element = document.createElement("a");
    element.className = "button";
    [element.textContent, element.href] = link;
    notice.append(element);
  }
  const close = document.createElement("button");
  close.type = "button";
  close.className = "quiet close";
  close.textContent = "×";
  close.setAttribute("aria-label", say("close"));
  close.onclick = hush;
  notice.append(close);
  box.replaceChildren(notice);
  clearTimeout(timer);
  if (kind === "good" && !link) timer = setTimeout(hush, SHOWN_MS);
  return notice;
}

export function hush() {
  clearTimeout(timer);
  box.replaceChildren();
}
