// Records the microphone and sends it in pieces of 16 kHz, 16 bits. What the server has not taken stays here and is sent
// when it answers again, also after a restart. Recording goes on while another page of Lectern is shown in this tab.

const RATE = 16000;
const SEND_MS = 250;
const WAIT_MS = 1000;
const PIECE = 60 * RATE;
const MOST = 3600 * RATE;
const ERRORS = {
  NotAllowedError: "This page may not use the microphone: allow it beside the address above, then start again.",
  NotFoundError: "This computer has no microphone: connect one, then start again.",
  NotReadableError: "The microphone is in use: close what else records, then start again.",
};
const INSECURE =
  "Browsers give their microphone only to pages over https:// or of this computer: ask your administrator.";
const UNPLUGGED = "The microphone was disconnected: connect it, then start again.";
const BEFORE = "Not recording yet.";
const UNHEARD = "but nobody listens. Press Go on: what is recorded until then is heard, too.";
const KEPT = "Recording goes on: keep this tab open.";
const LONG = "An hour of sound could not be sent: recording has stopped. Look whether Lectern runs.";
const recorders = (globalThis.lecternMicrophones ??= new Map()); // by event, for pages that are drawn anew

// Runs in the thread of sound: mono, and at 16 kHz by a windowed sinc, so that high tones do not become low ones.
const WORKLET = `
const TAPS = 32, PHASES = 128;
registerProcessor("lectern", class extends AudioWorkletProcessor {
  constructor() {
    super();
    this.step = sampleRate / ${RATE};
    this.half = Math.ceil((TAPS / 2) * Math.max(this.step, 1));
    this.rows = Array.from({ length: PHASES }, (_, phase) => this.row(phase / PHASES));
    this.held = new Float32Array(2 * this.half);
    this.at = this.half;
    this.out = [];
  }
  row(shift) {
    const cut = 0.92 / Math.max(this.step, 1), half = this.half;
    const row = Float32Array.from({ length: 2 * half }, (_, i) => {
      const x = i - half + 1 - shift;
      const sinc = x === 0 ? cut : Math.sin(Math.PI * cut * x) / (Math.PI * x);
      return sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / (half + 1)));
    });
    const sum = row.reduce((a, b) => a + b, 0);
    return row.map((value) => value / sum);
  }
  process([channels]) {
    if (!channels.length) return true;
    const size = channels[0].length, sound = new Float32Array(this.held.length + size);
    sound.set(this.held);
    for (const channel of channels)
      for (let i = 0; i < size; i++) sound[this.held.length + i] += channel[i] / channels.length;
    for (; this.at + this.half < sound.length; this.at += this.step) {
      const whole = Math.floor(this.at), row = this.rows[Math.floor((this.at - whole) * PHASES)];
      let value = 0;
      for (let i = 0; i < row.length; i++) value += row[i] * sound[whole - this.half + 1 + i];
      this.out.push(Math.max(-32768, Math.min(32767, Math.round(value * 32767))));
    }
    const kept = Math.max(Math.floor(this.at) - this.half, 0);
    this.held = sound.slice(kept);
    this.at -= kept;
    if (this.out.length >= ${RATE / 10}) {
      const piece = Int16Array.from(this.out);
      this.out = [];
      this.port.postMessage(piece, [piece.buffer]);
    }
    return true;
  }
});`;

export default function (component) {
  const { parentElement: root, data } = component;
  let known = recorders.get(data.event);
  if (!known) recorders.set(data.event, (known = { unsent: [], waiting: 0, say: "" }));
  known.ticket = data.ticket;
  known.follows = data.follows;
  known.root = root;
  root.querySelector(".go").onclick = () => (known.stream ? stop(known) : start(known));
  show(known);
}

