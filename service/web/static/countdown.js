// The time that is left, counted down where it stands.

const SOON_SECONDS = 300;

/**
 * @param {HTMLElement} until Has `data-left` (seconds), `data-over` (what stands there then) and inside it
 *   a `.countdown` with `data-words`.
 * @param {() => void} over Called when the time is over.
 */
export function countDown(until, over = () => {}) {
  // By this clock and not by the computer's time of day, which may be wrong.
  const ends = performance.now() + 1000 * Number(until.dataset.left);
  const shown = until.querySelector(".countdown");
  const tick = () => {
    const left = Math.max(0, Math.ceil((ends - performance.now()) / 1000));
    if (left === 0) {
      until.classList.remove("open");
      until.textContent = until.dataset.over;
      until.setAttribute("role", "status");
      over();
      return;
    }
    shown.hidden = false;
    shown.classList.toggle("soon", left <= SOON_SECONDS);
    shown.textContent = shown.dataset.words.replace("{time}", clock(left));
    setTimeout(tick, 250);
  };
  tick();
}

function clock(seconds) {
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = two(seconds % 60);
  return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
