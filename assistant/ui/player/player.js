// The recording beside the transcript: plays from the chosen sentence, marks the word that is being said, and follows
// the list: a time that is clicked there, or the key a, plays from there. The sentences come as
// [number, start, end, text, starts of its words]; without the latter its time is shared out by the length of its words.

const roots = new WeakMap();

export default function (component) {
  const root = component.parentElement;
  if (!roots.has(root)) roots.set(root, new Player(root));
  const player = roots.get(root);
  player.update(component.data);
  return () => {
    player.close();
    roots.delete(root);
  };
}

class Player {
  constructor(root) {
    this.root = root;
    this.audio = root.querySelector("audio");
    this.words = root.querySelector(".words");
    this.trouble = root.querySelector(".trouble");
    this.chosen = null;
    this.shown = null;
    this.leaving = new AbortController();
    const on = (target, name, act) => target.addEventListener(name, act, { signal: this.leaving.signal });
    on(document, "lectern:sentence", (event) => this.choose(event.detail));
    on(document, "keydown", (event) => this.key(event));
    on(this.audio, "timeupdate", () => this.show());
    on(this.audio, "seeked", () => this.show());
    on(this.audio, "playing", () => this.follow());
    on(this.audio, "error", () => (this.trouble.textContent = "The browser cannot play this recording."));
    on(root.querySelector(".here"), "click", () => this.toggle());
    on(root.querySelector("select"), "change", (event) => this.speed(event.target));
  }

  close() {
    this.leaving.abort();
    this.audio.pause();
  }

  update(data) {
    this.sentences = data.sentences;
    this.shown = null;
    if (data.source !== this.source) {
      this.source = data.source;
      const at = this.audio.currentTime;
      this.audio.src = data.source;
      this.audio.currentTime = at;
      this.speed(this.root.querySelector("select"));
    }
    if (this.chosen === null && data.selected) this.choose({ number: data.selected });
    else this.show();
  }

  choose({ number, play = false }) {
    this.chosen = number;
    const found = this.sentences.find((s) => s[0] === number);
    if (!found) return;
    if (play || this.audio.paused) this.audio.currentTime = found[1];
    if (play) this.audio.play().catch((error) => (this.trouble.textContent = error.message));
  }

  toggle() {
    if (this.audio.paused) this.choose({ number: this.chosen ?? this.sentences[0]?.[0], play: true });
    else this.audio.pause();
  }

  key(event) {
    const target = event.composedPath()[0];
    const typing = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    if (event.key !== "a" || event.ctrlKey || event.metaKey || event.altKey || typing) return;
    event.preventDefault();
    this.toggle();
  }

  speed(select) {
    this.audio.defaultPlaybackRate = this.audio.playbackRate = Number(select.value);
  }

  follow() {
    if (this.audio.paused || !this.root.isConnected) return;
    this.show();
    requestAnimationFrame(() => this.follow());
  }

  show() {
    const now = this.audio.currentTime;
    const found = this.sentences.findLast((s) => s[1] <= now);
    if (!found) return;
    if (found[0] !== this.shown) this.write(found);
    const at = now >= found[2] ? -1 : this.starts.findLastIndex((start) => start <= now);
    [...this.words.children].forEach((word, i) => {
      if ((word.tagName === "MARK") !== (i === at)) word.replaceWith(part(i === at ? "mark" : "span", word.textContent));
    });
  }

  write([number, start, end, text, starts]) {
    this.shown = number;
    const words = text.split(" ");
    this.starts = starts?.length === words.length ? starts : sharedOut(words, start, end);
    this.words.replaceChildren(...words.flatMap((word) => [part("span", word), " "]));
  }
}

function sharedOut(words, start, end) {
  const letters = words.reduce((sum, word) => sum + word.length + 1, 0);
  let before = 0;
  return words.map((word) => {
    const at = start + ((end - start) * before) / letters;
    before += word.length + 1;
    return at;
  });
}

function part(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}
