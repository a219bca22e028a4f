// Suggestions under the field of a player. Without this script the server answers the same search.

const WAIT_MS = 120;

function searching(box) {
  const input = box.querySelector("input");
  const list = document.createElement("ul");
  list.className = "suggestions";
  list.id = `${input.id}-suggestions`;
  list.setAttribute("role", "listbox");
  list.hidden = true;
  const said = document.createElement("span");
  said.className = "hidden-text";
  said.setAttribute("role", "status");
  box.append(list, said);
  for (const [name, value] of [
    ["role", "combobox"],
    ["aria-autocomplete", "list"],
    ["aria-expanded", "false"],
    ["aria-controls", list.id],
  ]) {
    input.setAttribute(name, value);
  }
  let timer = 0;
  let asked = 0;
  let at = -1;

  const options = () => [...list.querySelectorAll('[role="option"]')];

  function close() {
    asked += 1; // an answer on its way comes too late
    list.hidden = true;
    at = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function choose(option) {
    input.value = option.dataset.number;
    close();
    input.form.requestSubmit();
  }

  function mark(index) {
    const all = options();
    at = all.length ? (index + all.length) % all.length : -1;
    all.forEach((option, place) => option.setAttribute("aria-selected", String(place === at)));
    if (at >= 0) {
      input.setAttribute("aria-activedescendant", all[at].id);
      all[at].scrollIntoView({ block: "nearest" });
    }
  }

  function show(players) {
    list.replaceChildren(
      ...players.map((player, index) => {
        const option = document.createElement("li");
        option.id = `${list.id}-${index}`;
        option.setAttribute("role", "option");
        option.setAttribute("aria-selected", "false");
        option.dataset.number = player.number;
        const name = document.createElement("b");
        name.textContent = `№ ${player.number} ${player.name}`;
        const about = document.createElement("span");
        about.className = "small soft";
        about.textContent = player.about;
        option.append(name, about);
        return option;
      }),
    );
    if (!players.length) {
      const none = document.createElement("li");
      none.className = "none";
      none.textContent = box.dataset.none;
      list.append(none);
    }
    said.textContent = players.length
      ? box.dataset.found.replace("{n}", players.length)
      : box.dataset.none;
    at = -1;
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
  }

  async function ask() {
    const text = input.value.trim();
    if (!text) {
      close();
      return;
    }
    asked += 1;
    const mine = asked;
    try {
      const response = await fetch(`/api/players?q=${encodeURIComponent(text)}`);
      if (response.ok && mine === asked) show(await response.json());
    } catch {
      // Without a connection the form itself still says what is wrong.
    }
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT_MS);
  });
  input.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    if (event.key === "ArrowDown") mark(at + 1);
    else if (event.key === "ArrowUp") mark(at - 1);
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" && at >= 0) choose(options()[at]);
    else return;
    event.preventDefault();
  });
  // Before the field loses the focus, which closes the list.
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest('[role="option"]');
    if (option) choose(option);
  });
  input.addEventListener("blur", close);
}

for (const box of document.querySelectorAll("[data-search]")) searching(box);
