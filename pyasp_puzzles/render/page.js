"use strict";
// Each part of a board says in which views it is: data-at="3 5-7". The words of the views are in a list.

/** Returns the function that shows one view of the boards of a section. */
function boards(section) {
  const parts = [...section.querySelectorAll("[data-at]")].map((part) => ({
    part,
    runs: part.dataset.at.split(" ").map((run) => run.split("-").map(Number)),
  }));
  return (view) => {
    for (const { part, runs } of parts) {
      part.classList.toggle("on", runs.some(([from, to = from]) => from <= view && view <= to));
    }
  };
}

/** Makes elements of the words that name cells. */
function mark(words, cells) {
  const names = Object.keys(cells).sort((one, other) => other.length - one.length);
  const small = (name) => name[0].toLowerCase() + name.slice(1);
  const quote = (name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const quoted = names.map((name) => `[${name[0].toUpperCase()}${name[0]}]${quote(name.slice(1))}`);
  const one = "[Rr]ow \\d+,? column \\d+"; // of these, the numbers say which cell it is
  const pattern = new RegExp(`\\b(${[one, ...quoted].join("|")})(?!\\w)`);
  const walker = document.createTreeWalker(words, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    texts.push(walker.currentNode);
  }
  for (const text of texts) {
    const parts = text.data.split(pattern).map((part, i) => {
      if (i % 2 === 0) {
        return part;
      }
      const place = document.createElement("i");
      place.className = "place";
      place.dataset.cells = cells[small(part)] ?? part.match(/\d+/g).join(".");
      place.textContent = part;
      return place;
    });
    text.replaceWith(...parts);
  }
}

/** Lights up the cells that words name while these are pointed at; a tap keeps them lit until the next one. */
function places(section) {
  const space = "http://www.w3.org/2000/svg";
  let pinned = null;

  function light(place) {
    for (const lit of section.querySelectorAll("figure .lit")) {
      lit.remove();
    }
    for (const one of section.querySelectorAll(".place.pinned")) {
      one.classList.toggle("pinned", one === pinned);
    }
    for (const figure of section.querySelectorAll(".boards figure")) {
      const unit = Number(figure.dataset.unit);
      for (const cell of place?.dataset.cells.split(" ") ?? []) {
        const [row, column] = cell.split(".").map(Number);
        const lit = document.createElementNS(space, "rect");
        const at = { class: "lit", x: (column - 1) * unit, y: (row - 1) * unit, width: unit, height: unit };
        for (const [name, value] of Object.entries(at)) {
          lit.setAttribute(name, value);
        }
        figure.querySelector("svg > g").append(lit);
      }
    }
  }

  section.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "touch") {
      light(event.target.closest(".now .place") ?? pinned);
    }
  });
  section.addEventListener("pointerleave", () => light(pinned));
  section.addEventListener("click", (event) => {
    const place = event.target.closest(".now .place");
    pinned = place === pinned ? null : place;
    place?.classList.add("pinned");
    light(pinned);
  });
  return () => {
    pinned = null;
    light(null);
  };
}

