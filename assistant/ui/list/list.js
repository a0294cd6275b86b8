// The list: draws rows near the view only, moves by key, opens what is grouped, tells Python which sentence is chosen.
// It also listens to the picture of the debate: a click on a mark leads to its row, the chosen one is set off there.
// Text goes in as text, never as HTML. Keys are single letters and are silent while somebody types.

const BLOCK = 60; // rows drawn and dropped together
const WHOLE = 300; // up to here everything is drawn
const REST_MS = 90; // a held key tells Python once it rests
const GUESS = { ranked: 94, transcript: 34, queue: 66 }; // height of a row not drawn yet, px
const FOOT_PX = 34; // below the rows: the keys and the edge of the page
const BELOW_GAP_PX = 4;
const LEAST_PX = 300;
const TABS_PX = 80; // the place in the list and the tabs at the bottom of a phone
const SHEET = "lx-sheet"; // of the whole page: the card lies over the list, on a phone
const PHONE = "(max-width: 800px)";
const PLACE = "lectern.place"; // how far the list was scrolled, in this tab
const STATES = { confirm: "✓", reject: "✗", later: "…" };
const made = new WeakMap();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  let list = made.get(parentElement);
  if (!list) {
    list = new List(parentElement);
    made.set(parentElement, list);
  }
  list.tell = (number) => setTriggerValue("selected", number); // also when the card has gone elsewhere since
  list.update(data);
  return () => list.close();
}

class List {
  constructor(root) {
    this.root = root;
    this.scroll = root.querySelector(".scroll");
    this.place = root.querySelector(".place");
    this.dialog = root.querySelector(".keys");
    this.table = root.querySelector(".table");
    this.version = null;
    this.opened = new Set();
    this.marks = [];
    this.onKey = (event) => this.key(event);
    this.onMark = (event) => this.clickMark(event);
    this.picture = new MutationObserver(() => this.setOff());
    this.onSize = () => this.fit();
    this.sizes = new ResizeObserver(this.onSize);
    this.scroll.addEventListener("click", (event) => this.click(event));
    this.scroll.addEventListener("scrollend", () => this.remember());
    for (const close of root.querySelectorAll(".close")) {
      close.addEventListener("click", () => close.closest("dialog").close());
    }
    root.querySelector(".open-keys").addEventListener("click", () => this.dialog.showModal());
    root.querySelector(".open-table").addEventListener("click", () => this.openTable());
    this.table.addEventListener("click", (event) => this.clickTable(event));
    this.sheet = root.querySelector(".close-sheet");
    this.sheet.addEventListener("click", () => this.closeSheet());
    this.open();
  }

  closeSheet() {
    document.documentElement.classList.remove(SHEET);
    this.sheet.hidden = true;
  }

  open() {
    if (this.listening) return;
    this.listening = true;
    document.addEventListener("keydown", this.onKey);
    document.addEventListener("click", this.onMark);
    window.addEventListener("resize", this.onSize);
    const page = document.querySelector(".stMainBlockContainer");
    if (page) this.sizes.observe(page);
  }

  // The list ends where the window ends, whatever stands above it; the card reads the same measure.
  fit() {
    const page = this.root.host?.closest("[data-testid=stMain]") ?? document.querySelector("[data-testid=stMain]");
    const top = Math.round(this.scroll.getBoundingClientRect().top + (page?.scrollTop ?? 0));
    const box = document.querySelector(".st-key-below_list");
    const below = box ? box.offsetHeight + BELOW_GAP_PX : 0;
    const phone = window.matchMedia(PHONE).matches;
    const foot = phone ? TABS_PX : below + FOOT_PX;
    const height = window.innerHeight - top - foot;
    const wanted = `${Math.max(LEAST_PX, height)}px`;
    if (this.scroll.style.height !== wanted) this.scroll.style.height = wanted;
    document.documentElement.style.setProperty("--desk-top", `${top}px`);
  }

