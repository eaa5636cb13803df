// Copying, also where the browser gives a page no clipboard: then the text is shown, chosen, to be copied by hand.
import { h } from './dom.js';

export async function copy(text, word, announce) {
  try {
    await navigator.clipboard.writeText(text);
    announce(`Copied: ${word}.`, { now: true });
  } catch {
    const field = h('textarea', { rows: '8', readonly: true, 'aria-label': word, value: text });
    const dialog = h('dialog', { class: 'copy' },
      h('h2', {}, `Copy: ${word}`), field,
      h('form', { method: 'dialog' }, h('button', { class: 'button main' }, 'Close')));
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    field.select();
  }
}
