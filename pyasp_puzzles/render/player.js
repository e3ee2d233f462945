// Pages with steps or remarks. The studio imports `player`.
// Each part of a board says in which views it is: data-at="3 5-7". The words of the views are in a list.

/** Says of one of several elements that it is the current one. */
function current(element, is, what) {
  is ? element.setAttribute("aria-current", what) : element.removeAttribute("aria-current");
}

/** Makes elements `tag` of the parts of sentences that name cells: data-spans="5 16:r1c1,r1c2 1" has their lengths. */
export function withPlaces(words, tag) {
  for (const one of words.querySelectorAll("[data-spans]")) {
    const letters = [...one.textContent];
    const parts = one.dataset.spans.split(" ").map((span) => {
      const [length, cells] = span.split(":");
      const part = letters.splice(0, Number(length)).join("");
      if (!cells) return part;
      const place = document.createElement(tag);
      place.className = "place";
      place.dataset.cells = cells;
      place.textContent = part;
      return place;
    });
    one.replaceChildren(...parts);
  }
}

/** Lights up the cells that words name while these are pointed at or have the focus; a tap keeps them lit until the
    next one. Returns the function that puts the lights out. */
export function places(section, light) {
  let [pinned, shown] = [null, null];
  const of = (event) => event.target.closest(".now .place, .words .place");
  function show(place) {
    for (const one of section.querySelectorAll(".place.pinned")) {
      one.classList.toggle("pinned", one === pinned);
    }
    if (place !== shown) light(place?.dataset.cells.split(",") ?? []);
    shown = place;
  }
  section.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "touch") show(of(event) ?? pinned);
  });
  section.addEventListener("pointerleave", () => show(pinned));
  section.addEventListener("focusin", (event) => of(event) && show(of(event)));
  section.addEventListener("focusout", (event) => of(event) && show(pinned));
  section.addEventListener("click", (event) => {
    const place = of(event);
    pinned = place === pinned ? null : place;
    place?.classList.add("pinned");
    show(pinned);
  });
  return () => {
    pinned = null;
    show(null);
  };
}

/** Lets a section with a list of steps go forward and back: by buttons, slider, keys and list, and by itself.

    The section has .stage, where the controls go, and the list of steps, which may grow: then `update` is called.
    The sentence of a step is shown in `now`, by default the element .now of the section. `draw` shows a step on the board; `light` lights up cells, given by their
    names; `moved` is called when somebody went to a step; words that name cells become elements `tag`. */
