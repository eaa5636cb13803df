// A question with two verbs. Resolves with whether the first was chosen; Escape is the second.
import { h } from './dom.js';

export function ask(title, text, yes, no, { isDanger = true } = {}) {
  return new Promise((resolve) => {
    const close = (value) => { dialog.close(); dialog.remove(); resolve(value); };
    const keep = h('button', { class: 'button', autofocus: true, onclick: () => close(false) }, no);
    const dialog = h('dialog', { oncancel: () => close(false) }, h('div', { class: 'stack' },
      h('h2', null, title), text && h('p', { class: 'second' }, text),
      h('div', { class: 'actions' }, h('button', { class: isDanger ? 'button danger' : 'button main', onclick: () => close(true) }, yes), keep)));
    document.body.append(dialog);
    dialog.showModal();
    keep.focus();
  });
}