  close() {
    this.listening = false;
    this.closeSheet();
    document.removeEventListener("keydown", this.onKey);
    document.removeEventListener("click", this.onMark);
    window.removeEventListener("resize", this.onSize);
    this.sizes.disconnect();
    this.picture.disconnect();
    this.box = null;
    clearTimeout(this.timer);
  }

  update(data) {
    this.open();
    const drawn = data.version === this.version;
    const place = drawn ? null : rememberedPlace(data.version);
    if (!drawn) this.draw(data);
    if (!drawn || data.selected !== this.asked) {
      this.unfold(data.rows.find((r) => r.grouped.some((f) => f.number === data.selected)));
      this.asked = data.selected;
      this.choose(this.at(data.selected), { tell: false });
    }
    for (const hint of this.root.querySelectorAll(".deciding")) hint.hidden = data.can_decide === false;
    this.fit();
    if (place !== null) this.restore(place);
    this.look(data.marks);
  }

  // Where the list was left; the chosen row is in sight all the same.
  restore(place) {
    this.scroll.scrollTop = place;
    const row = this.scroll.querySelector(`[data-at="${this.current}"]`);
    if (row) this.reveal(row);
  }

  remember() {
    sessionStorage.setItem(PLACE, JSON.stringify([this.version, this.scroll.scrollTop]));
  }

  look(marks) {
    this.marks = marks;
    this.root.querySelector(".open-table").hidden = !marks.length;
    const box = document.querySelector(".st-key-picture");
    if (box && box !== this.box) this.picture.observe(box, { childList: true, subtree: true });
    this.box = box;
    this.setOff();
  }

  setOff() {
    const at = this.marks.findIndex((m) => m.number === this.asked);
    drawnMarks().forEach((mark, i) => mark.classList.toggle("lx-here", i === at));
    for (const brush of document.querySelectorAll(".st-key-picture [class*=span_brush]")) brush.ariaHidden = "true"; // it has no name
  }

  clickMark(event) {
    if (event.target.closest?.(".lx-copy")) return this.cite();
    if (event.target.closest?.(".lx-share-link")) return this.share();
    const beneath = document.elementsFromPoint(event.clientX, event.clientY); // what was marked lies above
    const at = drawnMarks().findIndex((mark) => beneath.includes(mark));
    if (at >= 0 && this.marks[at]) this.goTo(this.marks[at].number);
  }

  goTo(number, rest = 0) {
    this.unfold(this.data.rows.find((r) => r.grouped.some((f) => f.number === number)));
    const at = this.at(number);
    if (at < 0) this.say(number, rest); // a filter hides its row: the card shows it all the same
    else this.choose(at, { rest });
  }

  cite() {
    const cited = document.querySelector(".st-key-card .lx-copy")?.dataset.cited;
    if (cited) copy(cited, "Citation copied");
  }

  share() {
    const address = new URL(window.location.href);
    address.searchParams.set("s", this.asked);
    copy(address.href, "Link copied");
  }

  walk(step) {
    const numbers = this.marks.map((m) => m.number).filter((n) => this.data.rows.some((r) => holds(r, n)));
    if (step < 0) numbers.reverse();
    const next = numbers.find((n) => (n - this.asked) * step > 0);
    if (next !== undefined) this.goTo(next, REST_MS);
  }

  openTable() {
    if (!this.marks.length) return;
    const table = element("table", "");
    const heads = ["When", "Speaker", "Statement", "Rating", "Publisher", "Match", "Position"];
    const head = table.createTHead().insertRow();
    for (const name of heads) head.append(element("th", "", name));
    head.querySelectorAll("th").forEach((cell) => (cell.scope = "col"));
    const body = table.createTBody();
    for (const m of this.marks) {
      const to = element("button", "to", m.place);
      to.dataset.number = m.number;
      const sign = `${this.signs[m.rating_class][0]} ${m.rating}`;
      const row = body.insertRow();
      for (const value of [to, m.speaker, m.text, sign, m.publisher, m.strength || m.tier, m.rank]) row.insertCell().append(value);
    }
    this.root.querySelector(".cells").replaceChildren(table);
    this.table.showModal();
  }

