// Keeps what somebody types in its field. A decision draws the next match and with it a new Note, perhaps while
// somebody is typing already: the letters would fall on the page, where each is a key that decides. Here they go on
// in the new field, those too that the old one had since it got the focus.

const FIELDS = "input:not([type=checkbox]):not([type=radio]), textarea";
// A new card takes the old guard off the page before its own is there: the listening outlives the gap.
const GAP_MS = 3000;
let stopListening = null;
let ending = 0;

export default function () {
  clearTimeout(ending);
  stopListening ??= keep();
  return () => {
    clearTimeout(ending);
    ending = setTimeout(() => {
      stopListening();
      stopListening = null;
    }, GAP_MS);
  };
}

function keep() {
  let field = null; // has the focus, or had it when it was taken off the page
  let typed = "";
  const listening = new AbortController();
  const on = (name, act) => window.addEventListener(name, act, { capture: true, signal: listening.signal });
  const leave = () => {
    field = null;
    typed = "";
  };
  const goOn = () => {
    if (!field || field.isConnected) return;
    const label = CSS.escape(field.getAttribute("aria-label") ?? "");
    const next = document.querySelector(`:is(${FIELDS})[aria-label="${label}"]:not([disabled])`);
    if (!next) return;
    const text = typed;
    next.focus();
    if (text) document.execCommand("insertText", false, text);
  };
  on("focusin", (event) => {
    leave();
    if (event.target.matches?.(FIELDS)) field = event.target;
  });
  on("input", (event) => {
    if (event.target === field) typed = event.data === null ? "" : typed + event.data;
  });
  on("pointerdown", (event) => {
    if (event.target !== field) leave();
  });
  on("keydown", (event) => {
    if (!field || field.isConnected) return;
    if (event.key.length !== 1) return leave();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    typed += event.key;
    goOn();
  });
  // Enter ends the typing of a name: the next letter is a key that decides.
  on("keydown", (event) => {
    const name = event.target;
    if (event.key !== "Enter" || name.getAttribute?.("aria-label") !== "Your name") return;
    setTimeout(() => {
      name.blur();
      leave();
    });
  });
  on("keyup", (event) => {
    if (event.key === "Tab" && document.activeElement !== field) leave();
  });
  const watcher = new MutationObserver(goOn);
  watcher.observe(document.body, { childList: true, subtree: true });
  return () => {
    listening.abort();
    watcher.disconnect();
  };
}
