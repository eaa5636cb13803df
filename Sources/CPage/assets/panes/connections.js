// The connections of providers, the newest first; those that were refused at the handshake among them.
import { h, fill, strange } from '../lib/dom.js';
import { glyph } from '../lib/glyphs.js';
import { endingOf, interfaceOf, nameOf } from '../lib/connections.js';
import { reading } from '../lib/parts.js';

const most = 1000;

export function mount(root, context) {
  const pane = new Connections(root, context);
  return {
    update: (route) => pane.mark(route),
    leave: () => pane.leave(),
    step: (by) => pane.step(by),
    position: (id) => pane.position(id),
    ready: pane.reading.first,
    keys: {
      j: ['The row below', () => pane.step(1)],
      k: ['The row above', () => pane.step(-1)],
    },
  };
}

class Connections {
  constructor(root, context) {
    Object.assign(this, { root, ...context, chosen: context.route.id });
    this.table = h('ol', { class: 'connections', onkeydown: (event) => this.key(event) });
    fill(root, h('h1', { class: 'spoken' }, 'Connections'), this.table);
    this.reading = reading(this, (data) => data.connections || data.received, () => this.read(), () => 1_000);
  }

  leave() {
    this.isLeft = true;
    this.reading.leave();
  }

  async read() {
    let found;
    try {
      found = await this.api.get(`/connections?limit=${most}`);
    } catch (error) {
      if (!this.isLeft && !this.found) fill(this.table, h('li', { class: 'empty' }, error.message));
      return;
    }
    if (this.isLeft) return;
    const text = JSON.stringify(found);
    if (text === this.text) return;
    this.text = text;
    this.found = found;
    this.draw();
  }

  draw() {
    const { connections, refused } = this.found;
    const rows = [...connections.map((one) => [one.openedAt, this.row(one)]), ...refused.map((one) => [one.at, this.refusal(one)])];
    rows.sort(([a], [b]) => (a < b ? 1 : -1));
    const focused = document.activeElement?.closest('.connections') ? document.activeElement.getAttribute('href') : null;
    fill(this.table, rows.length ? rows.map(([, row]) => row) : this.empty());
    if (focused) this.table.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    this.mark(this.route);
    const open = connections.filter((one) => one.open).length;
    this.state(`${this.words.plural(connections.length, 'connection')}, ${open} open${refused.length ? `, ${refused.length} refused at the handshake` : ''}`,
      connections.length >= most ? `the newest ${this.words.count(most)} are listed` : '');
  }

  row(one) {
    const { words, router } = this;
    const ending = endingOf(one, words);
    return h('li', { 'data-id': one.id },
      h('a', { href: router.to(`/connections/${one.id}`) },
        glyph(ending.glyph, ending.tone),
        h('span', { class: 'name' }, h('b', { class: 'mono' }, one.id), ' ', strange(nameOf(one))), ' ',
        h('time', { class: 'mono', datetime: one.openedAt }, words.clock(one.openedAt)), ' ',
        h('span', { class: 'how' }, interfaceOf(one), ' · ', h('span', { class: ending.tone === 'bad' ? 'bad' : '' }, ending.text))));
  }

  refusal(one) {
    return h('li', {},
      h('div', { class: 'refusal' },
        glyph('rejected', 'bad'),
        h('span', { class: 'name' }, h('b', { class: 'mono' }, '–'), one.subject ? strange(one.subject) : 'refused at the handshake'),
        h('time', { class: 'mono', datetime: one.at }, this.words.clock(one.at)),
        h('span', { class: 'how' }, interfaceOf(one), ' · ', h('span', { class: 'bad' }, strange(one.reason)))));
  }

  empty() {
    return h('li', { class: 'empty' }, h('h2', {}, 'No connections yet'),
      h('p', {}, 'Point a provider at the gateway or at the HTTP/2 interface; its first connection is listed here, also one that fails at the handshake.'),
      h('p', {}, h('a', { href: this.router.to('/') }, 'How to connect')));
  }

  mark(route) {
    this.chosen = route.id;
    for (const row of this.table.children) {
      const link = row.querySelector('a');
      if (row.dataset.id === route.id) link?.setAttribute('aria-current', 'true');
      else link?.removeAttribute('aria-current');
    }
  }

  // Arrows walk the rows.
  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const links = [...this.table.querySelectorAll('a')];
    links[links.indexOf(document.activeElement) + step]?.focus();
    event.preventDefault();
  }

  position(id) {
    const rows = [...this.table.querySelectorAll('li[data-id]')];
    return { index: rows.findIndex((row) => row.dataset.id === id), of: rows.length };
  }

  // The one before or after the chosen one.
  step(by) {
    const links = [...this.table.querySelectorAll('li[data-id] a')];
    const place = links.findIndex((link) => link.hasAttribute('aria-current'));
    const next = links[place + by];
    if (!next) return;
    this.router.go(`/connections/${next.parentElement.dataset.id}`, { replace: place >= 0 });
    next.scrollIntoView({ block: 'nearest' });
  }
}
