// One row of the list: made once, filled again and again.
import { h, fill, say } from '../lib/dom.js';
import { glyph } from '../lib/glyphs.js';

export class Row {
  constructor({ words, router }) {
    Object.assign(this, { words, router });
    const cell = (name, ...children) => h('span', { class: name, role: 'gridcell' }, children);
    this.margin = cell('margin');
    this.dayLine = h('span', { class: 'day' });
    this.clock = h('span');
    this.time = cell('time mono', this.dayLine, this.clock);
    this.outcome = cell('outcome');
    this.link = h('a', { tabindex: '-1' });
    this.says = cell('says', this.link);
    this.device = cell('device');
    this.app = cell('topic');
    this.sent = cell('sent');
    this.element = h('div', { class: 'row' }, this.margin, this.time, this.outcome, this.says, this.device, this.app, this.sent);
    this.element.addEventListener('animationend', () => this.element.classList.remove('changed'));
  }

  // A notification; null where it is no longer kept; undefined while it is being read.
  // `past`: of the program before it was started anew, which knows nothing of it.
  fill(item, id, past) {
    const { words } = this;
    this.id = id;
    this.element.classList.remove('changed');
    if (!item?.id) { this.fillGap(item, id); return; }
    const { glyph: shape, tone, word } = words.outcome(item);
    const isBad = item.outcome === 'rejected';
    this.element.className = `row is-${tone}${isBad ? ' tinted' : ''} ${past}${this.day ? ' with-day' : ''}`;
    if (past) delete this.element.dataset.id;
    else this.element.dataset.id = item.id;
    say(this.clock, words.clock(item.time, { milliseconds: true }));
    this.time.title = `${item.id}, ${words.fullTime(item.time)}, seq ${item.seq}`;
    const staged = item.explain?.find((check) => check.check === 'rule' || check.check === 'magicToken');
    fill(this.outcome, glyph(shape, tone), h('span', { class: 'word' }, breakable(word)),
      staged && h('span', { class: 'tag', title: staged.detail }, stagedWord(staged)));
    this.outcome.title = word;
    fill(this.link, words.contentNodes(item));
    if (past) this.link.removeAttribute('href');
    else this.link.href = this.router.to(`/notifications/${item.id}${location.search}`);
    this.says.title = words.contentText(item).slice(0, 2000);
    const device = words.shortDevice(item.device || item.token);
    this.device.classList.toggle('mono', device !== item.device);
    say(this.device, words.middle(device, 18));
    this.device.title = item.device || item.token;
    say(this.app, words.middle(item.topic, 30));
    this.app.title = item.topic;
    say(this.sent, words.sentAs(item));
    this.element.setAttribute('aria-label', [word, staged && `staged by ${staged.check === 'rule' ? 'a rule' : 'a magic token'}`,
      words.contentText(item).slice(0, 200), device, words.clock(item.time)].filter(Boolean).join(', '));
  }

  fillGap(item, id) {
    this.element.className = `row gap${this.day ? ' with-day' : ''}`;
    delete this.element.dataset.id;
    const text = item?.from ? `No longer in the history: n${item.from}${item.from === item.to ? '' : ` to n${item.to}`}`
      : item === null ? `${id} is no longer in the history` : `Reading ${id ?? ''}`;
    for (const cell of [this.clock, this.device, this.app, this.sent]) { say(cell, ''); cell.removeAttribute('title'); }
    fill(this.outcome);
    for (const cell of [this.time, this.outcome, this.says]) cell.removeAttribute('title');
    this.link.removeAttribute('href');
    fill(this.link, h('i', null, text));
    this.element.setAttribute('aria-label', text);
  }

  // Its day, where that is another than of the row above, or not today's.
  showDay(day) {
    if (this.day === day) return;
    this.day = day;
    this.element.classList.toggle('with-day', day !== '');
    say(this.dayLine, day);
  }

  // The bracket from a refused notification to the last one that was discarded for it, or around requests that one GOAWAY
  // left unanswered.
  decorate(found, index) {
    this.showDay(found?.days.get(index) ?? '');
    const part = found?.get(index);
    const key = part ? `${part.kind} ${part.connection}` : '';
    if (this.bracket === key) return;
    this.bracket = key;
    if (!part) { fill(this.margin); return; }
    const words = part.isRequest ? `Left unanswered on ${part.connection}` : `Discarded for ${part.refused ?? 'a refusal'} on ${part.connection}`;
    fill(this.margin, h('a', { class: `bracket ${part.kind}`, tabindex: '-1', title: `${words}: its story`,
      href: this.router.to(`/connections/${part.connection}`) }));
  }

  flash() { this.element.classList.add('changed'); }
}

// `TooManyProviderTokenUpdates` may go on in a second line where a word of it begins.
function breakable(text) { return text.split(/(?<=[a-z])(?=[A-Z])/).map((part, i) => [i > 0 && h('wbr'), part]); }

function stagedWord({ check, detail }) {
  return check === 'magicToken' || detail?.startsWith('the token\'s magic') ? 'magic' : /\br\d+\b/.exec(detail ?? '')?.[0] ?? 'rule';
}

// The marks beside the rows in sight: brackets, and in `days` the day where it changes.
export function beside(rows, first, last, words) {
  const found = brackets(rows, first, last);
  found.days = new Map();
  for (let index = first; index <= last; index++) {
    const [time, above] = [rows.at(index)?.time, index > 0 && rows.at(index - 1)?.time];
    if (time && (above ? above.slice(0, 10) !== time.slice(0, 10) : index === 0 && !words.isToday(time))) {
      found.days.set(index, words.day(time));
    }
  }
  return found;
}

// For each place in sight that a bracket runs through: `start` at the last discarded, `end` at the refused, `through`.
function brackets(rows, first, last) {
  const spans = new Map();
  for (let index = first; index <= last; index++) {
    const item = rows.at(index);
    if (!item?.id || rows.isPast(index)) continue;
    const span = spans.get(item.connection);
    if (item.outcome === 'discarded') {
      if (!span || span.end !== undefined) {
        spans.set(item.connection, { start: index, last: index, isRequest: item.interface === 'http2' });
      }
      else span.last = index;
    } else if (item.interface === 'binary' && item.outcome === 'rejected' && span && span.end === undefined) {
      span.end = index;
      span.refused = item.id;
    }
  }
  const found = new Map();
  for (const [connection, { start, last: lastDiscarded, end, refused, isRequest }] of spans) {
    const isWhole = isRequest && lastDiscarded > start;
    if (isRequest && !isWhole) continue;
    for (let index = start; index <= (end ?? lastDiscarded); index++) {
      const kind = index === start ? 'start' : index === end || (isWhole && index === lastDiscarded) ? 'end' : 'through';
      found.set(index, { kind, connection, refused, isRequest });
    }
  }
  return found;
}
