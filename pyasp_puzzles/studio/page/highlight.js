// Rules in colors.
import { h } from "./dom.js";

const TOKENS = new RegExp(
  [
    "(?<comment>%\\*[^]*?\\*%|%[^\\n]*)",
    '(?<string>"(?:\\\\.|[^"\\\\])*"?)',
    "(?<directive>#[a-z]+|\\bnot\\b)",
    "(?<variable>\\b_*[A-Z]\\w*'*)",
    "(?<number>\\b\\d+\\b)",
    "(?<name>\\b_*[a-z]\\w*'*(?=\\())",
    "(?<operator>:-|:~|\\.\\.|!=|<=|>=|[{}|<>=+*/\\\\])",
  ].join("|"),
  "g",
);

/** Returns rules as text with spans for comments, variables and so on. */
export function highlighted(text) {
  const found = [];
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const [name] = Object.entries(match.groups).find(([, value]) => value !== undefined);
    found.push(text.slice(end, match.index), h("span", { class: `hl-${name}` }, match[0]));
    end = match.index + match[0].length;
  }
  return [...found, text.slice(end)];
}

/** Returns a line of rules as spans: short atoms are never broken over lines, and a phone shortens the indent. */
export function lineOf(text) {
  const indent = /^ */.exec(text)[0];
  const rest = text.slice(indent.length);
  const atoms = rest.includes("%") ? [rest] : rest.split(/((?:\bnot )?\b\w+\([^()]{1,30}\))/);
  const parts = atoms.map((part, i) => (i % 2 ? [h("span", { class: "atom" }, highlighted(part))] : highlighted(part)));
  return [h("span", { class: "indent" }, indent), ...parts.flat()];
}
