// Looks whether the card that was drawn last is on the page, and tells Python where it is not. What Python tells about
// a mark comes behind the mark itself, so a mark that is not there by then was lost on the way; and so was the end of
// its run if something of an earlier card still stands behind it.

const PATIENCE_MS = 2000; // for the browser to draw what has come

export default function (component) {
  const { data, setTriggerValue } = component;
  const timer = setTimeout(() => {
    if (!arrived(data.drawn)) setTriggerValue("lost", data.drawn);
  }, PATIENCE_MS);
  return () => clearTimeout(timer);
}

function arrived(drawn) {
  if (!drawn) return true;
  const marks = [...document.querySelectorAll("[data-drawn]")];
  const mark = marks.find((each) => Number(each.dataset.drawn) >= drawn); // a later one has its own timer
  return Boolean(mark) && !behind(mark);
}

function behind(mark) {
  const rest = document.createRange();
  rest.setStartAfter(mark);
  rest.setEndAfter(mark.closest(".st-key-live_card"));
  return rest.toString().trim();
}
