// Keys, and the sheet that lists them. Single keys work outside fields only, and can be switched off.
import { h } from './lib/dom.js';

const stored = 'keys off';

// `all()` gives the keys that hold now, by groups: [[title, { key: [words, run] }], …].
export class Keys {
  constructor({ all, places, go, changeScheme }) {
    Object.assign(this, { all, places, go, changeScheme, isGoing: false });
    document.addEventListener('keydown', (event) => this.press(event));
  }

  get areOff() { return localStorage.getItem(stored) === 'yes'; }

  press(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.('input, textarea, select, [contenteditable], dialog')) return;
    if (event.key === '?') { event.preventDefault(); this.open(); return; }
    if (this.areOff && event.key.length === 1) return;
    if (this.isGoing) {
      this.isGoing = false;
      const place = this.places()[event.key];
      if (place) { event.preventDefault(); this.go(place[1]); }
      return;
    }
    if (event.key === 'g') { this.isGoing = true; setTimeout(() => { this.isGoing = false; }, 1_500); return; }
    for (const [, keys] of this.all()) {
      const found = keys?.[event.key];
      if (!found) continue;
      event.preventDefault();
      found[1](event);
      return;
    }
  }

  open() {
    const line = (keys, what) => h('div', null, h('dt', null, keys.map((key) => h('kbd', null, key))), h('dd', null, what));
    const groups = this.all().map(([title, keys]) => [title, Object.entries(keys ?? {}).filter(([, [what]]) => what)])
      .filter(([, keys]) => keys.length);
    const off = h('input', { type: 'checkbox', checked: !this.areOff, onchange: () => localStorage.setItem(stored, off.checked ? 'no' : 'yes') });
    const schemes = ['system', 'light', 'dark'];
    const now = localStorage.getItem('scheme') ?? 'system';
    const dialog = h('dialog', { class: 'keys-sheet', 'aria-label': 'Keys' },
      h('h2', null, 'Keys'),
      h('div', { class: 'key-groups' },
        groups.map(([title, keys]) => h('section', null, h('h3', null, title), h('dl', null, keys.map(([key, [what]]) => line([shown[key] ?? key], what))))),
        h('section', null, h('h3', null, 'Go to'), h('dl', null, Object.entries(this.places()).map(([key, [what]]) => line(['g', key], what)))),
        h('section', null, h('h3', null, 'In a list'), h('dl', null, line(['↑', '↓'], 'Row'), line(['Enter'], 'Open'), line(['Esc'], 'Close')))),
      h('p', null, h('label', { class: 'check' }, off, ' Single keys work')),
      h('p', null, 'Colours ', h('span', { class: 'tabs', role: 'group', 'aria-label': 'Colours' }, schemes.map((scheme) => h('button', {
        'aria-pressed': String(scheme === now),
        onclick: ({ currentTarget }) => {
          this.changeScheme(scheme);
          for (const button of currentTarget.parentNode.children) button.setAttribute('aria-pressed', String(button === currentTarget));
        },
      }, scheme)))),
      h('p', null, h('button', { class: 'button', onclick: () => dialog.close() }, 'Close')));
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}

const shown = { Escape: 'Esc', ' ': 'Space' };
