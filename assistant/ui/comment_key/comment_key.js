// The key c goes to the field for a comment on the card. Like all single letters it is silent while somebody types.

const FIELD = ".st-key-comments [data-testid=stChatInputTextArea]";
const listeners = new WeakMap();

export default function (component) {
  const root = component.parentElement;
  if (!listeners.has(root)) listeners.set(root, listen());
  return () => {
    listeners.get(root)?.abort();
    listeners.delete(root);
  };
}

function listen() {
  const listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  document.addEventListener("keydown", goToField, options);
  return listening;
}

function goToField(event) {
  if (event.key !== "c" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
  const field = document.querySelector(FIELD);
  if (!field || field.disabled) return;
  event.preventDefault();
  event.stopPropagation();
  field.focus();
}

function isTyping(event) {
  const target = event.composedPath()[0];
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
