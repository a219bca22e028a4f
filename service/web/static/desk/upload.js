// Files from this device: dropped, chosen, or just photographed. One is sent at a time.

import { count, find, say } from "../wall/shared.js";
import { make } from "./make.js";

const list = find("#jobs");
const drop = find("#drop");
const waiting = [];
const sending = new Map();
let busy = false;
let changed = () => {};

/** Begin to listen. `tell` is called when a file has reached the server. */
export function takeFiles(tell) {
  changed = tell;
  for (const id of ["#files", "#camera"]) {
    find(id).addEventListener("change", (event) => {
      add(event.target.files);
      event.target.value = "";
    });
  }
  const over = (on) => (event) => {
    if (![...(event.dataTransfer?.types ?? [])].includes("Files")) return;
    event.preventDefault();
    drop.classList.toggle("over", on);
  };
  window.addEventListener("dragover", over(true));
  window.addEventListener("dragleave", (event) => event.relatedTarget || over(false)(event));
  window.addEventListener("drop", (event) => {
    over(false)(event);
    add(event.dataTransfer?.files ?? []);
  });
  window.addEventListener("beforeunload", (event) => busy && event.preventDefault());
}

function add(files) {
  waiting.push(...files);
  next();
}

function next() {
  if (busy || !waiting.length) return;
  busy = true;
  const file = waiting.shift();
  const said = make("span.soft.small", {}, say("sending", { percent: 0 }));
  const row = make("li", {}, make("b", {}, file.name), " ", said);
  list.prepend(row);
  sending.set(row, true);
  const ended = (problem) => {
    busy = false;
    sending.delete(row);
    if (problem) {
      row.className = "bad";
      said.textContent = `${say("not_sent")} ${problem}`;
      sending.set(row, false);
    } else row.remove();
    changed();
    next();
  };
  // XMLHttpRequest: fetch tells nothing about how much has been sent.
  const request = new XMLHttpRequest();
  const keep = find("#keep").checked;
  request.open("POST", `/api/desk/files?keep=${keep}&name=${encodeURIComponent(file.name || "photo.jpg")}`);
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) {
      said.textContent = say("sending", { percent: Math.floor((100 * event.loaded) / event.total) });
    }
  });
  request.addEventListener("load", () => {
    if (request.status < 300) return ended("");
    let data = {};
    try {
      data = JSON.parse(request.responseText);
    } catch {
      // Something in between answered.
    }
    ended(`${data.message ?? ""} ${data.hint ?? ""}`.trim() || String(request.status));
  });
  request.addEventListener("error", () => ended(say("no_connection")));
  request.send(file);
}

/** Show the server's jobs below what is being sent from here. */
export function showJobs(jobs) {
  const rows = jobs.slice(0, 12).map((job) =>
    make(
      `li.${job.state}${job.bad ? ".bad" : ""}`,
      { data: { job: job.id } },
      make("span.sign", { ariaHidden: "true" }, { waiting: "…", running: "⟳", done: job.bad ? "!" : "✓", failed: "!" }[job.state]),
      make("b", {}, job.name),
      " ",
      make("span.small", {}, job.said),
    ),
  );
  list.replaceChildren(...sending.keys(), ...rows);
  list.dataset.count = count(jobs.length);
}
