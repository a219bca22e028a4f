// From key presses to the names that `keys.py` uses.

const PLAIN = { " ": "Space", Spacebar: "Space", "=": "+", "_": "-" };
const BY_PLACE = { BracketLeft: "[", BracketRight: "]", Slash: "?", Minus: "-", Equal: "+" };

/**
 * The name of a key press, empty if it can be none of ours.
 *
 * Under a Russian layout the key R gives «к»: then the place on the keyboard decides. `?` lies elsewhere in
 * every layout, so its own sign goes first.
 */
export function keyName(event) {
  if (event.isComposing || event.altKey) return "";
  const { key, code } = event;
  let name = PLAIN[key] ?? key;
  if (name.length === 1) {
    if (/[a-z]/i.test(name)) name = name.toLowerCase();
    else if (!/[0-9?[\]+-]/.test(name)) name = byPlace(code);
  }
  if (event.ctrlKey || event.metaKey) return name ? `Ctrl+${name}` : "";
  return name;
}

function byPlace(code) {
  if (code.startsWith("Key")) return code.slice(3).toLowerCase();
  if (code.startsWith("Digit") || code.startsWith("Numpad")) return code.slice(-1);
  return BY_PLACE[code] ?? "";
}
