// A button that opens a list of actions below it.
import { h, fill } from './dom.js';
import { glyph } from './glyphs.js';

// `items`: a list of `{ word, run, beside? }`, or what makes one when it is asked for. The list closes on Escape, on a press
// elsewhere, and when something was chosen.
export function menu(word, items, attributes = {}) {
  const list = h('div', { class: 'menu-list', hidden: true });
  const button = h('button', {
    type: 'button', class: 'button', 'aria-expanded': 'false', onclick: () => (list.hidden ? open() : close(true)), ...attributes,
  }, word, glyph('down'));
  const root = h('div', { class: 'menu', onkeydown: key, onfocusout: left }, button, list);

  function open() {
    fill(list, (typeof items === 'function' ? items() : items).map((item) => h('button', { type: 'button', onclick: () => { close(true); item.run(); } }, item.word,
      item.beside && h('span', { class: 'beside' }, item.beside))));
    list.hidden = false;
    button.setAttribute('aria-expanded', 'true');
    document.addEventListener('pointerdown', outside);
    list.querySelector('button')?.focus();
  }
  function close(takesFocus) {
    list.hidden = true;
    button.setAttribute('aria-expanded', 'false');
    document.removeEventListener('pointerdown', outside);
    if (takesFocus) button.focus();
  }
  function outside(event) { if (!root.contains(event.target)) close(false); }
  function left(event) { if (event.relatedTarget && !root.contains(event.relatedTarget)) close(false); }
  function key(event) {
    if (list.hidden) return;
    const all = [...list.querySelectorAll('button')];
    const place = all.indexOf(document.activeElement);
    const next = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === 'Escape') close(true);
    else if (next !== undefined) all.at(next % all.length).focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return root;
}