async function start(known) {
  if (!navigator.mediaDevices) return show(known, INSECURE);
  try {
    known.stream = await navigator.mediaDevices.getUserMedia({ audio: { autoGainControl: true } });
    known.sound = new AudioContext();
    const code = URL.createObjectURL(new Blob([WORKLET], { type: "text/javascript" }));
    await known.sound.audioWorklet.addModule(code);
    URL.revokeObjectURL(code);
    await known.sound.resume();
  } catch (error) {
    release(known);
    return show(known, ERRORS[error.name] ?? `The microphone cannot be heard (${error.message}).`);
  }
  const node = new AudioWorkletNode(known.sound, "lectern", { numberOfOutputs: 0 });
  node.port.onmessage = ({ data }) => take(known, data);
  known.sound.createMediaStreamSource(known.stream).connect(node);
  known.stream.getAudioTracks()[0].onended = () => stop(known, UNPLUGGED);
  known.next = undefined;
  known.ends = false;
  known.since = clock();
  known.until = "";
  show(known, "");
  if (!known.sends) send(known);
}

function take(known, piece) {
  known.unsent.push(piece);
  known.waiting += piece.length;
  known.loud = piece.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 32768;
  if (known.waiting > MOST) stop(known, LONG);
  show(known);
}

async function stop(known, say = "") {
  release(known);
  known.ends = true;
  known.until = clock();
  show(known, say);
}

function release(known) {
  known.stream?.getTracks().forEach((track) => track.stop());
  known.sound?.close();
  known.stream = known.sound = undefined;
}

// Sends until all is sent after recording has stopped.
async function send(known) {
  known.sends = true;
  while (known.stream || known.waiting) {
    try {
      known.next ??= await ask(known, "POST", {});
      while (known.waiting) await sendPiece(known);
      if (known.lost) show(known, "");
      tell(known, false);
      await pause(SEND_MS);
    } catch (error) {
      known.next = undefined;
      const waiting = `${Math.round(known.waiting / RATE)} seconds wait to be sent.`;
      show(known, [error.message, waiting, known.stream ? KEPT : "Keep this tab open."].join(" "));
      tell(known, true);
      await pause(WAIT_MS);
    }
  }
  known.sends = false;
  if (known.ends) await ask(known, "DELETE", {}).catch(() => {});
  known.ends = false;
  show(known);
}

async function sendPiece(known) {
  const pieces = [];
  let size = 0;
  for (const piece of known.unsent) if ((size += piece.length) <= PIECE || !pieces.length) pieces.push(piece);
  const body = new Blob(pieces);
  const length = body.size / 2;
  const next = known.next;
  try {
    known.next = await ask(known, "PATCH", { headers: { "First-Sample": next }, body });
  } catch (error) {
    const now = await ask(known, "POST", {}); // it was taken, but the answer was lost
    if (now !== next + length) throw error;
    known.next = now;
  }
  known.unsent.splice(0, pieces.length);
  known.waiting -= length;
}

async function ask(known, method, options) {
  let answer;
  try {
    answer = await fetch(`/microphone/${known.ticket}`, { method, ...options });
  } catch {
    throw new Error("Lectern does not answer.");
  }
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()).next;
}

function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}

function show(known, say) {
  if (say !== undefined) known.say = say;
  const [go, meter, line] = [".go", "meter", ".say"].map((name) => known.root.querySelector(name));
  if (!go) return;
  go.textContent = known.stream ? "Stop the microphone" : "Start the microphone";
  go.hidden = !known.stream && !known.follows;
  go.classList.toggle("first", !known.stream);
  meter.hidden = !known.stream;
  meter.value = known.stream ? known.loud ?? 0 : 0;
  const text = known.say || state(known);
  if (line.textContent !== text) line.textContent = text; // a screen reader reads what is written anew
}

function state(known) {
  if (known.stream) return `Recording since ${known.since}${known.follows ? "." : `, ${UNHEARD}`}`;
  if (known.waiting && known.until) return `Stopped at ${known.until}; the last seconds are being sent.`;
  if (known.until) return `Stopped at ${known.until}. All that was recorded has been sent.`;
  return known.follows ? BEFORE : "";
}

// Says over the library's own dialogue, which asks about the internet, that what is recorded now is kept.
function tell(known, lost) {
  known.lost = lost;
  const box = known.root.querySelector(".lx-microphone");
  if (!box || lost === box.matches(":popover-open")) return;
  if (lost) box.setAttribute("popover", "manual");
  if (lost) box.showPopover();
  else box.removeAttribute("popover");
}

function clock() {
  return new Date().toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}
