// Boards in and out: the dialog that opens one, text and files in every format, links.
import { about, askAll } from "./ask.js";
import { button, choice, download, duration, field, fold, get, h } from "./dom.js";
import { clear, edit, open, save, state } from "./state.js";
import { inProgress } from "./store.js";
import { say } from "./talk.js";

const ENDINGS = { toml: "toml", lp: "lp", svg: "svg", json: "json", steps: "html" };

/** Returns the board in a format; null, and says why, if it does not fit. */
async function written(format) {
  say("");
  const found = await askAll(about({ ask: "write", format, entries: "" }));
  const record = found?.records.find(({ kind }) => kind === "text");
  if (found && !record) {
    say(found.error?.words ?? (found.end.late ? "Out of time." : "This format has no place for the board."), "bad");
  } else if (record?.warnings?.length) {
    say(record.warnings.join(" "), "bad");
  }
  return record?.text ?? null;
}
async function give(format) {
  const words = state.doc.board.title || state.doc.board.puzzle;
  const name = words.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  const text = await written(format === "png" ? "svg" : format);
  if (text && format === "png") {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    const [width, height] = [image.width * 2, image.height * 2];
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    canvas.getContext("2d").drawImage(image, 0, 0, width, height);
    canvas.toBlob((blob) => download(`${name}.png`, blob));
  } else if (text) {
    download(`${name}.${ENDINGS[format] ?? "txt"}`, text);
  }
}
async function links(list) {
  const found = await askAll(about({ ask: "links", entries: "" }));
  const record = found?.records.find(({ kind }) => kind === "links");
  const copy = async ({ format, text }) => {
    await navigator.clipboard.writeText(text);
    say(`Copied the link for ${format}.`, "good");
  };
  const onfocus = (event) => event.target.select();
  const row = (one) => {
    const link = { value: one.text, readonly: true, class: "grow", "aria-label": `Link for ${one.format}`, onfocus };
    return h("li", {}, h("span", {}, one.format), h("input", link), button("Copy", () => copy(one)));
  };
  list.replaceChildren(...[...(record?.links ?? []), { format: "this page", text: location.href }].map(row));
}
/** Returns the box with text, files and links of the board. */
export function files() {
  const known = (state.catalogue?.formats ?? []).map(({ name, summary }) => [name, `${name}: ${summary}`]);
  const all = [...known, ["png", "png: A picture of the board."]];
  const format = choice(all, "toml", () => say(""), { "aria-label": "Format", id: "format" });
  const text = h("textarea", { rows: 12, "aria-label": "The board as text", spellcheck: "false" });
  const list = h("ul", { class: "links" });
  const fill = async () => (text.value = (await written(format.value === "png" ? "svg" : format.value)) ?? "");
  const take = async () => {
    const found = await askAll({ ask: "read", text: text.value });
    const record = found?.records.find(({ kind }) => kind === "board");
    record ? edit((doc) => (doc.board = record.board)) : say(found?.error?.words ?? "There is no board in it.", "bad");
  };
  return fold(
    "Text, download, links",
    h("div", { class: "row" }, format),
    h(
      "div",
      { class: "row" },
      button("Download", () => give(format.value), { id: "download" }),
      button("Show as text", fill, { id: "as-text" }),
      button("Links", () => links(list), { id: "links" }),
    ),
    list,
    text,
    button("Use this text", take, { id: "take" }),
  );
}

/** Fills the list of the dialog anew, when the boards that ship are known. */
export let refill = () => {};
/** Opens the dialog with the boards that ship, and a place for a pasted one. */
export function openDialog() {
  const dialog = get("dialog");
  const hint = "Paste a link, a grid, TOML, facts, …";
  const plain = { rows: 6, spellcheck: "false", autofocus: true };
  const pasted = { "aria-label": "A board in any format", placeholder: hint, ...plain };
  const text = h("textarea", pasted);
  const wrong = h("p", { class: "bad", role: "alert" });
  const begun = h("ul", { class: "begun" });
  const list = h("ul", { class: "shipped" });
  const use = (board) => {
    open(board);
    dialog.close();
  };
  const take = async (question) => {
    const found = await askAll({ ask: "read", ...question });
    const boards = (found?.records ?? []).filter(({ kind }) => kind === "board");
    wrong.textContent = boards.length ? "" : (found?.error?.words ?? "There is no board in it.");
    const row = ({ board, title }, i) => h("li", {}, button(title || `Board ${i + 1}`, () => use(board)));
    boards.length === 1 ? use(boards[0].board) : boards.length && list.replaceChildren(...boards.map(row));
  };
  const fill = (words = "") => {
    const fits = ({ name, title }) => `${name} ${title}`.toLowerCase().includes(words.toLowerCase());
    const row = ({ name, title }) => {
      const label = [h("b", {}, title || name), " ", h("small", {}, name)];
      return h("li", {}, button(label, () => take({ name }), { "data-board": name }));
    };
    list.replaceChildren(...(state.catalogue?.boards ?? []).filter(fits).map(row));
  };
  /** Lists what is in progress, each board with a button that clears it. */
  const resume = () => {
    const row = ([name, { doc, seconds }]) => {
      const { board, entries, ribbons, pieces } = doc;
      const words = board.title || board.puzzle;
      const many = Object.keys(entries).length + ribbons.length + pieces.length;
      const told = [h("b", {}, words), " ", h("small", {}, `${many} filled in, ${duration(seconds)}`)];
      const gone = () => (clear(name), resume());
      return h(
        "li",
        {},
        button(told, () => use(board), { class: "grow" }),
        button("×", gone, { "aria-label": `Clear ${words}`, title: "Clear what was done on it" }),
      );
    };
    save();
    const rows = inProgress().map(row);
    begun.replaceChildren(...rows);
    begun.previousElementSibling?.toggleAttribute("hidden", !rows.length);
  };
  const names = (state.catalogue?.puzzles ?? []).map(({ name }) => name);
  const as = choice([["", "any puzzle"], ...names.map((name) => [name, name])], "", () => {}, { "aria-label": "As" });
  const read = async (event) => (text.value = await event.target.files[0].text());
  const oninput = (event) => fill(event.target.value);
  text.addEventListener("input", () => (wrong.textContent = ""));
  fill();
  refill = fill;
  dialog.replaceChildren(
    h(
      "div",
      { class: "row" },
      h("h2", { class: "grow" }, "Open a board"),
      button("×", () => dialog.close(), { class: "icon", "aria-label": "Close" }),
    ),
    text,
    h(
      "div",
      { class: "row" },
      h("input", { type: "file", "aria-label": "A file", onchange: read }),
      field("As", as),
      button("Open it", () => take({ text: text.value, as: as.value }), { class: "main", id: "read" }),
    ),
    wrong,
    h("h3", {}, "In progress"),
    begun,
    h("h3", {}, "Boards that ship"),
    h("input", { type: "search", placeholder: "sudoku, killer, …", "aria-label": "Find a board", oninput }),
    list,
  );
  resume();
  dialog.showModal();
}
