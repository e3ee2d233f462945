// The card: words about a place on the board, shown beside it. There is one card at a time.
import { light, pointOf } from "./board.js";
import { get, h } from "./dom.js";
import { icon, iconButton } from "./icons.js";
import { places, withPlaces } from "./player.js";

let at = []; // the cells that it is about
let rest = () => {}; // lights the board up as the card wants it
let closed = null;

/**
 * Shows a card. `words` with `spans` have names of cells, which are lit while they are pointed at; `lit()` lights up the
 * board otherwise. `actions` are buttons, the first of which gets the focus.
 */
export function card({ tone = "", head = [], words = "", spans = null, cells = [], actions = [], lit = light, close = null }) {
  const told = words && h("p", { class: "words", "data-spans": spans }, words);
  const shut = iconButton("close", "Close", uncard);
  const own = h("div", { class: `card ${tone}`, role: "group", "aria-label": "About the board" }, shut, head, told);
  own.append(...(actions.length ? [h("div", { class: "row" }, actions)] : []));
  [at, rest, closed] = [cells, lit, close];
  get("card").replaceChildren(own);
  document.body.classList.add("carded");
  places(own, (some) => (some.length ? light(some) : rest()));
  withPlaces(own, "button");
  rest();
  put();
  actions[0]?.focus({ preventScroll: true });
}
/** Takes the card away. */
export function uncard() {
  if (!get("card").firstChild) return;
  const call = closed;
  closed = null;
  get("card").replaceChildren();
  document.body.classList.remove("carded");
  light();
  call?.();
}
export const carded = () => Boolean(get("card").firstChild);

/** Puts the card left of the board, at the height of its place; below the board where there is no room. */
function put() {
  const own = get("card").firstChild;
  if (!own) return;
  const [table, stage, left, right] = ["table", "stage", "left", "right"].map((id) => get(id).getBoundingClientRect());
  const wide = innerWidth > 1100 && left.width > 200;
  const below = !wide && right.top >= stage.bottom - 1;
  const { x, y } = at.length ? pointOf(at) : { x: stage.x + stage.width / 2, y: stage.y + stage.height / 2 };
  own.classList.toggle("below", below);
  own.classList.toggle("over", !wide && !below);
  const width = wide ? left.width + 14 : below ? table.width - 2 * (right.x - table.x) : right.width;
  own.style.width = `${width}px`;
  const high = own.offsetHeight;
  const told = get("left").querySelector(".told p")?.getBoundingClientRect().bottom ?? 0; // it hides no rules
  const room = [Math.max(wide ? told : 0, table.top) + 8, Math.max(table.top + 8, table.bottom - high - 12)];
  const top = below ? stage.bottom + 10 : Math.min(room[1], Math.max(room[0], wide ? y - high / 2 : right.top));
  own.style.left = `${(wide ? left.x : right.x) - table.x}px`;
  own.style.top = `${top - table.top}px`;
  const tail = below ? x - right.x : y - top;
  own.style.setProperty("--tail", `${Math.min((below ? width : high) - 24, Math.max(24, tail))}px`);
  if (below && top + high > innerHeight) own.scrollIntoView({ block: "nearest" });
}
new ResizeObserver(put).observe(get("stage"));
addEventListener("resize", put);
addEventListener("keydown", (event) => event.key === "Escape" && !get("dialog").open && uncard());

/** Returns a title for a card, with an icon. */
export const heading = (words, name = "") => h("h2", {}, name ? icon(name) : "", words);
