// A short tour of a result page, one line at a time, what it is about outlined. It comes once in a browser: its end or
// one click on "Don't show again" keeps it away for ever.

const DONE = "lectern.tour";
const PHONE = "(max-width: 800px)"; // no keys, and the card opens as a sheet: other words there
const made = new WeakMap();

export default function (component) {
  const { data, parentElement } = component;
  if (!made.has(parentElement)) made.set(parentElement, new Tour(parentElement, data.stops));
  return () => made.get(parentElement).leave();
}

class Tour {
  constructor(root, stops) {
    this.stops = stops;
    if (window.matchMedia(PHONE).matches) this.stops = phoneStops(stops);
    this.at = 0;
    this.box = root.querySelector(".tour");
    this.count = root.querySelector(".count");
    this.words = root.querySelector(".words");
    this.next = root.querySelector(".next");
    this.next.addEventListener("click", () => this.go(this.at + 1));
    root.querySelector(".never").addEventListener("click", () => this.end());
    if (localStorage.getItem(DONE) === null) this.go(0);
  }

  go(at) {
    this.leave();
    if (at >= this.stops.length) return this.end();
    this.at = at;
    this.box.hidden = false;
    this.count.textContent = `${at + 1} of ${this.stops.length}`;
    this.words.textContent = this.stops[at].words;
    this.next.textContent = at === this.stops.length - 1 ? "Done" : "Next";
    document.documentElement.style.setProperty("--tour", `${this.box.offsetHeight + 16}px`);
    document.querySelector(this.stops[at].about)?.classList.add("lx-toured");
  }

  leave() {
    document.querySelector(".lx-toured")?.classList.remove("lx-toured");
  }

  end() {
    this.leave();
    localStorage.setItem(DONE, "seen");
    this.box.hidden = true;
    document.documentElement.style.removeProperty("--tour");
  }
}

function phoneStops(stops) {
  return stops.filter((stop) => stop.phoneWords).map((stop) => ({ ...stop, words: stop.phoneWords }));
}
