// The line at the foot: what is shown, and how many of what; or why it is not live. Nothing ever pushes the page down.
import { h } from '../lib/dom.js';
import { glyph } from '../lib/glyphs.js';

const noteTime = 8_000;

export class StateLine {
  constructor(context) { this.context = context; }

  // Something to know for a few seconds.
  note(text) {
    this.said = text;
    this.until = Date.now() + noteTime;
    this.context.announce(text, { now: true });
  }

  draw({ rows, view, following }) {
    const { words, state, live, latest } = this.context;
    if (!rows) return;
    const reading = [...rows.reading.values()][0];
    const left = live.lostAt ? null
      : following.isPaused ? this.paused(following.sincePause)
        : this.until > Date.now() ? h('span', { class: 'strong' }, this.said)
          : reading ? `Reading ${reading}.`
            : view.text || view.from || view.to
              ? `${words.count(Math.min(rows.matched, latest.figures?.kept ?? rows.matched))} of ${words.count(latest.figures?.kept ?? rows.kept)} match, newest first${rows.length < rows.matched ? `; the rest is read as you scroll` : ''}`
              : `${words.count(live.rate() > 1000 ? latest.figures?.kept ?? rows.count : rows.count + rows.held)} kept, newest first`;
    if (left === null) return;
    state(h('span', { class: 'said' }, left), h('span', { class: 'grow' }), this.counts());
  }

  paused({ at, received, refused }) {
    const { words } = this.context;
    return h('span', { class: 'strong' }, `Paused at ${words.clock(at, { milliseconds: true })}. `,
      received ? `${words.count(received)} more ${received === 1 ? 'has' : 'have'} arrived${refused ? `, ${words.count(refused)} of them refused` : ''}. Nothing is lost.` : 'Nothing has arrived since.');
  }

  counts() {
    const { words, latest } = this.context;
    const figures = latest.figures;
    if (!figures) return null;
    const all = [
      ['delivered', 'good', figures.delivered, 'delivered'], ['stored', 'wait', figures.stored, 'stored'],
      ['refused', 'warn', figures.notShown, 'not shown'], ['rejected', 'bad', figures.rejected, 'rejected'],
      ['discarded', 'bad', figures.discarded, 'unread'],
    ];
    if (!all.some(([, , n]) => n)) return null;
    return h('span', { class: 'counts', title: 'Since the start, or the last reset; whatever is shown' },
      h('span', null, 'Since the start:'), all.filter(([, , n]) => n).map(([shape, tone, n, word]) => h('span', null, glyph(shape, tone),
      ` ${words.count(n)} ${word}`)));
  }
}
