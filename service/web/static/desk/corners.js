// Pointing at the four corner marks on the picture, with a lens; by mouse, finger or arrow keys.

import { say } from "../wall/shared.js";
import { button, make } from "./make.js";

const SIDE = 2000;
const LENS = 3;
const STEP = 0.0015;

/** From the picture as it is shown, turned clockwise, to the picture as it was scanned; parts of 1. */
function unturned([u, v], turn) {
  return { 0: [u, v], 90: [v, 1 - u], 180: [1 - u, 1 - v], 270: [1 - v, u] }[turn];
}

/** Four points in the order top left, top right, bottom right, bottom left. */
function sorted(points) {
  const middle = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / 4);
  const angle = ([x, y]) => Math.atan2(y - middle[1], x - middle[0]);
  const round = [...points].sort((a, b) => angle(a) - angle(b));
  const first = round.reduce((best, [x, y], at) => (x + y < round[best][0] + round[best][1] ? at : best), 0);
  return [...round.slice(first), ...round.slice(0, first)];
}

/**
 * The picture with its tools.
 * @param {object} item The page.
 * @param {(body: object) => Promise<void>} place Sends turn and corners.
 * @param {Node} away The button that puts the page away.
 */
export function marking(item, place, away) {
  let turn = item.turn;
  let points = [];
  let chosen = -1;
  const picture = make("img", { alt: "", draggable: false });
  const lens = make("div.lens", { hidden: true });
  const frame = make("div.frame", {}, picture, lens);
  const said = make("span.soft.small", { role: "status" });
  const read = button(say("read_again"), send, "primary");
  read.dataset.primary = "";

  function show() {
    picture.src = `/api/desk/page/${item.id}/picture?turn=${turn}&side=${SIDE}&v=${item.version}`;
  }
  function draw() {
    for (const old of frame.querySelectorAll(".point")) old.remove();
    points.forEach(([x, y], at) => {
      const mark = make("button.point", { type: "button", ariaLabel: String(at + 1) }, String(at + 1));
      mark.style.left = `${100 * x}%`;
      mark.style.top = `${100 * y}%`;
      mark.classList.toggle("chosen", at === chosen);
      frame.append(mark);
    });
    said.textContent = say("points", { n: points.length });
    read.disabled = points.length !== 4 && turn === item.turn;
  }
  function turned(by) {
    turn = (turn + by + 360) % 360;
    points = [];
    chosen = -1;
    show();
    draw();
  }
  function at(event) {
    const box = picture.getBoundingClientRect();
    const part = (value, low, size) => Math.min(1, Math.max(0, (value - low) / size));
    return [part(event.clientX, box.left, box.width), part(event.clientY, box.top, box.height)];
  }
  function look([x, y]) {
    const box = picture.getBoundingClientRect();
    lens.hidden = false;
    // Away from the finger: on the other side of the picture.
    lens.classList.toggle("right", x < 0.5);
    lens.style.backgroundImage = `url("${picture.src}")`;
    lens.style.backgroundSize = `${box.width * LENS}px ${box.height * LENS}px`;
    const half = lens.clientWidth / 2;
    lens.style.backgroundPosition = `${half - x * box.width * LENS}px ${half - y * box.height * LENS}px`;
  }
  frame.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    event.preventDefault();
    frame.setPointerCapture(event.pointerId);
    const here = at(event);
    const near = points.findIndex(([x, y]) => Math.hypot(x - here[0], y - here[1]) < 0.03);
    if (near >= 0) chosen = near;
    else if (points.length < 4) chosen = points.push(here) - 1;
    else return;
    look(here);
    draw();
  });
  frame.addEventListener("pointermove", (event) => {
    const here = at(event);
    if (frame.hasPointerCapture(event.pointerId) && chosen >= 0) {
      points[chosen] = here;
      draw();
      look(here);
    } else if (event.pointerType === "mouse") look(here);
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
    frame.addEventListener(name, (event) => {
      if (name === "pointerleave" || event.pointerType !== "mouse") lens.hidden = true;
    });
  }

  async function send() {
    if (read.disabled) return;
    read.disabled = true;
    said.textContent = say("reading");
    const corners = points.length === 4 ? sorted(points).map((point) => unturned(point, turn)) : [];
    try {
      await place({ turn, corners });
    } finally {
      draw();
    }
  }

  /** Arrow keys move the point that was set last; true if they did. */
  function nudge(key) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    if (!way || chosen < 0) return false;
    points[chosen] = points[chosen].map((part, axis) => Math.min(1, Math.max(0, part + way[axis] * STEP)));
    draw();
    look(points[chosen]);
    return true;
  }

  show();
  draw();
  const tools = make(
    "div.tools",
    {},
    button(`⟲ ${say("turn_left")}`, () => turned(-90)),
    button(`⟳ ${say("turn_right")}`, () => turned(90)),
    button(say("clear"), () => turned(0)),
    away,
    said,
    read,
  );
  const node = make(
    "div.marking",
    {},
    make("p", {}, say("corners_how"), " ", make("span.soft", {}, say("corners_gone"))),
    tools,
    frame,
  );
  return { node, nudge };
}
