// Remembers the reviewer's name in this browser, so that it stands in no address: a link that somebody shares would
// carry it to others.

const KEY = "lectern.name";

export default function (component) {
  const { data, setTriggerValue } = component;
  if (data.name) localStorage.setItem(KEY, data.name);
  else if (data.known) localStorage.removeItem(KEY); // somebody has emptied the field
  else if (localStorage.getItem(KEY)) setTriggerValue("name", localStorage.getItem(KEY));
}