/** Lets a section with steps go forward and back; returns what other events do there. */
function player(section) {
  const draw = boards(section);
  const dim = places(section);
  const list = section.querySelector("ol");
  const items = [...list.children];
  const links = items.map((item) => item.querySelector("a"));
  const bars = [...section.querySelectorAll(".bars a")];
  const now = section.querySelector(".now");
  const last = items.length - 1;
  const steps = items.filter((item) => /^\d+$/.test(item.querySelector("b").textContent)).length;
  const target = (link) => link.getAttribute("href");
  /** Returns the step that an address names: "#7", or "#2-7" on the second board; 0 if it names none of this board. */
  const named = (hash) => {
    const [, board, step] = /^#(?:b?(\d+)-s?)?(\d+)$/.exec(hash) ?? [];
    const here = board ? section.id === `b${board}` : alone;
    return here && step ? Number(step) : 0;
  };
  section.querySelector(".stage").append(document.getElementById("controls").content.cloneNode(true));
  const slider = section.querySelector("input");
  const button = Object.fromEntries([...section.querySelectorAll("[data-go]")].map((one) => [one.dataset.go, one]));
  let at = 0;
  let timer = 0;
  const alone = document.querySelectorAll("section").length === 1;
  const shared = JSON.parse(section.dataset.places ?? "{}");
  let open = false; // whether the reasons are shown, of this step and of the next
  slider.max = last;
  for (const item of items) {
    item.removeAttribute("id"); // or the browser would scroll the page to the step that the address names
  }
  now.setAttribute("aria-live", "polite");
  now.setAttribute("aria-atomic", "true");

  function show(view) {
    at = Math.min(last, Math.max(0, view));
    draw(at);
    dim();
    const focus = document.activeElement;
    const inList = list.contains(focus);
    const inNow = now.contains(focus);
    for (const [number, link] of links.entries()) {
      link.tabIndex = number === at ? 0 : -1; // the list is one stop of the tab key
      items[number].toggleAttribute("aria-current", number === at);
      if (number === at) {
        items[number].setAttribute("aria-current", "step");
      }
    }
    for (const bar of bars) {
      bar.classList.toggle("current", target(bar) === target(links[at]));
    }
    const [label, ...words] = [...links[at].children].map((child) => child.cloneNode(true));
    const name = /^\d+$/.test(label.textContent) ? `Step ${label.textContent} of ${steps}` : label.textContent;
    label.textContent = name;
    const why = items[at].querySelector("details")?.cloneNode(true);
    if (why) {
      why.open = open;
      why.addEventListener("toggle", () => {
        open = why.open;
      });
      words.push(why);
    }
    now.replaceChildren(label, ...words);
    mark(now, { ...shared, ...JSON.parse(items[at].dataset.places ?? "{}") });
    if (inNow) {
      (now.querySelector("summary") ?? button.play).focus({ preventScroll: true });
    }
    slider.value = at;
    slider.setAttribute("aria-valuetext", name);
    for (const way of ["first", "back"]) {
      button[way].setAttribute("aria-disabled", at === 0); // disabled buttons would lose the focus
    }
    for (const way of ["on", "last"]) {
      button[way].setAttribute("aria-disabled", at === last);
    }
    scroll();
    if (inList) {
      links[at].focus({ preventScroll: true });
    }
  }

  /** Brings the current step into view; only the list scrolls, so that the board stays in sight. */
  function scroll() {
    list.scrollTop = items[at].offsetTop - (list.clientHeight - items[at].offsetHeight) / 2;
  }

  function pause() {
    clearTimeout(timer);
    timer = 0;
    section.classList.remove("playing");
    button.play.setAttribute("aria-label", "Play");
    now.setAttribute("aria-live", "polite");
  }

  function play() {
    section.classList.add("playing");
    button.play.setAttribute("aria-label", "Pause");
    now.setAttribute("aria-live", "off");
    const reading = 900 + 25 * now.textContent.length; // milliseconds
    timer = setTimeout(() => {
      show(at + 1);
      keep();
      if (at < last) {
        play();
      } else {
        pause();
      }
    }, at ? reading : 500);
  }

  const go = {
    first: () => show(0),
    back: () => show(at - 1),
    on: () => show(at + 1),
    last: () => show(last),
    to: (view) => show(view),
    play: () => {
      show(at === last ? 0 : at);
      play();
    },
  };

  function act(way, view) {
    const playing = timer !== 0;
    pause();
    if (way !== "play" || !playing) {
      go[way](view);
      keep();
    }
  }

  /** Keeps the step in the address, so that the page opens there again, and the address leads others there. */
  function keep() {
    try {
      const board = alone ? "" : `${section.id.slice(1)}-`;
      history.replaceState(null, "", `#${board}${at}`);
    } catch {
      // a page inside another one has no address of its own
    }
  }

  for (const [way, one] of Object.entries(button)) {
    one.addEventListener("click", () => act(way));
  }
  slider.addEventListener("input", () => act("to", Number(slider.value)));
  section.addEventListener("click", (event) => {
    const link = event.target.closest("ol a, .bars a");
    const view = link && links.findIndex((one) => target(one) === target(link));
    if (link && view >= 0) {
      event.preventDefault();
      act("to", view);
    }
  });
  show(named(location.hash));

  const ways = { ArrowRight: "on", ArrowLeft: "back", Home: "first", End: "last", " ": "play" };
  const inList = { ArrowDown: "on", ArrowUp: "back" };
  function key(event) {
    const focus = event.target;
    const way = ways[event.key] ?? (list.contains(focus) ? inList[event.key] : undefined);
    const native = event.key === " " ? focus.closest("button, summary") : focus === slider;
    if (way && !native) {
      event.preventDefault();
      act(way);
    }
  }

  /** Gives each sentence its picture, for print: there the pictures are what the slider is on the screen. */
  function picture() {
    if (section.classList.contains("pictured")) {
      return;
    }
    dim();
    for (const [number, item] of items.entries()) {
      item.prepend(...[...section.querySelectorAll(".boards figure")].map((figure) => figure.cloneNode(true)));
      boards(item)(number);
      item.querySelectorAll("[data-at]:not(.on)").forEach((part) => part.remove());
    }
    section.classList.add("pictured");
  }

  function unpicture() {
    for (const copy of list.querySelectorAll("figure")) {
      copy.remove();
    }
    section.classList.remove("pictured");
  }

  return { key, pause, scroll, picture, unpicture, to: (hash) => show(named(hash)) };
}

