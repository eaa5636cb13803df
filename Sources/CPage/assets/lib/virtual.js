// A long list of which only what is seen is in the document: a pool of at most 80 rows, refilled, never rebuilt. The list
// itself has the focus; the row that is meant is its active descendant, so that focus cannot get lost with a row.
import { h } from './dom.js';

const mostRows = 80;
const beyond = 8;

export class VirtualList {
  // `makeRow()` → { element, fill(item, index) }; `source` has length, at(index), id(index), want(first, last).
  constructor({ label, makeRow, onOpen, onDraw }) {
    Object.assign(this, { makeRow, onOpen, onDraw, pool: [], source: null, active: null });
    this.space = h('div', { class: 'space', role: 'presentation' });
    this.element = h('div', { class: 'scroller', role: 'grid', tabindex: '0', 'aria-label': label, 'aria-readonly': 'true' },
      this.space);
    this.element.addEventListener('scroll', () => this.draw(), { passive: true });
    this.element.addEventListener('keydown', (event) => this.key(event));
    this.sizes = new ResizeObserver(() => this.measure());
    this.sizes.observe(this.element);
  }

  leave() { this.sizes.disconnect(); }

  get top() { return this.element.scrollTop; }
  get isAtTop() { return this.top < this.height; }

  measure() {
    const at = this.height ? this.top / this.height : 0;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.height = Math.round(parseFloat(getComputedStyle(this.element).getPropertyValue('--row')) * rem);
    this.seen = Math.ceil(this.element.clientHeight / this.height) || 0;
    if (this.seen) this.element.scrollTop = at * this.height;
    for (const row of this.pool) row.item = null;
    this.draw();
  }

  draw() {
    this.scheduled ??= requestAnimationFrame(() => { this.scheduled = null; this.drawNow(); });
  }

  drawNow() {
    const { source } = this;
    if (!source || !this.seen) return;
    const length = source.length + (source.lost ? 1 : 0);
    const size = Math.min(mostRows, this.seen + 2 * beyond);
    while (this.pool.length < size) {
      const row = this.makeRow();
      row.element.id = `row-${this.pool.length}`;
      row.element.setAttribute('role', 'row');
      this.pool.push(row);
      this.space.append(row.element);
    }
    const height = `${length * this.height}px`;
    if (this.space.style.height !== height) this.space.style.height = height;
    this.element.setAttribute('aria-rowcount', length);
    this.first = Math.max(0, Math.floor(this.top / this.height) - beyond);
    this.last = Math.min(length - 1, this.first + this.pool.length - 1);
    source.want(this.first, Math.min(this.last, source.length - 1));
    let activeRow = null;
    const decorate = this.onDraw?.(this.first, this.last);
    for (let slot = 0; slot < this.pool.length; slot++) {
      // The slot of a place is its remainder, so that scrolling by one row refills one row.
      const rest = (slot - this.first % this.pool.length + this.pool.length) % this.pool.length;
      const index = this.first + rest;
      const row = this.pool[slot];
      row.element.hidden = index > this.last;
      if (index > this.last) continue;
      const item = index < source.length ? source.at(index) : source.lost;
      const id = source.id(index);
      if (row.index !== index || row.y !== this.height) {
        row.element.style.transform = `translateY(${index * this.height}px)`;
        row.element.setAttribute('aria-rowindex', index + 1);
        row.y = this.height;
      }
      if (row.item !== item || row.index !== index || !item) row.fill(item, id,
        source.isPast(index) ? (source.isPast(index - 1) ? 'past' : 'past first') : '');
      row.item = item;
      row.index = index;
      row.decorate?.(decorate, index);
      const isActive = id !== undefined && id === this.active;
      row.element.classList.toggle('active', isActive);
      if (row.isActive !== isActive) {
        row.isActive = isActive;
        row.element.setAttribute('aria-selected', isActive);
      }
      if (isActive) activeRow = row.element.id;
    }
    if (activeRow) this.element.setAttribute('aria-activedescendant', activeRow);
    else this.element.removeAttribute('aria-activedescendant');
  }

  // The row of `id` is meant from now on, and in sight.
  activate(id, { reveal = true } = {}) {
    this.active = id;
    if (id && reveal && this.source) this.reveal(this.source.indexOf(id));
    this.draw();
  }

  reveal(index) {
    if (index < 0 || !this.height) return;
    const y = index * this.height;
    const { scrollTop, clientHeight } = this.element;
    if (y < scrollTop) this.element.scrollTop = y;
    else if (y + this.height > scrollTop + clientHeight) this.element.scrollTop = y + this.height - clientHeight;
  }

  toTop() { this.element.scrollTop = 0; this.draw(); }

  // Another row by so many places; with none active, the first in sight.
  step(by) {
    const { source } = this;
    if (!source?.length) return null;
    const at = this.active ? source.indexOf(this.active) : -1;
    const next = at < 0 && Number.isFinite(by) ? Math.ceil(this.top / this.height) : at + by;
    const index = Math.max(0, Math.min(source.length - 1, next));
    this.activate(source.id(index));
    return this.active;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, this.seen - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps) this.step(steps[event.key]);
    else if (event.key === 'Enter' && this.active) this.onOpen(this.active);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
