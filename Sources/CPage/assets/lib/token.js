// The control token: asked for once, kept for this tab, sent in a header.
import { h } from './dom.js';

const key = 'apnsim control token';

export const token = { value: sessionStorage.getItem(key) ?? '' };

let asking = null;

// Shows the one field, and resolves when something was typed. All that wait for it wait for the same answer.
export function askForToken() {
  asking ??= new Promise((resolve) => {
    const wasWrong = token.value !== '';
    const field = h('input', { type: 'password', name: 'token', autocomplete: 'off', required: true });
    const form = h('form', { class: 'token', onsubmit: take },
      h('h1', null, 'Control token'),
      h('label', null, h('span', null, 'This server wants its control token (', h('code', { class: 'unbroken' }, '--control-token'), ').'), field),
      wasWrong && h('p', { class: 'mistake', role: 'alert' }, 'The server does not know the token that was given.'),
      h('p', { class: 'aside' }, 'Kept for this tab only, and never part of an address.'),
      h('button', { class: 'button main' }, 'Open'));
    const dialog = h('dialog', { oncancel: (event) => event.preventDefault() }, form);
    document.body.append(dialog);
    dialog.showModal();

    function take(event) {
      event.preventDefault();
      token.value = field.value.trim();
      sessionStorage.setItem(key, token.value);
      dialog.remove();
      asking = null;
      resolve();
    }
  });
  return asking;
}
