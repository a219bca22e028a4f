// Elements made by hand: no text ever becomes markup.

/** An element with attributes, properties of `dataset`, and children. */
export function make(tag, { data = {}, ...attributes } = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  Object.assign(element.dataset, data);
  element.append(...children);
  return element;
}