  clickTable(event) {
    const to = event.target.closest(".to");
    if (!to) return;
    this.table.close();
    this.goTo(Number(to.dataset.number));
  }

  draw(data) {
    this.current = -1;
    this.version = data.version;
    this.data = data;
    this.rows = data.rows.flatMap((r, i) => [{ ...r, at: i + 1 }, ...this.below(r, i + 1)]);
    this.signs = data.signs;
    this.view = data.view;
    this.scroll.className = `scroll ${data.view}${data.is_queue ? " queue" : ""}`;
    this.watcher?.disconnect();
    this.blocks = [];
    const pieces = [];
    const whole = this.rows.length <= WHOLE;
    for (let first = 0; first < this.rows.length; first += BLOCK) {
      const block = document.createElement("div");
      block.setAttribute("role", "presentation");
      block.first = first;
      block.last = Math.min(first + BLOCK, this.rows.length);
      block.style.minHeight = `${(block.last - first) * GUESS[data.is_queue ? "queue" : data.view]}px`;
      this.blocks.push(block);
      pieces.push(block);
      if (whole) this.fill(block);
    }
    this.scroll.setAttribute("role", pieces.length ? "listbox" : "group");
    if (!pieces.length) pieces.push(this.empty(data.empty));
    this.scroll.replaceChildren(...pieces);
    if (!whole) this.watch();
  }

  below(r, at) {
    if (!this.opened.has(r.number)) return [];
    return r.grouped.map((f) => ({ ...f, at, kind: r.kind, grouped: [], below: true }));
  }

  unfold(r) {
    if (!r || this.opened.has(r.number)) return;
    this.opened.add(r.number);
    this.redraw(r.number);
  }

  toggle(r) {
    if (!r?.grouped.length) return;
    if (!this.opened.delete(r.number)) this.opened.add(r.number);
    this.redraw(r.number, this.asked !== r.number); // the card comes along to the row that is chosen now
  }

  redraw(number, tell = false) {
    const top = this.scroll.scrollTop;
    this.draw(this.data);
    this.scroll.scrollTop = top;
    this.choose(this.at(number), { tell });
  }

  watch() {
    this.watcher = new IntersectionObserver(
      (seen) => seen.forEach((e) => (e.isIntersecting ? this.fill(e.target) : this.drop(e.target))),
      { root: this.scroll, rootMargin: "600px 0px" },
    );
    this.blocks.forEach((block) => this.watcher.observe(block));
  }

  fill(block) {
    if (block.childElementCount) return;
    const parts = [];
    for (let i = block.first; i < block.last; i++) parts.push(this.row(i));
    block.style.minHeight = "";
    block.replaceChildren(...parts);
  }

  drop(block) {
    if (!block.childElementCount) return;
    block.style.minHeight = `${block.offsetHeight}px`;
    block.replaceChildren();
  }

  row(i) {
    const r = this.rows[i];
    const before = this.rows[i - 1];
    const first = this.view === "ranked" || !before || before.speaker !== r.speaker || minute(before) !== minute(r);
    const stance = r.opposite ? "contradicts" : "";
    const kinds = [r.kind.replace(" ", "-"), r.strength, r.verdict, stance].filter(Boolean).join(" ");
    const row = element("div", `row ${kinds}${first ? " first" : ""}`);
    row.id = `lx-row-${r.number}`;
    row.dataset.at = i;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", String(i === this.current));
    const cell = element("div", "cell");
    if (r.below) row.classList.add("below");
    if (first) cell.append(this.meta(r));
    cell.append(this.text(r));
    const under = this.under(r, first);
    if (under) cell.append(under);
    row.append(element("span", "bar"), cell);
    return row;
  }

  text(r) {
    const text = element("div", r.text_before || r.text_after ? "text passage" : "text");
    if (r.text_before) text.append(...this.found(`${r.text_before} `));
    const said = element("span", "said");
    said.append(...this.found(r.text));
    text.append(said);
    if (r.text_after) text.append(...this.found(` ${r.text_after}`));
    return text;
  }

