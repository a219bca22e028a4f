// One page of paper, with what it needs.

import { count, say } from "../wall/shared.js";
import { marking } from "./corners.js";
import { button, make } from "./make.js";
import { choosing } from "./players.js";

const scan = (item, side = 2000) => `/api/desk/page/${item.id}/picture?turn=${item.turn ?? 0}&side=${side}&v=${item.version}`;
const crop = (page, box, version) => `/api/desk/page/${page}/crop/${box}?v=${version}`;

/**
 * Build the open page.
 * @param {object} item What the server tells of it.
 * @param {Record<string, Function>} act What its buttons do.
 * @returns {{nodes: Node[], focus?: () => void, nudge?: (key: string) => boolean}}
 */
export function opened(item, act) {
  const head = make(
    "header.about",
    {},
    button(`← ${say("back")}`, act.back, "back"),
    make("h2", { id: "asks" }, `${item.title}: ${item.asks}`),
    make("p.soft.small.file", {}, say("page", { file: item.file, page: item.page })),
    make("p", {}, item.why),
  );
  const away = button(say("aside"), () => act.aside(item), "quiet");
  const build = { name: whose, owner: whose, place: where, choose: which }[item.need] ?? lost;
  const built = build(item, act, away);
  return { ...built, nodes: [head, ...built.nodes] };
}

function whose(item, act, away) {
  const chooser = choosing(item, act.give);
  const written = [];
  if (item.number_box) {
    const picture = crop(item.id, "number", item.version);
    written.push(make("figure", {}, make("figcaption.soft.small", {}, say("number_written")), make("img.number-box", { src: picture, alt: "" })));
  }
  const head = make("div.head-window", {}, make("img", { src: item.picture, alt: say("head_written") }));
  written.push(make("figure", {}, make("figcaption.soft.small", {}, say("head_written")), head));
  return {
    nodes: [make("div.written", {}, ...written), chooser.node, make("div.tools", {}, away), whole(item)],
    focus: chooser.focus,
  };
}

function where(item, act, away) {
  const marker = marking(item, (body) => act.place(item, body), away);
  return { nodes: [marker.node], nudge: marker.nudge };
}

function which(item, act) {
  const { rival } = item;
  const keep = button(say("keep_this"), () => act.aside(item), "primary");
  keep.dataset.primary = "";
  const take = button(say("take_this"), () => act.choose(item));
  const scanned = (title, picture, name, deed) =>
    make("figure", {}, make("figcaption", {}, make("b", {}, title), make("span.soft.small.file", {}, ` ${name}`)), make("a", { href: picture, target: "_blank" }, make("img", { src: picture, alt: title })), deed);
  const warning = item.rulings ? make("p.notice.warn", {}, say("rulings_lost", { n: count(item.rulings) })) : null;
  const row = (pair) =>
    make(
      pair.differs ? "div.pair.differs" : "div.pair",
      { data: { box: pair.box } },
      make("p.small", {}, make("b", {}, pair.name), pair.differs ? make("span.badge.person", {}, say("differs")) : null),
      ...[rival, item].map((page, at) =>
        make("figure", {}, make("img", { src: crop(page.id, pair.box, page.version), alt: pair.ink[at], loading: "lazy" }), make("figcaption.soft.small", {}, pair.ink[at])),
      ),
    );
  const same = item.pairs.filter((pair) => !pair.differs);
  const others = same.length ? make("details", {}, make("summary", {}, `${say("same_answers")} `, make("b", {}, count(same.length))), ...same.map(row)) : null;
  const nodes = [
    warning,
    make("div.pairs", {}, make("div.pair.titles", {}, make("p", {}), make("b", {}, say("now_counts")), make("b", {}, say("other_scan"))), ...item.pairs.filter((pair) => pair.differs).map(row)),
    make("div.scans", {}, scanned(say("now_counts"), rival.picture, rival.name, keep), scanned(say("other_scan"), item.picture, `${item.file}#${item.page}`, take)),
    others,
  ];
  return { nodes: nodes.filter(Boolean) };
}

function lost(item, act, away) {
  away.className = "primary";
  away.dataset.primary = "";
  const picture = item.picture ? make("img.whole", { src: item.picture, alt: say("whole_page") }) : null;
  return { nodes: [make("div.tools", {}, away), picture].filter(Boolean) };
}

function whole(item) {
  const picture = make("img.whole", { alt: say("whole_page"), loading: "lazy" });
  const details = make("details", {}, make("summary", {}, say("whole_page")), picture);
  // The scan in full is made only when somebody wants to see it.
  details.addEventListener("toggle", () => (picture.src ||= scan(item)), { once: true });
  return details;
}
