// Small helpers for building the page; text is always put in as text.

/**
 * An element.
 * @param {string} tag Name, with classes after dots.
 * @param {Record<string, unknown>} [values] Properties; `on…` are listeners, `data` is the dataset.
 * @param {...(Node|string|null|undefined)} children
 */
export function make(tag, values = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const made = document.createElement(name);
  made.className = classes.join(" ");
  for (const [key, value] of Object.entries(values)) {
    if (key === "data") Object.assign(made.dataset, value);
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export const button = (word, act, kind = "") =>
  make(kind ? `button.${kind}` : "button", { type: "button", onclick: act }, word);
