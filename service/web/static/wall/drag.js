// Dragging the boundary. The tiles stay where they are until it is dropped; a bar shows where it will go.

const EDGE = 90;
const SPEED = 14;

/**
 * Let the boundary be dragged.
 * @param {HTMLElement} list The list of written answers, boundary among them.
 * @param {(count: number) => void} drop Told how many answers shall lie above it.
 */
export function draggable(list, drop) {
  let grip = null;
  let target = null;
  let point = { x: 0, y: 0 };
  let frame = 0;

  const clear = () => {
    for (const tile of list.querySelectorAll(".drop-after, .drop-before")) {
      tile.classList.remove("drop-after", "drop-before");
    }
  };

  const aim = () => {
    const tile = document.elementFromPoint(point.x, point.y)?.closest("#written > .tile");
    if (!tile) return;
    clear();
    const box = tile.getBoundingClientRect();
    const after = point.x > box.left + box.width / 2;
    tile.classList.add(after ? "drop-after" : "drop-before");
    const tiles = [...list.querySelectorAll(":scope > .tile")];
    target = tiles.indexOf(tile) + (after ? 1 : 0);
  };

  const scroll = () => {
    if (!grip) return;
    const beyond = point.y < EDGE + 60 ? -1 : point.y > window.innerHeight - EDGE ? 1 : 0;
    if (beyond) {
      window.scrollBy(0, beyond * SPEED);
      aim();
    }
    frame = requestAnimationFrame(scroll);
  };

  const end = (dropped) => {
    if (!grip) return;
    grip.classList.remove("dragging");
    cancelAnimationFrame(frame);
    clear();
    grip = null;
    if (dropped && target !== null) drop(target);
  };

  list.addEventListener("pointerdown", (event) => {
    const boundary = event.target.closest(".boundary");
    if (!boundary || event.button !== 0) return;
    event.preventDefault();
    grip = boundary;
    target = null;
    point = { x: event.clientX, y: event.clientY };
    grip.setPointerCapture(event.pointerId);
    grip.classList.add("dragging");
    frame = requestAnimationFrame(scroll);
  });
  list.addEventListener("pointermove", (event) => {
    if (!grip) return;
    point = { x: event.clientX, y: event.clientY };
    aim();
  });
  list.addEventListener("pointerup", () => end(true));
  list.addEventListener("pointercancel", () => end(false));
  document.addEventListener("keydown", (event) => event.key === "Escape" && end(false));
}