  // The words that the reader searches for, marked.
  found(text) {
    const words = (this.data.search ?? "").split(/\s+/).filter(Boolean).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    if (!words.length) return [text];
    return text.split(new RegExp(`(${words.join("|")})`, "gi")).map((piece, i) => (i % 2 ? element("mark", "found", piece) : piece));
  }

  meta(r) {
    const meta = element("div", "meta");
    if (r.below) {
      meta.append(element("span", "time", r.time));
      return meta;
    }
    const state = STATES[r.verdict];
    if (state) meta.append(element("span", "state", `${state} ${r.decided}`));
    meta.append(element("span", "speaker", r.name || r.speaker), element("span", "time", r.time));
    if (r.comments) meta.append(element("span", "comments", `${r.comments.toLocaleString("en")} ${r.comments === 1 ? "comment" : "comments"}`));
    if (this.view === "ranked") meta.append(element("span", "tier", r.strength || r.kind));
    return meta;
  }

  under(r) {
    const ranked = this.view === "ranked";
    if (r.reason) return ranked ? element("div", "under", `Skipped: ${r.reason}`) : null;
    if (r.hidden) return element("div", "under", "No fact-check from before the debate");
    if (!r.rating_class && !r.claim) return null;
    const under = element("div", "under");
    if (r.stance && r.opposite) under.append(element("span", "stance", `${r.stance} of`));
    if (r.rating_class) {
      const [sign, colour] = this.signs[r.rating_class];
      under.append(element("span", `rating c-${colour}`, `${sign} ${r.rating || "no rating"}`));
    }
    if (r.stance && !r.opposite) under.append(element("span", "stance", r.stance));
    if (r.publisher) {
      const publisher = element("span", "publisher", r.publisher);
      publisher.title = r.publisher;
      under.append(publisher);
    }
    if (r.claim) {
      const claim = element("span", "claim");
      claim.append("“", ...this.found(bare(r.claim)), "”");
      claim.title = r.claim;
      under.append(claim);
    }
    if (r.checked_in) under.append(element("span", "when", r.checked_in));
    if (r.other_matches) under.append(element("span", "", `+${r.other_matches}`));
    if (r.also && ranked) {
      const open = this.opened.has(r.number);
      under.append(element("span", "also", `${open ? "▾" : "▸"} ${r.also}`));
    }
    if (!ranked) under.append(element("span", "", r.strength || r.kind));
    return under;
  }

  empty(text) {
    return element("div", "empty", text);
  }

  at(number) {
    return this.rows.findIndex((r) => r.number === number);
  }

  choose(i, { tell = true, rest = REST_MS } = {}) {
    if (i < 0 || i >= this.rows.length) return this.where();
    this.mark(this.current, false);
    this.current = i;
    this.fill(this.blocks[Math.floor(i / BLOCK)]);
    const row = this.mark(i, true);
    this.scroll.setAttribute("aria-activedescendant", row.id);
    this.reveal(row);
    this.where();
    if (tell) this.say(this.rows[i].number, rest);
  }

  reveal(row) {
    const view = this.scroll.getBoundingClientRect();
    const own = row.getBoundingClientRect();
    const margin = 40;
    if (own.top < view.top + margin) this.scroll.scrollTop += own.top - view.top - margin;
    else if (own.bottom > view.bottom - margin) this.scroll.scrollTop += own.bottom - view.bottom + margin;
  }

  mark(i, chosen) {
    const row = this.scroll.querySelector(`[data-at="${i}"]`);
    row?.setAttribute("aria-selected", String(chosen));
    return row;
  }

  where() {
    const total = this.data.rows.length.toLocaleString("en");
    const at = this.rows[this.current]?.at ?? 0;
    this.place.textContent = this.rows.length ? `${at.toLocaleString("en")} of ${total}` : "";
  }

