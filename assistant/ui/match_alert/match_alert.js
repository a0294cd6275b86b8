// Rings when a strong match comes: a short tone, a desktop notification, each only if somebody asked for it here.
// The choice is this browser's own; permission is asked when the box is ticked, as browsers want it. Until somebody has
// clicked on a page, a browser lets it make no sound: the box says so, and what came before is not rung afterwards.

const made = new WeakMap();

export default function (component) {
  const { data, parentElement } = component;
  let alert = made.get(parentElement);
  if (!alert) {
    alert = new MatchAlert(parentElement, data.strong);
    made.set(parentElement, alert);
  }
  alert.update(data);
}

class MatchAlert {
  constructor(root, strong) {
    this.strong = strong;
    this.root = root.querySelector(".match-alert");
    this.asleep = root.querySelector(".asleep");
    this.sound = this.box(root, "sound", () => this.wake().then(() => this.tone()));
    this.notice = this.box(root, "notice", () => this.ask());
    this.notice.checked &&= granted();
    this.notice.disabled = !("Notification" in window); // as on an address that is not this computer and not encrypted
    if (this.sound.checked) this.wake();
    document.addEventListener("pointerdown", () => this.sound.checked && this.wake());
  }

  box(root, name, ticked) {
    const box = root.querySelector(`.${name}`);
    box.checked = localStorage.getItem(`lectern.${name}`) === "1";
    box.addEventListener("change", () => {
      localStorage.setItem(`lectern.${name}`, box.checked ? "1" : "0");
      if (box.checked) ticked();
    });
    return box;
  }

  update(data) {
    if (data.strong > this.strong) this.ring(data.text);
    this.strong = data.strong;
    this.root.dataset.strong = this.strong; // the matches that ring no more
  }

  ring(text) {
    if (this.sound.checked && this.audio?.state === "running") this.tone();
    if (this.notice.checked && granted()) new Notification("New match", { body: text });
  }

  async ask() {
    this.notice.checked = (await Notification.requestPermission()) === "granted";
    localStorage.setItem("lectern.notice", this.notice.checked ? "1" : "0");
  }

  wake() {
    if (!this.audio) {
      this.audio = new AudioContext();
      this.audio.onstatechange = () => this.say();
    }
    this.say();
    return this.audio.resume(); // kept only once there was a click
  }

  say() {
    this.asleep.hidden = !this.sound.checked || this.audio.state === "running";
  }

  tone() {
    const [tone, volume] = [this.audio.createOscillator(), this.audio.createGain()];
    const now = this.audio.currentTime;
    tone.frequency.value = 660;
    volume.gain.setValueAtTime(0.15, now);
    volume.gain.exponentialRampToValueAtTime(0.001, now + 0.4);
    tone.connect(volume).connect(this.audio.destination);
    tone.start(now);
    tone.stop(now + 0.4);
  }
}

function granted() {
  return "Notification" in window && Notification.permission === "granted";
}