export function player(section, { draw, light, moved = (_at) => {}, tag = "i", now = section.querySelector(".now") }) {
  const dim = places(now, light);
  const list = section.querySelector("ol");
  const items = list.children;
  const link = (view) => items[view].querySelector("a, button");
  const controls = document.importNode(document.querySelector("template").content, true).firstElementChild;
  section.querySelector(".stage").append(controls);
  const slider = controls.querySelector("input");
  const button = Object.fromEntries([...controls.querySelectorAll("button")].map((one) => [one.dataset.go, one]));
  const ended = () => at === items.length - 1;
  let at = 0;
  let timer = 0;
  let open = false; // whether the reasons are shown, of this step and of the next
  now.setAttribute("aria-atomic", "true");
  playing(false);

  function show(view) {
    at = Math.min(items.length - 1, Math.max(0, view));
    draw(at);
    dim();
    const inList = list.contains(document.activeElement);
    const inNow = now.contains(document.activeElement);
    for (const [number, item] of [...items].entries()) {
      link(number).tabIndex = number === at ? 0 : -1; // the list is one stop of the tab key
      current(item, number === at, "step");
    }
    const words = [...link(at).children].map((child) => child.cloneNode(true));
    const why = items[at].querySelector("details")?.cloneNode(true);
    if (why) {
      why.open = open;
      why.addEventListener("toggle", () => (open = why.open));
      words.push(why);
    }
    now.replaceChildren(...words);
    withPlaces(now, tag);
    if (inNow) {
      (now.querySelector("summary") ?? button.play).focus({ preventScroll: true });
    }
    update();
    scroll();
    if (inList) {
      link(at).focus({ preventScroll: true });
    }
  }

  /** Says which of how many steps is shown. */
  function update() {
    const numbers = [...list.querySelectorAll("b")].map((label) => label.textContent);
    const steps = numbers.filter((label) => /^\d+$/.test(label)).length;
    const name = /^\d+$/.test(numbers[at]) ? `Step ${numbers[at]} of ${steps}` : numbers[at];
    now.querySelector("b").textContent = name;
    slider.max = String(items.length - 1);
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", name);
    const off = { first: !at, back: !at, on: ended(), last: ended() };
    // Disabled buttons would lose the focus.
    Object.entries(off).forEach(([way, is]) => button[way].setAttribute("aria-disabled", String(is)));
  }

  /** Brings the current step, or its beginning, into view; only the list scrolls, so that the board stays in sight. */
  function scroll() {
    list.scrollTop = items[at].offsetTop - Math.max(0, list.clientHeight - items[at].offsetHeight) / 2;
  }

  function playing(is) {
    controls.classList.toggle("playing", is);
    button.play.setAttribute("aria-label", is ? "Pause" : "Play");
    now.setAttribute("aria-live", is ? "off" : "polite");
  }

  function pause() {
    clearTimeout(timer);
    timer = 0;
    playing(false);
  }

  function play() {
    playing(true);
    const reading = 900 + 25 * now.textContent.length; // milliseconds
    timer = setTimeout(() => {
      show(at + 1);
      moved(at);
      ended() ? pause() : play();
    }, at ? reading : 500);
  }

  /** Goes to a step, because somebody wants to. */
  function go(view) {
    pause();
    show(view);
    moved(at);
  }

  const act = {
    first: () => go(0),
    back: () => go(at - 1),
    on: () => go(at + 1),
    last: () => go(items.length - 1),
    play() {
      if (timer) return pause();
      go(ended() ? 0 : at);
      return play();
    },
  };
  for (const [way, one] of Object.entries(button)) {
    one.addEventListener("click", act[way]);
  }
  slider.addEventListener("input", () => go(Number(slider.value)));
  list.addEventListener("click", (event) => {
    const view = [...items].findIndex((_, number) => link(number).contains(event.target));
    if (view >= 0) {
      event.preventDefault();
      go(view);
    }
  });

  const ways = { ArrowRight: "on", ArrowLeft: "back", Home: "first", End: "last", " ": "play" };
  const inList = { ArrowDown: "on", ArrowUp: "back" };
  function key(event) {
    const focus = event.target;
    const way = ways[event.key] ?? (list.contains(focus) ? inList[event.key] : undefined);
    const native = event.key === " " ? focus.closest("button, summary") : focus === slider;
    const modified = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
    if (way && !modified && !native) {
      event.preventDefault();
      act[way]();
    }
  }

  return { show, update, go, key, pause, scroll, dim, at: () => at };
}

// -- Pages ----------------------------------------------------------------------------------------------

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

/** Puts frames around cells of all boards of a section. */
function frame(section, cells) {
  section.querySelectorAll("figure .lit").forEach((lit) => lit.remove());
  for (const figure of section.querySelectorAll(".boards figure")) {
    const unit = Number(figure.dataset.unit);
    for (const [row, column] of cells.map((cell) => cell.match(/\d+/g))) {
      const at = `x="${(column - 1) * unit}" y="${(row - 1) * unit}" width="${unit}" height="${unit}"`;
      figure.querySelector("svg > g").insertAdjacentHTML("beforeend", `<rect class="lit" ${at}/>`);
    }
  }
}

