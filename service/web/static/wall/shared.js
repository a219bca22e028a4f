// What the page brings along: words, keys, where it is.

export const shared = JSON.parse(document.getElementById("shared").textContent);

// Verdicts differ in sign as well as in colour.
export const SIGNS = { right: "✓", wrong: "✗", disputed: "?", blank: "∅", undecided: "!" };

/**
 * A sentence in the page's language.
 * @param {string} name One of `words.py`.
 * @param {Record<string, string|number>} values For its placeholders.
 */
export function say(name, values = {}) {
  const sentence = shared.words[name];
  if (sentence === undefined) throw new Error(`no words for ${name}`);
  return sentence.replace(/\{(\w+)\}/g, (whole, key) => (key in values ? String(values[key]) : whole));
}

const format = new Intl.NumberFormat(document.documentElement.lang);

/** A count as people write it. */
export function count(number) {
  return format.format(number);
}

/** The first element that matches; the page is ours, so it is there. */
export function find(selector, root = document) {
  return root.querySelector(selector);
}

/** Theme and nominal out of an address `/wall/3/20`. */
export function placeOf({ pathname }) {
  const [, , theme, nominal] = pathname.split("/");
  return { theme: Number(theme), nominal: Number(nominal) };
}
