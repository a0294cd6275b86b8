// Sends a recording in pieces. The server says which byte comes next, so that a recording that was interrupted goes on
// there when the same file is chosen again, also after a restart of either side.

const PIECE = 8 * 1024 * 1024;
const TRIES = 5;
const WAIT_MS = 1000;
const roots = new WeakMap();

export default function (component) {
  const { parentElement: root, data, setTriggerValue } = component;
  const known = roots.get(root) ?? {};
  roots.set(root, known);
  known.ticket = data.ticket;
  known.tell = (name) => setTriggerValue("sent", name);
  if (known.listens) return;
  known.listens = true;
  const stop = root.querySelector(".stop");
  root.querySelector("input").addEventListener("change", (event) => begin(root, known, event.target.files[0]));
  stop.addEventListener("click", () => {
    known.paused = !known.paused;
    stop.textContent = known.paused ? "Resume" : "Pause";
    if (!known.paused) begin(root, known, known.file);
  });
}

async function begin(root, known, file) {
  if (!file) return;
  const [bar, say, stop] = ["progress", ".say", ".stop"].map((name) => root.querySelector(name));
  known.file = file;
  known.paused = false;
  root.querySelector(".choose .button").textContent = file.name;
  bar.hidden = stop.hidden = false;
  try {
    let offset = await ask(known.ticket, file);
    while (offset < file.size && !known.paused && known.file === file) {
      offset = await piece(known.ticket, file, offset);
      bar.value = offset / file.size;
      say.textContent = `${megabytes(offset)} of ${megabytes(file.size)} MB`;
    }
    if (offset < file.size) return;
    stop.hidden = true;
    say.textContent = "Received";
    known.tell(file.name);
  } catch (error) {
    say.textContent = error.message;
  }
}

async function ask(ticket, file) {
  const mark = `${file.lastModified}`;
  const body = JSON.stringify({ name: file.name, size: file.size, mark });
  return answered(await fetch(`/recordings/${ticket}`, { method: "POST", body }));
}

async function piece(ticket, file, offset) {
  for (let left = TRIES; ; left--) {
    try {
      const body = file.slice(offset, offset + PIECE);
      const headers = { "Upload-Offset": offset };
      return await answered(await fetch(`/recordings/${ticket}`, { method: "PATCH", headers, body }));
    } catch (error) {
      if (!left || error.refused) throw error;
      await new Promise((done) => setTimeout(done, WAIT_MS));
      offset = await ask(ticket, file);
      if (offset >= file.size) return offset;
    }
  }
}

async function answered(response) {
  if (response.ok) return (await response.json()).offset;
  const error = new Error(await response.text());
  error.refused = response.status !== 409;
  throw error;
}

function megabytes(bytes) {
  return Math.round(bytes / 1e6).toLocaleString("en");
}
