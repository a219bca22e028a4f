// What is said of every category: how many are surely in, open, surely out; or that it is decided.

const format = new Intl.NumberFormat(document.documentElement.lang);

/** A sentence with its fields filled in; numbers as people write them. */
export function fill(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (_whole, key) =>
    typeof values[key] === "number" ? format.format(values[key]) : values[key],
  );
}

/**
 * Show the categories in a list that the server has made; its first entry is the pattern of all.
 * @param {HTMLElement} list With the sentences as JSON in `data-words`.
 * @param {object[]} groups As `/api/progress` gives them.
 */
export function showGroups(list, groups) {
  const words = JSON.parse(list.dataset.words);
  const made = groups.map((group, index) => {
    const pattern = list.children[index] ?? list.children[0];
    const entry = index < list.children.length ? pattern : pattern?.cloneNode(true);
    if (!entry) return null;
    entry.dataset.state = group.ring;
    entry.dataset.certain = group.state;
    entry.querySelector(".group-name").textContent = group.group || words.everybody;
    entry.querySelector(".group-says").textContent = group.say
      .map((name) => fill(words[name], group))
      .join(" ");
    entry.querySelector(".arc").setAttribute("stroke-dasharray", `${group.share} 100`);
    return entry;
  });
  if (made.includes(null)) return location.reload(); // there were no categories at all
  list.replaceChildren(...made);
}
