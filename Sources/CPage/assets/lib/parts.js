// Parts that many panes are made of.
import { Problem, Unreachable } from './api.js';
import { h, fill } from './dom.js';

// A table; `heads` are strings, each row a list of cells. A row of `null` is left out.
export function table(heads, rows, attributes) {
  return h('div', { class: 'table-box' }, h('table', attributes,
    h('thead', null, h('tr', null,
      heads.map((head) => h('th', { scope: 'col' }, head || h('span', { class: 'spoken' }, 'Actions'))))),
    h('tbody', null, rows.filter(Boolean).map((cells) => h('tr', null, cells.map((cell) => h('td', null, cell)))))));
}

// A button that does something on the server. What goes wrong is said beside it, in the server's words.
export function action(word, run, attributes = {}) {
  const said = h('span', { class: 'mistake', role: 'alert' });
  const button = h('button', { type: 'button', class: 'button', ...attributes, onclick: () => attempt(run, said) }, word);
  return h('span', { class: 'action' }, button, said);
}

// Runs, and says in `place` what was wrong; resolves with whether it went well.
export async function attempt(run, place) {
  fill(place);
  try {
    await run();
    return true;
  } catch (error) {
    fill(place, problemText(error));
    return false;
  }
}

export function problemText(error) {
  const where = error.pointer && error.pointer !== 'query' ? `${error.pointer}: ` : '';
  return `${where}${error.message}${error.hint ? ` (${error.hint})` : ''}`;
}

// The API's texts, each as a sentence; an option is never broken.
export function sentences(...texts) {
  return texts.filter(Boolean).map((text) => [
    `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? '' : '.'} `.split(/(--[\w-]+)/)
      .map((part) => (part.startsWith('--') ? h('span', { class: 'unbroken' }, part) : part)),
  ]);
}

// A form in a dialog. `fields` are elements with names; `submit(values)` may throw a problem, which is shown.
export function formDialog(title, fields, word, submit) {
  const said = h('p', { class: 'mistake', role: 'alert' });
  const form = h('form', {
    class: 'stack', method: 'dialog', onsubmit: async (event) => {
      event.preventDefault();
      if (await attempt(() => submit(Object.fromEntries(new FormData(form))), said)) dialog.close();
    },
  }, h('h2', null, title), fields, said, h('div', { class: 'actions' }, h('button', { class: 'button main' }, word),
    h('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, 'Cancel')));
  const dialog = h('dialog', { 'aria-label': title }, form);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function field(label, input, beside) {
  return h('label', { class: 'labelled' }, h('span', null, label), input, beside && h('span', { class: 'aside' }, beside));
}

export function select(name, choices, value, attributes = {}) {
  return h('select', { name, ...attributes }, choices.map((choice) => {
    const [key, word] = Array.isArray(choice) ? choice : [choice, choice];
    return h('option', { value: key, selected: key === value }, word);
  }));
}

// On or off, with its word.
export function toggle(isOn, words, run) {
  return h('button', { type: 'button', class: 'toggle', role: 'switch', 'aria-checked': String(isOn), onclick: run },
    h('span', { class: 'track', 'aria-hidden': 'true' }), words[isOn ? 0 : 1]);
}

// One thing can be taken back for ten seconds.
let undoShown = null;
export function offerUndo(text, undo) {
  undoShown?.remove();
  const close = () => { clearTimeout(timer); box.remove(); };
  const box = h('div', { class: 'undo', role: 'status' }, text, h('button',
    { class: 'link', onclick: async () => { close(); await undo(); } }, 'Undo'));
  const timer = setTimeout(close, 10_000);
  undoShown = box;
  document.body.append(box);
}

// An answer that a server may give is not a mistake of the page; anything else is.
function expected(error) {
  if (!(error instanceof Unreachable || error instanceof Problem)) throw error;
}

// Reads now, when the program says that something of that kind happened, and after a reconnection: once in so many
// milliseconds, and under load every two seconds at most. `first` is the first of them.
export function reading(context, isMine, read, wait = () => (context.live.rate() > 100 ? 2_000 : 300)) {
  let timer = null;
  let isLeft = false;
  const run = async () => { timer = null; if (!isLeft) await read().catch(expected); };
  const off = context.live.listen((kind, data) => {
    if (kind === 'hello' || (kind === 'digest' && isMine(data))) timer ??= setTimeout(run, wait());
  });
  return { first: run(), again: run, leave() { isLeft = true; clearTimeout(timer); off(); } };
}
