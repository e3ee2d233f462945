// Boards in and out: the dialog that opens one, text and files in every format, links.
import { about, ask } from "./ask.js";
import { button, choice, download, h } from "./dom.js";
import { labelled } from "./icons.js";
import { save, state } from "./state.js";
import { say } from "./talk.js";

const ENDINGS = { toml: "toml", lp: "lp", svg: "svg", json: "json", steps: "html" };

/** Returns the board in a format; null, and says why, if it does not fit. */
async function written(format) {
  say("");
  const { record, wrong } = await ask("write", () => about({ ask: "write", format, entries: "" }));
  say(wrong || (record?.warnings ?? []).join(" "), "bad");
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
  const { record } = await ask("links", () => about({ ask: "links", entries: "" }));
  const copy = async ({ format, text }) => {
    await navigator.clipboard.writeText(text);
    say(`Copied the link for ${format}.`, "good");
  };
  const onfocus = (event) => event.target.select();
  const row = (one) => {
    const link = { value: one.text, readonly: true, class: "grow", "aria-label": `Link for ${one.format}`, onfocus };
    return h("li", {}, h("span", {}, one.format), h("input", link), button("Copy", () => copy(one)));
  };
  list.replaceChildren(...(record?.links ?? []).map(row));
}
/** Copies the address of this page, which has the board. */
export async function copyLink() {
  await save();
  await navigator.clipboard.writeText(location.href);
  say("Copied the link for this page.", "good");
}
/** Returns what a sheet shows of text, files and links of the board. */
export function files() {
  const known = (state.catalogue?.formats ?? []).map(({ name, summary }) => [name, `${name}: ${summary}`]);
  const all = [...known, ["png", "png: A picture of the board."]];
  const format = choice(all, "toml", () => say(""), { "aria-label": "Format", id: "format" });
  const text = h("textarea", { rows: 12, "aria-label": "The board as text", readonly: true, hidden: true });
  const list = h("ul", { class: "links" });
  const fill = async () => {
    text.hidden = false;
    text.value = (await written(format.value === "png" ? "svg" : format.value)) ?? "";
  };
  return [
    h("div", { class: "two" },
      labelled("link", "Copy link", copyLink, { class: "btn pen" }),
      labelled("link", "Links for other programs", () => links(list), { id: "links" }),
    ),
    list,
    h("h3", {}, "As a file"),
    format,
    h("div", { class: "two" },
      labelled("file", "Download", () => give(format.value), { id: "download" }),
      labelled("paste", "Show as text", fill, { id: "as-text" }),
    ),
    text,
  ];
}
