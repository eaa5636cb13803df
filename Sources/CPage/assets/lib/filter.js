// The filter: a query of the same language as `apnsim watch --query`. Mistakes are told at their column, not while
// somebody is still typing; what was found last stays until the query is whole again.
import { h, fill } from './dom.js';
import { glyph } from './glyphs.js';
import { scalarsBefore, unitAt } from './scalars.js';

const typing = 400;
const completing = 100;

export class Filter {
  // `apply(text)` resolves when the rows are there, and throws the server's problem when the query is wrong.
  constructor({ text, apply, complete }) {
    Object.assign(this, { apply, complete, applied: text, choice: -1, items: [], offers: 0 });
    this.field = h('input', {
      type: 'text', class: 'mono', value: text, spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off',
      placeholder: 'Filter: device:bob alert~"order" !outcome:delivered', 'aria-label': 'Filter', role: 'combobox',
      'aria-expanded': 'false', 'aria-controls': 'completions', 'aria-autocomplete': 'list',
      oninput: () => this.typed(), onkeydown: (event) => this.key(event), onblur: () => setTimeout(() => this.close(), 120),
    });
    this.list = h('ul', { class: 'completions', id: 'completions', role: 'listbox', 'aria-label': 'Completions', hidden: true });
    this.mistake = h('p', { class: 'query-mistake', role: 'alert', hidden: true });
    this.element = h('div', { class: 'filter' },
      h('div', { class: 'field' }, glyph('find'), this.field, h('kbd', { 'aria-hidden': 'true' }, '/'), this.list), this.mistake);
  }

  set(text) {
    this.field.value = text;
    this.applied = text;
    this.tell(null);
  }

  typed() {
    clearTimeout(this.timer);
    this.tell(null);
    this.timer = setTimeout(() => this.submit(), this.field.value ? typing : 0);
    clearTimeout(this.offerTimer);
    if (this.complete) this.offerTimer = setTimeout(() => this.offer(), completing);
  }

  async submit() {
    clearTimeout(this.timer);
    const text = this.field.value.trim();
    if (text === this.applied) return;
    try {
      await this.apply(text);
      this.applied = text;
      this.tell(null);
    } catch (error) {
      if (this.field.value.trim() === text) this.tell(error);
    }
  }

  // The query once more, with a wavy line under the place, and what is wrong there.
  tell(problem) {
    this.problem = problem;
    // Somebody who is choosing what to write is not told that it is not whole yet.
    if (problem && this.items.length) return;
    this.mistake.hidden = !problem;
    this.field.setAttribute('aria-invalid', problem ? 'true' : 'false');
    if (!problem) return;
    const text = this.field.value;
    const at = problem.column ? unitAt(text, problem.column - 1) : -1;
    const wrong = at >= 0 && at < text.length ? String.fromCodePoint(text.codePointAt(at)) : '';
    fill(this.mistake,
      at >= 0 && h('code', { 'aria-hidden': 'true' }, text.slice(0, at), h('u', null, wrong || ' '), text.slice(at + wrong.length)),
      h('span', null, problem.column ? `Column ${problem.column}: ` : '', problem.message,
        this.applied ? h('span', { class: 'aside' }, ' Shown is ', h('code', null, this.applied)) : ''));
  }

  async offer() {
    const mine = ++this.offers;
    const text = this.field.value;
    const at = this.field.selectionStart;
    const found = await this.complete(text, scalarsBefore(text, at)).catch(() => null);
    if (!found || mine !== this.offers || this.field.value !== text || document.activeElement !== this.field) return;
    const [from, to] = [unitAt(text, found.from), unitAt(text, found.to)];
    const offered = found.items.filter(({ text: item }) => item !== text.slice(from, to));
    this.items = offered.slice(0, 10).map((item) => ({ ...item, of: text, from, to }));
    this.choice = -1;
    this.drawList();
  }

  drawList() {
    const isOpen = this.items.length > 0;
    this.list.hidden = !isOpen;
    this.field.setAttribute('aria-expanded', String(isOpen));
    fill(this.list, this.items.map((item, i) => h('li', {
      role: 'option', id: `completion-${i}`, 'aria-selected': String(i === this.choice),
      onpointerdown: (event) => { event.preventDefault(); this.take(item); },
    }, h('code', null, item.text), h('span', { class: 'aside' }, item.count === undefined ? item.kind : item.count.toLocaleString('en-US')))));
    if (this.choice >= 0) this.field.setAttribute('aria-activedescendant', `completion-${this.choice}`);
    else this.field.removeAttribute('aria-activedescendant');
  }

  take(item) {
    const text = this.field.value;
    // Text typed since then has its places elsewhere.
    if (text !== item.of) { this.offer(); return; }
    // A field is nothing without an operator.
    const isWhole = item.kind !== 'field' || /[.:~^#<>=]$/.test(item.text) || /^[.:~^#<>=]/.test(text.slice(item.to));
    const written = isWhole ? item.text : `${item.text}:`;
    this.field.value = text.slice(0, item.from) + written + text.slice(item.to);
    this.field.setSelectionRange(item.from + written.length, item.from + written.length);
    this.close();
    this.typed();
  }

  close() {
    clearTimeout(this.offerTimer);
    this.offers += 1;
    this.items = [];
    this.drawList();
    if (this.problem && this.mistake.hidden) this.tell(this.problem);
  }

  key(event) {
    const { key } = event;
    if (this.items.length && (key === 'ArrowDown' || key === 'ArrowUp')) {
      const by = key === 'ArrowDown' ? 1 : -1;
      this.choice = (this.choice + by + this.items.length + (this.choice < 0 && by < 0 ? 1 : 0)) % this.items.length;
      this.drawList();
    } else if (this.items.length && (key === 'Tab' || (key === 'Enter' && this.choice >= 0))) {
      this.take(this.items[Math.max(0, this.choice)]);
    } else if (key === 'Enter') {
      this.close();
      this.submit();
    } else if (key === 'Escape') {
      if (this.items.length) this.close();
      else if (this.field.value) { this.field.value = ''; this.submit(); this.tell(null); }
      else this.field.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
