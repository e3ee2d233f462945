// Icons, drawn by lines on a grid of 24, and buttons with them.
import { button, h, s } from "./dom.js";

// {name: paths of lines | paths that are filled}
const PATHS = {
  play: "M4 4h16v16H4zM9.3 4v16M14.7 4v16M4 9.3h16M4 14.7h16|M4 4h5.3v5.3H4z",
  set: "M5 19l.8-3.8L16 5a2 2 0 0 1 3 3L8.8 18.2zM14.2 6.8l3 3",
  rules: "M4 6h9M4 12h16M4 18h11|M17 5h2v2h-2zM19 17h2v2h-2z",
  share: "M12 14V4M8 8l4-4 4 4M6 12v8h12v-8",
  help: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.7 2.2c-.8.5-1.2 1-1.2 1.8|M11 16h2v2h-2z",
  theme: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z|M12 4a8 8 0 0 1 0 16z",
  more: "|M4 10.5h3.5V14H4zM10.25 10.5h3.5V14h-3.5zM16.5 10.5H20V14h-3.5z",
  close: "M6 6l12 12M18 6L6 18",
  left: "M15 5l-7 7 7 7",
  right: "M9 5l7 7-7 7",
  undo: "M9 6L4.5 10.5 9 15M4.5 10.5H14a5 5 0 0 1 0 10h-3",
  redo: "M15 6l4.5 4.5L15 15M19.5 10.5H10a5 5 0 0 0 0 10h3",
  erase: "M8.5 6H20v12H8.5L3 12zM11.5 9.5l5 5M16.5 9.5l-5 5",
  check: "M4.5 12.5l5 5 10-11",
  hint: "M9 17c0-2.5-3-3.8-3-7.5a6 6 0 0 1 12 0c0 3.7-3 5-3 7.5zM9.5 20.5h5",
  clock: "M12 5a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 9v4l3 2M10 2h4",
  print: "M7 8V3.5h10V8M7 16.5H4V8h16v8.5h-3M7 13.5h10v7H7z",
  file: "M12 4v11M7.5 10.5L12 15l4.5-4.5M4.5 19.5h15",
  find: "M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l5 5",
  paste: "M6 5h12v16H6zM9 3h6v4H9zM9 12h6M9 16h4",
  make: "M5 5h14v14H5z|M7.5 7.5h3v3h-3zM13.5 13.5h3v3h-3zM13.5 7.5h3v3h-3zM7.5 13.5h3v3h-3z",
  learn: "M12 7C9.5 5 6.5 5 3.5 6v13c3-1 6-1 8.5 1 2.5-2 5.5-2 8.5-1V6c-3-1-6-1-8.5 1zM12 7v13",
  steps: "M3.5 20H8v-5h4.5v-5H17V5h3.5",
  digit: "M4 4h16v16H4zM10 8.5L12.5 7v10",
  corner: "M4 4h16v16H4zM6.8 7.5L8 6.8v3.7M16 7h1.5v3.5",
  centre: "M4 4h16v16H4zM8.5 10.8l1.3-.8v4.5M13 10h2v2.2h-2v2.2h2",
  colors: "M4 4h16v16H4zM20 4L4 20|M4 4h16L4 20z",
  x: "M4 4h16v16H4z|M7 7h10v10H7z",
  o: "M4 4h16v16H4z|M12 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  cross: "M4 4h16v16H4zM9 9l6 6M15 9l-6 6",
  cut: "M4 4h16v16H4zM12 4v10h8",
  restart: "M5 5v5h5M5.5 10A7.5 7.5 0 1 1 5 14",
  flag: "M6 21V4h12l-3 4 3 4H6",
  pause: "M9 5v14M15 5v14",
  region: "M4 4h16v16H4zM4 10h6V7h5v7h5",
  name: "M4 4h16v16H4zM8.5 16.5l3.5-9 3.5 9M9.8 13.2h4.4",
  path: "M7 17V8.5A1.5 1.5 0 0 1 8.5 7H18|M7 14.5a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4z",
  cage: "M4 8.5V4h4.5M15.5 4H20v4.5M20 15.5V20h-4.5M8.5 20H4v-4.5M11 4h2M11 20h2M4 11v2M20 11v2",
  groups: "M4 4h7v7H4zM13 13h7v7h-7zM11 7.5h5.5V13",
  pair: "M3.5 6.5h17v11h-17zM12 6.5v3M12 14.5v3|M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  cornered: "M4 4h16v16H4zM12 4v4.5M12 15.5V20M4 12h4.5M15.5 12H20M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z",
  marked: "M4 4h16v16H4zM12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
  hole: "M4 7V4h3M17 4h3v3M20 17v3h-3M7 20H4v-3M9 9l6 6M15 9l-6 6",
  outside: "M9.5 6h10.5v14H9.5zM13 6v14M16.5 6v14M3.5 10.5h3.5M3.5 15h3.5",
  sight: "M10 10h10v10H10zM3.5 3.5l11 11M10.5 14.5h4v-4",
  sign: "M15.5 6l-7 6 7 6",
  sum: "M17 5H7l6 7-6 7h10",
  pattern: "M3.5 9h17v6h-17zM9.2 9v6M14.8 9v6|M3.5 9h5.7v6H3.5z",
  link: "M10 14a3.5 3.5 0 0 0 5 0l4-4a3.5 3.5 0 0 0-5-5l-1.5 1.5M14 10a3.5 3.5 0 0 0-5 0l-4 4a3.5 3.5 0 0 0 5 5l1.5-1.5",
  plus: "M12 5v14M5 12h14",
};
const MARK = "M9.5 9h.01M9.5 15h.01M14 12.5h4.5";

/** Returns an icon; it says nothing to screen readers. */
export function icon(name) {
  const [lines, filled] = PATHS[name].split("|");
  const solid = filled && s("path", { class: "solid", d: filled });
  return s("svg", { class: "i", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: lines || "M0 0" }), solid);
}
/** Returns the sign of the studio: that of a rule. */
export const mark = () =>
  s("svg", { class: "mark", viewBox: "0 0 28 28", "aria-hidden": "true" }, [
    s("rect", { width: 28, height: 28, rx: 6 }),
    s("path", { d: MARK }),
  ]);
/** Returns a button with an icon and words. */
export const labelled = (name, words, call, more = {}) =>
  button([icon(name), h("span", {}, words)], call, { class: "btn", ...more });
/** Returns a button with an icon only; its words are for screen readers and tooltips. */
export const iconButton = (name, words, call, more = {}) =>
  button(icon(name), call, { class: "btn bare square", "aria-label": words, title: words, ...more });
