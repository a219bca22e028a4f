// What is said to the juror above the answers; one thing at a time.

import { find } from "./shared.js";

const box = find("#notices");

/**
 * Say something.
 * @param {string} message
 * @param {{hint?: string, kind?: "good"|"warn"|"bad"|"", button?: [string, () => void], link?: [string, string]}} more
 */
export function notify(message, { hint = "", kind = "", button = null, link = null } = {}) {
  const notice = document.createElement("div");
  notice.className = `notice ${kind}`;
  const strong = document.createElement("strong");
  strong.textContent = message;
  notice.append(strong, " ", hint);
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
  box.replaceChildren(notice);
  if (kind === "bad" || kind === "warn") notice.scrollIntoView({ block: "nearest" });
}

export function hush() {
  box.replaceChildren();
}
