// A choice in a sentence: a native select, or a field for a free value, styled as text.
import { h } from '../lib/dom.js';

let lists = 0;

export function slotField({ name, choices, free }, value, change) {
  const label = { whose: 'whose', which: 'which one', times: 'how often', interface: 'what', for: 'how long',
    value: 'how much', delay: 'after how long' }[name] ?? name;
  if (!free) {
    if (choices.length === 1) return choices[0][1];
    return h('select', { class: 'slot', 'aria-label': label, onchange: ({ target }) => change(target.value) },
      known(choices, value).map(([key, word]) => h('option', { value: key, selected: key === value }, word)));
  }
  const id = `slot-list-${lists += 1}`;
  const field = h('input', {
    class: 'slot', type: 'text', value, 'aria-label': label, list: id, spellcheck: 'false', autocomplete: 'off',
      size: Math.max(3, value.length),
    pattern: free === 'duration' ? '(\\d+(ms|s|m|h|d))+' : '\\d+', required: true,
    oninput: () => { field.size = Math.max(3, field.value.length); if (field.checkValidity()) change(field.value); },
  });
  return h('span', { class: 'slot-box' }, field, h('datalist', { id }, choices.map(([key]) => h('option', { value: key }))));
}

// A value that is none of the choices is one of them as well.
function known(choices, value) {
  return choices.some(([key]) => key === value) ? choices : [[value, value], ...choices];
}