  say(number, rest) {
    this.asked = number;
    this.setOff();
    addressRow(number);
    tellPlayer(number);
    document.querySelector(".st-key-card")?.scrollTo(0, 0);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tell(number), rest);
  }

  click(event) {
    const row = event.target.closest(".row");
    if (!row) return;
    if (event.target.closest(".also")) return this.toggle(this.rows[Number(row.dataset.at)]);
    this.choose(Number(row.dataset.at), { rest: 0 });
    if (event.target.closest(".time")) return tellPlayer(this.asked, true); // the recording plays from there
    if (window.matchMedia(PHONE).matches) this.openCard();
  }

  key(event) {
    const field = event.composedPath()[0];
    if (event.key === "Escape" && !this.sheet.hidden) return this.closeSheet();
    if (event.key === "Escape" && field.closest?.(".st-key-q")) return field.blur(); // letters are keys again
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event)) return;
    const [next, previous] = this.data.move_keys ?? ["j", "k"];
    const moves = { [next]: 1, [previous]: -1 };
    const inside = event.composedPath().includes(this.scroll);
    if (inside) Object.assign(moves, { ArrowDown: 1, ArrowUp: -1 });
    if (event.key in moves) this.choose(clamp(this.current + moves[event.key], this.rows.length));
    else if (inside && event.key === "Home") this.choose(0);
    else if (inside && event.key === "End") this.choose(this.rows.length - 1);
    else if (event.key === "b" || event.key === "f") this.walk(event.key === "b" ? -1 : 1);
    else if (event.key === "t" && this.marks.length) this.table.open ? this.table.close() : this.openTable();
    else if (event.key === "o") this.fold();
    else if (event.key === "q") this.cite();
    else if (event.key === "s") this.share();
    else if (event.key === "/") document.querySelector(".st-key-q input")?.focus();
    else if (event.key === "?") this.dialog.open ? this.dialog.close() : this.dialog.showModal();
    else if (event.key === "Enter" && (inside || event.target === document.body)) this.openCard();
    else return;
    event.preventDefault();
  }

  fold() {
    const now = this.rows[this.current];
    this.toggle(now?.below ? this.rows.findLast((r, i) => i < this.current && !r.below) : now);
  }

  openCard() {
    const card = document.querySelector(".st-key-card");
    if (!card) return;
    card.tabIndex = -1;
    if (window.matchMedia(PHONE).matches) {
      document.documentElement.classList.add(SHEET);
      this.sheet.hidden = false;
    } else card.scrollIntoView({ block: "start" });
    card.focus({ preventScroll: true });
  }
}

async function copy(text, done) {
  const said = document.querySelector(".st-key-card .lx-copied");
  try {
    await navigator.clipboard.writeText(text);
    if (said) said.textContent = done;
  } catch {
    window.prompt("Copy this", text); // a page without encryption on another computer may not write there
  }
}

// A quotation without the marks of its own, which stand around it here.
function bare(text) {
  return text.replace(/^["“”„«]+|["“”»]+$/g, "");
}

// The address follows the row without a step for the back button, which leaves the page.
function addressRow(number) {
  const address = new URL(window.location.href);
  if (!address.searchParams.has("report")) return; // a live view has no row in its address
  address.searchParams.set("s", number);
  address.searchParams.delete("match");
  window.history.replaceState(window.history.state, "", address);
}

function tellPlayer(number, play = false) {
  document.dispatchEvent(new CustomEvent("lectern:sentence", { detail: { number, play } }));
}

function drawnMarks() {
  return [...document.querySelectorAll(".st-key-picture .matches_marks path")];
}

function rememberedPlace(version) {
  const [of, top] = JSON.parse(sessionStorage.getItem(PLACE) ?? "[]");
  return of === version ? top : null;
}

function holds(r, number) {
  return r.number === number || r.grouped.some((f) => f.number === number);
}

// Somebody who speaks on for long has a time every minute.
function minute(r) {
  return r.time.slice(0, -3);
}

function typing(event) {
  const target = event.composedPath()[0];
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

function clamp(i, length) {
  return Math.max(0, Math.min(i, length - 1));
}

function element(tag, name, text) {
  const made = document.createElement(tag);
  made.className = name;
  if (text !== undefined) made.textContent = text;
  return made;
}
