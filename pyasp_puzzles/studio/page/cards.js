// Rules as cards: sections, sentences, lines, what was changed, what is wrong. Nothing here needs the page.
//
// Card  {section: "Test", words: "Each cell holds one number.", named: true, begin: 40, end: 41, first: 41, last: 41,
//        lines: [{sign: " ", number: 41, text: "violated(cell(R, C)) :- ...", code: true}]}
//       `begin` and `end` are the lines of the whole card, `first` and `last` those of its statements

/** Returns the lines of two texts as [sign, line]: "-" only in the first, "+" only in the second, " " in both. */
export function difference(first, second) {
  const [a, b] = [first.split("\n"), second.split("\n")];
  const longest = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i][j] = a[i] === b[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  const found = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      found.push([" ", a[i]]);
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && longest[i + 1][j] >= longest[i][j + 1])) {
      found.push(["-", a[i]]);
      i += 1;
    } else {
      found.push(["+", b[j]]);
      j += 1;
    }
  }
  return found;
}

const bare = (line) => line.replace(/^\s*% ?/, "");
const isComment = (line) => line.trimStart().startsWith("%");

/** Returns the cards of rules, given the rules as they ship: a card is what is between two empty lines. */
export function cards(text, shipped = text) {
  const found = [];
  let [section, number, lines] = ["", 0, []];
  const end = () => {
    if (lines.length) found.push(card(section, lines, number));
    lines = [];
  };
  for (const [sign, line] of difference(shipped, text)) {
    const heading = /^%\s*--+\s*(.*?)[\s-]*$/.exec(line);
    if (!line.trim() || heading) {
      if (sign !== "-") end();
      section = heading ? heading[1] : section;
    }
    if (sign !== "-") number += 1;
    if (line.trim() && !heading) lines.push({ sign, number: sign === "-" ? null : number, text: line });
  }
  number += 1;
  end();
  return found.filter((one) => one.lines.some(({ code, text: line }) => code && !line.startsWith("#")));
}
function card(section, lines, next) {
  const gone = lines.filter(({ sign }) => sign === "-").map((line) => line.text.trim());
  const off = ({ sign, text }) => sign === "+" && isComment(text) && gone.includes(bare(text).trim());
  lines.forEach((line) => (line.code = !isComment(line.text) || off(line)));
  const there = lines.filter(({ sign }) => sign !== "-");
  const own = there.filter((line) => line.code && !off(line));
  const all = there.length ? there : lines;
  const head = all.slice(0, all.findIndex(({ code }) => code));
  const code = own.map(({ text }) => text.trim()).join("\n");
  return {
    section,
    lines,
    words: head.map(({ text }) => bare(text)).join(" "),
    named: /(^|\.\s*)violated\s*\(/.test(code),
    enforces: /(^|\.\s*):-\s*violated\s*\(/.test(code),
    changed: lines.some(({ sign }) => sign !== " "),
    off: gone.length > 0 && !own.length,
    begin: there[0]?.number ?? next,
    end: there.at(-1)?.number ?? next - 1,
    first: own[0]?.number,
    last: own.at(-1)?.number,
  };
}

/** Returns a text with other lines for those of a card. */
export function replaced(text, { begin, end }, fresh) {
  const lines = text.split("\n");
  lines.splice(begin - 1, end - begin + 1, ...fresh);
  return lines.join("\n");
}
/** Returns a text in which a card is as it shipped; one that has no line left comes back between empty ones. */
export function restored(text, one) {
  const own = one.lines.filter(({ sign }) => sign !== "+").map((line) => line.text);
  const gap = (line) => (one.end < one.begin && line?.trim() ? [""] : []);
  const lines = text.split("\n");
  return replaced(text, one, [...gap(lines[one.begin - 2]), ...own, ...gap(lines[one.begin - 1])]);
}
/** Returns a text in which the statements of a card are comments. */
export const without = (text, one) =>
  replaced(
    text,
    one,
    one.lines.filter(({ sign }) => sign !== "-").map((line) => (isComment(line.text) ? line.text : `% ${line.text}`)),
  );
/** Returns the lines of a card as they are now, as one text. */
export const written = ({ lines }) => lines.filter(({ sign }) => sign !== "-").map(({ text }) => text).join("\n");

/** Says how often a rule applies, given the sizes of its statements. */
export function sizeWords(sizes) {
  const size = sizes.reduce((one, other) => (other.instances > (one?.instances ?? 0) ? other : one), null);
  if (!size) return "";
  const { instances, places, single } = size;
  if (instances === 1) return single ? "1 cell" : "once";
  if (instances === places) return `${places} ${single ? "cells" : "times"}`;
  return instances % places ? `${instances} times` : `${places} × ${instances / places}`;
}

// -- Faults ---------------------------------------------------------------------------------------------

const VARIABLE = /\b_*[A-Z]\w*'*/g;

/** Returns a fault with the one token to blame, and its column: of unsafe variables, the one that is nowhere else. */
export function blamed(text, mark) {
  if (mark.fault?.kind !== "unsafe") return mark;
  const lines = text.split("\n");
  const all = statement(lines, mark.line - 1).match(VARIABLE) ?? [];
  const names = mark.fault.token.split(" ");
  const token = names.find((name) => all.filter((one) => one === name).length === 1) ?? names[0];
  const at = new RegExp(`\\b${token}\\b`).exec(lines[mark.line - 1]);
  return { ...mark, column: at ? at.index + 1 : mark.column, fault: { ...mark.fault, token } };
}
/** Says in plain words what is wrong, if that is known. */
export function plainly({ fault, words }) {
  const { kind, token, instead } = fault ?? {};
  if (kind === "unsafe") return `${token} is never given a value. Each variable needs an atom that says what it can be.`;
  if (kind === "undefined") return `Nothing says what ${token} is.${instead ? ` Did you mean ${instead}?` : ""}`;
  return kind === "stop" ? "A full stop is missing at the end of a rule." : words;
}
/** Returns the only repair of a fault that `blamed` has returned, {words, text}; null if there is none or a choice. */
export function repair(text, { fault, line, column }) {
  const lines = text.split("\n");
  const now = lines[line - 1] ?? "";
  const change = (token, instead) => {
    const at = now.indexOf(token, (column ?? 1) - 1);
    if (at < 0 || !instead) return null;
    lines[line - 1] = now.slice(0, at) + instead + now.slice(at + token.length);
    return { words: `Change ${token} to ${instead}`, text: lines.join("\n") };
  };
  if (fault?.kind === "undefined") return change(fault.token, fault.instead);
  if (fault?.kind === "unsafe") {
    const all = statement(lines, line - 1).match(VARIABLE) ?? [];
    const once = all.filter((name) => name !== fault.token && all.indexOf(name) === all.lastIndexOf(name));
    return once.length === 1 ? change(fault.token, once[0]) : null;
  }
  if (fault?.kind !== "stop") return null;
  const [before, after] = [now.slice(0, column - 1).trimEnd(), now.slice(column - 1)];
  let at = before ? line - 1 : line - 2;
  while (at >= 0 && (!lines[at].trim() || isComment(lines[at]))) at -= 1;
  if (at < 0) return null;
  lines[at] = before && after ? `${before}. ${after}` : lines[at].replace(/\s*(%[^"]*)?$/, (end) => `.${end.trimEnd()}`);
  return { words: `Add a full stop to line ${at + 1}`, text: lines.join("\n") };
}
/** Returns the statement that has a line, without comments. */
function statement(lines, at) {
  const code = lines.map((line) => line.replace(/%.*/, "").trimEnd());
  let [first, last] = [at, at];
  while (first > 0 && code[first - 1] && !code[first - 1].endsWith(".")) first -= 1;
  while (last < code.length - 1 && !code[last].endsWith(".")) last += 1;
  return code.slice(first, last + 1).join("\n");
}
