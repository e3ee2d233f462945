// What a browser has and node lacks, for the modules of the studio that need no page.

const kept = new Map();
/** Forgets all that was kept. */
export const reset = () => kept.clear();
/** What the stand-in for the browser's storage does instead of keeping: it may be full. */
export const storage = { full: false };

/** @type {any} */ (globalThis).localStorage = new Proxy(
  {
    getItem: (/** @type {string} */ name) => kept.get(name) ?? null,
    setItem(/** @type {string} */ name, /** @type {string} */ text) {
      if (storage.full) throw new Error("full");
      kept.set(name, text);
    },
    removeItem: (/** @type {string} */ name) => kept.delete(name),
  },
  { ownKeys: () => [...kept.keys()], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) },
);
Object.assign(globalThis, {
  addEventListener() {},
  dispatchEvent() {},
  location: { hash: "" },
  history: { replaceState: (/** @type {any} */ _, /** @type {any} */ __, /** @type {string} */ to) => (location.hash = to) },
});
