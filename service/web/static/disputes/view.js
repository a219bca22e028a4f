// The disputes on the screen: a section a question, a card a group of equal answers.

import { make } from "../make.js";
import { SIGNS, count, find, say } from "../wall/shared.js";

/** How one exception after the other is set by pressing the sign beside an answer. */
const NEXT = { "": "right", right: "wrong", wrong: "disputed", disputed: "" };

export function nextException(verdict) {
  return NEXT[verdict ?? ""] || null;
}

const time = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** A question with its groups. */
export function section(question) {
  const { key, theme, nominal } = question;
  const title = theme
    ? make("h2", {}, `${say("question", question)} `, make("span", { class: "nominal" }, String(nominal)))
    : make("h2", {}, question.title);
  const wall = make("a", { class: "button quiet", href: `/wall/${theme}/${nominal}` }, say("to_wall"));
  const head = make("div", { class: "question-head" }, title, wall);
  const text = key.text ? [make("p", { class: "asked-text" }, key.text)] : [];
  const parts = [make("span", {}, make("span", { class: "soft small" }, `${say("key_answer")} `), make("strong", {}, key.answer))];
  for (const [name, sign] of [["accepted", "✓"], ["rejected", "✗"]]) {
    if (key[name].length === 0) continue;
    parts.push(make("span", { class: name }, make("span", { class: "soft small" }, `${sign} ${say(`key_${name}_word`)} `), key[name].join(" · ")));
  }
  if (key.remark) parts.push(make("span", {}, make("span", { class: "soft small" }, `${say("key_remark")} `), key.remark));
  const cards = question.groups.map((group, index) => card(question, group, index));
  return make(
    "section",
    { class: "disputed-question", data: { question: `${theme}-${nominal}` } },
    head,
    ...text,
    make("div", { class: "key-line" }, ...parts),
    ...cards,
  );
}

function card(question, group, index) {
  const many = group.answers.length;
  const name = group.reading ? `«${group.reading}»` : say("not_read");
  const head = make("h3", {}, name, " ", make("span", { class: "times" }, many > 1 ? `×${count(many)}` : ""));
  const facts = make("p", { class: "facts small soft" });
  if (group.form) facts.append(make("span", {}, say("like", group)));
  if (group.suggestion) {
    facts.append(make("span", {}, say("suggested", { verdict: `${SIGNS[group.suggestion]} ${say(group.suggestion)}` })));
  }
  const shots = make("ol", { class: "shots" }, ...group.answers.map((answer) => shot(question, group, answer)));
  const buttons = [
    ["right", "primary"],
    ["wrong", ""],
    ["blank", "quiet"],
  ].map(([verdict, look]) =>
    make("button", { type: "button", class: `rule ${verdict} ${look}`, data: { rule: verdict } }),
  );
  const form = make("button", { type: "button", class: "quiet", data: { act: "to_key" } }, `+ ${say("to_key")}`);
  const element = make(
    "article",
    { class: "group", tabindex: "-1", data: { index }, "aria-label": `${name} ×${many}` },
    make("div", { class: "group-head" }, head, facts),
    shots,
    ...elsewhere(question, group),
    make("div", { class: "group-actions" }, ...buttons, form),
  );
  return element;
}

function picture(question, answer) {
  const { width, height } = question.crop;
  const alt = answer.text ? say("alt_read", answer) : say("alt_unread");
  return make("img", { src: answer.crop, width, height, alt, loading: "lazy", draggable: "false" });
}

