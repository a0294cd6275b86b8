// Rings when a likely match comes: a short tone, a desktop notification, each only if somebody asked for it here.
// The choice is this browser's own; permission is asked when the box is ticked, as browsers want it.

const made = new WeakMap();

export default function (component) {
  const { data, parentElement } = component;
  let bell = made.get(parentElement);
  if (!bell) {
    bell = new Bell(parentElement, data.likely);
    made.set(parentElement, bell);
  }
  bell.update(data);
}

class Bell {
  constructor(root, likely) {
    this.likely = likely;
    this.sound = this.box(root, "sound", () => this.tone());
    this.notice = this.box(root, "notice", () => this.ask());
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
    if (data.likely > this.likely) this.ring(data.text);
    this.likely = data.likely;
  }

  ring(text) {
    if (this.sound.checked) this.tone();
    if (this.notice.checked && Notification.permission === "granted") new Notification("Likely match", { body: text });
  }

  async ask() {
    this.notice.checked = (await Notification.requestPermission()) === "granted";
  }

  tone() {
    this.audio ??= new AudioContext();
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
