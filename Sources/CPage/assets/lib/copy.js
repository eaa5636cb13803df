// Commands to copy.
import { h } from './dom.js';

// A block of text with a button that copies it; `shown` where what one reads differs from what is copied.
export function copyable(text, { label = 'Copy' } = {}) {
  const button = copyButton(() => text, label);
  return h('div', { class: 'code copyable' }, h('code', null, text), button);
}

function copyButton(text, label) {
  return h('button', {
    class: 'link',
    onclick: async ({ currentTarget }) => {
      await copyText(text());
      currentTarget.textContent = 'Copied';
      setTimeout(() => { currentTarget.textContent = label; }, 1_500);
    },
  }, label);
}

// The clipboard is there only where the page comes from this machine or by HTTPS; else the old way.
export async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = h('textarea', { value: text });
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