function shot(question, group, answer) {
  const sign = make("button", { type: "button", class: "sign", tabindex: "-1" });
  const crop = make("button", { type: "button", class: "crop", tabindex: "-1" }, picture(question, answer));
  crop.append(make("span", { class: "reading hidden-text" }, answer.text || say("not_read")));
  const words = make("div", { class: "said small" });
  if (answer.text && answer.text !== group.reading) words.append(make("p", {}, say("read_as", answer)));
  const by = make("p", { class: "soft" }, say("disputed_by", { name: answer.by, time: time.format(answer.at * 1000) }));
  words.append(by);
  // Where two read without seeing each other, the remark only repeats their notes.
  if (answer.remark && answer.notes.length === 0) words.append(make("p", { class: "remark" }, answer.remark));
  if (answer.proposed) words.append(make("p", { class: "remark" }, say("proposed", { form: answer.proposed })));
  const notes = answer.notes.map((note) => {
    const verdict = note.verdict ? `${SIGNS[note.verdict]} ${say(note.verdict)}` : say("undecided");
    const item = make("li", { class: "note" }, make("span", { class: "soft" }, note.who), make("strong", {}, verdict));
    if (note.text) item.append(make("span", {}, note.text));
    return item;
  });
  if (notes.length) words.append(make("ul", { class: "notes" }, ...notes));
  const tile = make("li", { class: "shot", data: { sheet: answer.sheet } }, sign, crop, words);
  tile.classList.toggle("alone", group.answers.length === 1);
  return tile;
}

/** What was ruled on equal readings elsewhere; the pictures on request. */
function elsewhere(question, group) {
  const { right, wrong, open, shown } = group.elsewhere;
  if (right + wrong + open === 0) return [];
  const parts = [];
  if (right) parts.push(`✓ ${say("right")}: ${count(right)}`);
  if (wrong) parts.push(`✗ ${say("wrong")}: ${count(wrong)}`);
  if (open) parts.push(`${say("undecided")}: ${count(open)}`);
  const text = say("elsewhere", { counts: parts.join(" · ") });
  if (shown.length === 0) return [make("p", { class: "elsewhere small" }, text)];
  const summary = make("summary", {}, text);
  const shots = shown.map((answer) => {
    const item = make("li", { data: { verdict: answer.ruling } }, picture(question, answer));
    item.append(make("span", { class: "small" }, `${SIGNS[answer.ruling]} ${say(answer.ruling)}`));
    return item;
  });
  return [make("details", { class: "elsewhere small" }, summary, make("ol", { class: "shots small-shots" }, ...shots))];
}

/** Make the answers of a card look as their exceptions say, and its buttons count those that follow it. */
export function showExceptions(element, group, exceptions) {
  const many = group.answers.length;
  const n = count(group.answers.filter(({ sheet }) => !exceptions.has(sheet)).length);
  for (const button of element.querySelectorAll("[data-rule]")) {
    const { rule } = button.dataset;
    button.textContent = `${SIGNS[rule]} ${say(many > 1 ? `rule_${rule}_all` : `rule_${rule}`, { n })}`;
  }
  for (const tile of element.querySelectorAll("li.shot")) {
    const verdict = exceptions.get(tile.dataset.sheet);
    const sign = tile.querySelector(".sign");
    if (verdict) tile.dataset.verdict = verdict;
    else delete tile.dataset.verdict;
    sign.textContent = verdict ? SIGNS[verdict] : "=";
    const words = verdict ? say("exception", { verdict: say(verdict) }) : say("no_exception");
    sign.setAttribute("aria-label", words);
    sign.title = words;
  }
}

/** The forms that were added to the key. */
export function showForms(forms, takeBack) {
  find("#added").hidden = forms.length === 0;
  const items = forms.map((entry) => {
    const back = make("button", { type: "button", class: "quiet" }, say("take_back"));
    back.addEventListener("click", () => takeBack(entry));
    const place = entry.theme ? `${entry.theme}–${entry.nominal}` : say("final_question");
    const sign = entry.accepted ? "✓" : "✗";
    const word = say(entry.accepted ? "accepted_form" : "rejected_form");
    return make(
      "li",
      {},
      make("span", { class: "place" }, place),
      make("span", { class: "form" }, `${sign} ${entry.form}`),
      make("span", { class: "soft small" }, `${word} · ${entry.who}, ${time.format(entry.at * 1000)}`),
      back,
    );
  });
  find("#added ol").replaceChildren(...items);
}