/** Marks the cells of a remark while it is under the pointer, or has the focus, or was pressed; and vice versa. */
function remarks(section) {
  const draw = boards(section);
  const buttons = [...section.querySelectorAll("li button")];
  let kept = 0;
  for (const button of buttons) {
    const view = Number(button.dataset.view);
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("mouseenter", () => draw(view));
    button.addEventListener("focus", () => draw(view));
    button.addEventListener("mouseleave", () => draw(kept));
    button.addEventListener("blur", () => draw(kept));
    button.addEventListener("click", () => {
      kept = kept === view ? 0 : view;
      for (const one of buttons) {
        one.setAttribute("aria-pressed", String(kept === Number(one.dataset.view)));
      }
      draw(kept);
    });
  }
  section.querySelector(".boards").addEventListener("pointerover", (event) => {
    const words = event.target.closest(".tooltip")?.querySelector("title").textContent.split("\n") ?? [];
    for (const button of buttons) {
      button.classList.toggle("pointed", words.includes(button.firstChild.textContent));
    }
  });
}

document.documentElement.classList.add("scripted");
const sections = [...document.querySelectorAll("section")];
const players = new Map();
for (const section of sections) {
  if (section.classList.contains("steps")) {
    players.set(section, player(section));
  } else {
    remarks(section);
  }
}

/** Shows the section that the address names, or the first one. */
function choose() {
  const [, wanted] = /^#b?(\d+)(?:-|$)/.exec(location.hash) ?? [];
  const chosen = sections.find((section) => section.id === `b${wanted}`) ?? sections[0];
  for (const section of sections) {
    section.classList.toggle("away", section !== chosen);
    players.get(section)?.pause();
    players.get(section)?.scroll();
  }
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#${chosen.id}`) {
      link.setAttribute("aria-current", "true");
    } else {
      link.removeAttribute("aria-current");
    }
  }
  return chosen;
}

addEventListener("hashchange", () => {
  const chosen = choose();
  if (sections.length === 1 || location.hash.includes("-")) {
    players.get(chosen)?.to(location.hash);
  }
});
const paper = matchMedia("print");
const prepare = () => players.forEach(({ picture }) => picture());
const restore = () => players.forEach(({ unpicture }) => unpicture());
addEventListener("beforeprint", prepare);
addEventListener("afterprint", restore);
paper.addEventListener("change", () => (paper.matches ? prepare() : restore()));
addEventListener("resize", () => players.forEach(({ scroll }) => scroll()));
addEventListener("keydown", (event) => {
  const section = sections.find((one) => !one.classList.contains("away"));
  if (!event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey) {
    players.get(section)?.key(event);
  }
});
choose();