/** Lets a section of a page go through its steps; returns what other events do there. */
function steps(section) {
  const draw = boards(section);
  const items = [...section.querySelectorAll(".text > ol > li")];
  const links = items.map((item) => item.querySelector("a").getAttribute("href"));
  const bars = [...section.querySelectorAll(".bars a")];
  const alone = document.querySelectorAll("section").length === 1;
  /** Returns the step that an address names: "#7", or "#2-7" on the second board; 0 if it names none of this board. */
  const named = (hash) => {
    const [, board, step] = /^#(?:b?(\d+)-s?)?(\d+)$/.exec(hash) ?? [];
    const here = board ? section.id === `b${board}` : alone;
    return here && step ? Number(step) : 0;
  };
  /** Keeps the step in the address, so that the page opens there again, and the address leads others there. */
  function moved(at) {
    try {
      history.replaceState(null, "", `#${alone ? "" : `${section.id.slice(1)}-`}${at}`);
    } catch {
      // a page inside another one has no address of its own
    }
  }
  const own = player(section, {
    draw(at) {
      draw(at);
      bars.forEach((bar) => bar.classList.toggle("current", bar.getAttribute("href") === links[at]));
    },
    light: (cells) => frame(section, cells),
    moved,
  });
  for (const item of items) {
    item.removeAttribute("id"); // or the browser would scroll the page to the step that the address names
  }
  for (const bar of bars) {
    bar.addEventListener("click", (event) => {
      event.preventDefault();
      own.go(links.indexOf(bar.getAttribute("href")));
    });
  }
  own.show(named(location.hash));

  /** Gives each sentence its picture, for print: there the pictures are what the slider is on the screen. */
  function picture() {
    if (section.classList.contains("pictured")) return;
    own.dim();
    for (const [number, item] of items.entries()) {
      item.prepend(...[...section.querySelectorAll(".boards figure")].map((figure) => figure.cloneNode(true)));
      boards(item)(number);
      item.querySelectorAll("[data-at]:not(.on)").forEach((part) => part.remove());
    }
    section.classList.add("pictured");
  }

  function unpicture() {
    section.querySelectorAll("ol figure").forEach((copy) => copy.remove());
    section.classList.remove("pictured");
  }

  return { ...own, picture, unpicture, to: (hash) => own.show(named(hash)) };
}

/** Marks the cells of a remark while it is under the pointer, or has the focus, or was pressed; and vice versa. */
function remarks(section) {
  const draw = boards(section);
  const buttons = [...section.querySelectorAll("li button")];
  let kept = 0;
  for (const button of buttons) {
    const view = Number(button.dataset.view);
    button.setAttribute("aria-pressed", false);
    ["mouseenter", "focus"].forEach((name) => button.addEventListener(name, () => draw(view)));
    ["mouseleave", "blur"].forEach((name) => button.addEventListener(name, () => draw(kept)));
    button.addEventListener("click", () => {
      kept = kept === view ? 0 : view;
      buttons.forEach((one) => one.setAttribute("aria-pressed", kept === Number(one.dataset.view)));
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

/** Makes a page react to the pointer, keys and its address. */
export function start() {
  document.documentElement.classList.add("scripted");
  const sections = [...document.querySelectorAll("section")];
  const players = new Map();
  for (const section of sections) {
    section.classList.contains("steps") ? players.set(section, steps(section)) : remarks(section);
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
      current(link, link.getAttribute("href") === `#${chosen.id}`, "true");
    }
    return chosen;
  }

  addEventListener("hashchange", () => {
    const chosen = choose();
    if (sections.length === 1 || location.hash.includes("-")) players.get(chosen)?.to(location.hash);
  });
  const paper = matchMedia("print");
  const prepare = () => players.forEach(({ picture }) => picture());
  const restore = () => players.forEach(({ unpicture }) => unpicture());
  addEventListener("beforeprint", prepare);
  addEventListener("afterprint", restore);
  paper.addEventListener("change", () => (paper.matches ? prepare() : restore()));
  addEventListener("resize", () => players.forEach(({ scroll }) => scroll()));
  addEventListener("keydown", (event) => {
    players.get(sections.find((one) => !one.classList.contains("away")))?.key(event);
  });
  choose();
}
