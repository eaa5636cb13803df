// The time strip: one bar for each slice of time, accepted above the line, refused below it, each with a height scale of
// its own. Dragging, or Shift and arrows, chooses a window.
import { h, fill } from './dom.js';
import { query } from './api.js';
import { clock, count, duration } from './words.js';

const bars = 120;
const tones = { goaway: 'bad', burst: 'bad', fault: 'warn', clock: 'wait' };
const up = 34;
const down = 14;

export class Strip {
  // `choose(from, to)`: a window as two times, or nothing for all of it.
  constructor(api, choose) {
    Object.assign(this, { api, choose, cursor: null, anchor: null });
    this.accepted = h('path', { class: 'accepted' });
    this.refused = h('path', { class: 'refused' });
    this.window = h('rect', { class: 'window', y: 0, height: up + down + 2 });
    this.picture = h('svg', { viewBox: `0 0 ${bars} ${up + down + 2}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      this.window, this.accepted, this.refused, h('path', { class: 'base', d: `M0 ${up + .5}H${bars}` }));
    this.marks = h('div', { class: 'marks' });
    this.axis = h('div', { class: 'axis' });
    this.said = h('span', { class: 'spoken', 'aria-live': 'polite' });
    this.plot = h('div', {
      class: 'plot', tabindex: '0', role: 'group', 'aria-roledescription': 'time strip',
      'aria-label': 'Time strip. Arrows move, Shift and arrows choose a window, Enter shows it, Escape gives it up.',
      onkeydown: (event) => this.key(event), onpointerdown: (event) => this.press(event),
    }, this.picture);
    this.element = h('div', { class: 'strip' }, this.marks, this.plot, this.axis, this.said);
  }

  // Reads the counts anew; `chosen` is the window that the list shows.
  async read(text, chosen = {}) {
    this.text = text;
    const now = ++this.turn || (this.turn = 1);
    const data = await this.api.get('/notifications/histogram' + query({ bars, query: text }));
    if (now !== this.turn) return;
    this.data = data;
    this.chosen = chosen;
    this.draw();
  }

  draw() {
    const { data } = this;
    const most = (member) => Math.max(1, ...data.bars.map((bar) => bar[member]));
    const [mostAccepted, mostRefused] = [most('accepted'), most('refused')];
    const bar = (i, y, height) => `M${i + .12} ${y}h.76v${height}h-.76Z`;
    const high = (n, all, room) => (n ? Math.max(1.5, n / all * room) : 0);
    const tops = data.bars.map((one) => high(one.accepted, mostAccepted, up - 2));
    this.accepted.setAttribute('d', tops.map((height, i) => (height ? bar(i, up - height, height) : '')).join('') || 'M0 0');
    this.refused.setAttribute('d', data.bars.map((one, i) => (one.refused
      ? bar(i, up + 1, high(one.refused, mostRefused, down)) : '')).join('') || 'M0 0');
    this.drawWindow();
    const from = Date.parse(data.from);
    const to = Date.parse(data.to);
    const step = (to - from) / data.bars.length;
    const at = (time) => Math.max(0, Math.min(100, (Date.parse(time) - from) / (to - from) * 100));
    const label = (share) => new Date(from + (to - from) * share).toISOString();
    const span = to - from;
    const word = (time) => (span < 30_000 ? clock(time, { milliseconds: true }) : span < 600_000 ? clock(time) : clock(time).slice(0, 5));
    const ticks = [0, .2, .4, .6, .8].map((share) => {
      const tick = h('span', null, word(label(share)));
      tick.style.left = `${share * 100}%`;
      return tick;
    });
    fill(this.axis, ticks, h('span', { class: 'end' }, `${clock(data.to)}, ${duration(step)} a bar`));
    // From the newest on, a mark has its words where there is room for them.
    let next = 100;
    fill(this.marks, data.marks.toReversed().map((mark) => {
      const place = at(mark.at);
      const width = mark.text.length * .62;
      const isLeft = place + width > 100;
      const hasRoom = isLeft ? next === 100 : next - place > width;
      if (hasRoom) next = isLeft ? place - width : place;
      const flag = h('span', {
        class: `mark-at ${tones[mark.kind] ?? 'bad'}${isLeft ? ' left' : ''}`, title: `${clock(mark.at)} ${mark.text}`,
      }, hasRoom && mark.text);
      flag.style.left = `${place}%`;
      return flag;
    }));
  }

  drawWindow() {
    const { data } = this;
    let [low, high] = [null, null];
    if (this.cursor !== null) {
      [low, high] = [Math.min(this.anchor, this.cursor), Math.max(this.anchor, this.cursor) + 1];
    } else if (this.chosen?.from || this.chosen?.to) {
      const place = (time) => (Date.parse(time) - Date.parse(data.from)) / (Date.parse(data.to) - Date.parse(data.from)) * bars;
      low = this.chosen.from ? place(this.chosen.from) : 0;
      high = this.chosen.to ? place(this.chosen.to) : bars;
    }
    this.window.setAttribute('x', low ?? 0);
    this.window.setAttribute('width', low === null ? 0 : Math.max(0, high - low));
  }

  slice(event) {
    const box = this.plot.getBoundingClientRect();
    return Math.max(0, Math.min(bars - 1, Math.floor((event.clientX - box.left) / box.width * bars)));
  }

  press(event) {
    if (!this.data || event.button) return;
    this.anchor = this.cursor = this.slice(event);
    this.plot.setPointerCapture(event.pointerId);
    const start = event.clientX;
    const move = (later) => { this.cursor = this.slice(later); this.drawWindow(); this.tell(); };
    const stop = (later) => {
      this.plot.removeEventListener('pointermove', move);
      if (Math.abs(later.clientX - start) > 3) this.apply();
      else this.giveUp();
    };
    this.plot.addEventListener('pointermove', move);
    this.plot.addEventListener('pointerup', stop, { once: true });
    this.plot.addEventListener('pointercancel', () => this.giveUp(), { once: true });
  }

  key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!this.data) return;
    if (by) {
      if (this.cursor === null) this.anchor = this.cursor = bars - 1;
      else this.cursor = Math.max(0, Math.min(bars - 1, this.cursor + by));
      if (!event.shiftKey) this.anchor = this.cursor;
      this.drawWindow();
      this.tell();
    } else if (event.key === 'Enter' && this.cursor !== null) this.apply();
    else if (event.key === 'Escape' && (this.cursor !== null || this.chosen?.from)) this.giveUp();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // The times of the chosen slices.
  times() {
    const [low, high] = [Math.min(this.anchor, this.cursor), Math.max(this.anchor, this.cursor)];
    const from = Date.parse(this.data.from);
    const step = (Date.parse(this.data.to) - from) / bars;
    return [new Date(from + low * step).toISOString(), new Date(from + (high + 1) * step).toISOString(), low, high];
  }

  tell() {
    const [from, to, low, high] = this.times();
    const chosen = this.data.bars.slice(low, high + 1);
    const sum = (member) => chosen.reduce((all, one) => all + one[member], 0);
    this.said.textContent = `${clock(from)} to ${clock(to)}: ${count(sum('accepted'))} accepted, ${count(sum('refused'))} refused`;
  }

  apply() {
    const [from, to] = this.times();
    this.cursor = null;
    this.chosen = { from, to };
    this.drawWindow();
    this.choose(from, to);
  }

  giveUp() {
    this.cursor = null;
    const had = this.chosen?.from || this.chosen?.to;
    this.chosen = {};
    this.drawWindow();
    if (had) this.choose();
  }
}
