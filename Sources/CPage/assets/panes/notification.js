// One notification, told in three words: Judged, Sent, Shown. Above them, one sentence that answers the question.
import { h, fill, strange } from '../lib/dom.js';
import { glyph } from '../lib/glyphs.js';
import { menu } from '../lib/menu.js';
import { copies } from '../lib/copies.js';
import { copyText } from '../lib/copy.js';
import { bytesOf, hexText } from '../lib/hex.js';
import { control } from '../lib/options.js';
import { Phone } from '../lib/phone.js';
import { sentences } from '../lib/parts.js';
import { shownOf } from '../lib/shown.js';
import { verdict } from '../lib/sentences.js';
import { answered } from './answered.js';
import { Judged } from './judged.js';
import { Sent } from './sent.js';
import { Shown } from './shown.js';

export function mount(root, context) {
  const pane = new Notification(root, context);
  pane.read();
  return { leave: () => pane.leave(), update: (route) => pane.goTo(route) };
}

class Notification {
  constructor(root, context) {
    Object.assign(this, { root, ...context });
    this.id = context.route.id;
    this.above = h('section', { class: 'head' });
    this.judged = new Judged(this.words);
    this.sent = new Sent(this.words);
    this.answered = h('section', { class: 'answered' });
    this.shown = new Shown();
    this.halves = h('div', {}, h('div', { class: 'half' }, this.judged.element, this.sent.element, this.answered), this.shown.element);
    this.off = this.live.listen((kind, data) => this.hear(kind, data));
  }

  leave() {
    this.isLeft = true;
    this.off();
  }

  // A change of this notification since it was read.
  hear(kind, data) {
    const isMine = kind === 'digest' && (data.changed?.includes(this.id) || data.changedMore);
    if (isMine || (kind === 'hello' && this.n)) this.read();
  }

  goTo(route) {
    if (route.hash) this.show(route.hash);
  }

  // Reads it, and once more if something happened meanwhile.
  async read() {
    if (this.isReading) {
      this.isStale = true;
      return;
    }
    this.isReading = true;
    do {
      this.isStale = false;
      await this.readOnce().catch((error) => { if (!this.isLeft) this.fail(error); });
    } while (this.isStale && !this.isLeft);
    this.isReading = false;
  }

  async readOnce() {
    const n = await this.api.get(`/notifications/${encodeURIComponent(this.id)}`);
    const [shown, connection] = await Promise.all([shownOf(n, this.api), this.connectionOf(n),
      this.ends ?? this.endpoints().then((ends) => { this.ends = ends; }, () => {})]);
    const text = JSON.stringify([n, shown, connection]);
    if (this.isLeft || text === this.text) return;
    const isFirst = !this.n;
    Object.assign(this, { n, connection, text });
    this.draw(shown);
    if (isFirst) this.goTo(this.route);
  }

  // Only where what became of others on it says something about this one.
  connectionOf(n) {
    const isCostly = n.interface === 'binary' && ['rejected', 'discarded'].includes(n.outcome);
    if (!isCostly && n.auth?.kind !== 'certificate') return null;
    return this.api.get(`/connections/${n.connection}`).catch(() => null);
  }

  fail(error) {
    if (this.n) return;
    fill(this.root, h('h1', {}, error.status === 404 ? `There is no ${this.id}` : 'It could not be read'),
      h('p', { class: 'why' }, sentences(error.message, error.hint)),
      h('p', {}, h('a', { href: this.router.to('/') }, 'To the list')));
  }

  draw(shown) {
    const { n, words, connection } = this;
    const payload = bytesOf(n.payloadBase64 ?? '');
    this.payloadText = decode(payload);
    const phone = new Phone(shown);
    if (!this.above.hasChildNodes()) fill(this.above, this.head());
    this.drawHead();
    this.judged.show(n);
    this.sent.show({ n, connection, payload, payloadText: this.payloadText, faultPath: shown.activity?.faultPath });
    fill(this.answered, answered(n, words));
    this.shown.show(phone);
    const wasSeen = shown.state === 'seen' && phone.isVisible;
    this.halves.className = wasSeen ? 'halves seen' : 'halves';
    fill(this.root, this.above, this.halves);
  }

  head() {
    this.ids = h('p', { class: 'ids' });
    this.title = h('h1', {});
    this.why = h('p', { class: 'why' });
    this.staged = h('p', { class: 'staged' });
    return [this.ids, this.title, this.why, this.staged, h('p', { class: 'actions' }, this.copyMenu(), this.steering())];
  }

  drawHead() {
    const { n, words, router } = this;
    const { sentence, why, glyph: shape, tone } = verdict(n);
    const link = (path, text) => h('a', { href: router.to(path) }, strange(text));
    const place = n.interface === 'http2' ? `stream ${n.stream}` : n.identifier ? `identifier ${n.identifier}` : 'command 0';
    if (!this.ids.contains(document.activeElement)) {
      fill(this.ids,
        h('span', { class: 'mono strong' }, n.id),
        h('time', { class: 'mono', datetime: n.time }, words.clock(n.time, { milliseconds: true })),
        n.device ? link(`/devices/${encodeURIComponent(n.device)}`, words.shortDevice(n.device)) : n.token && h('span', { class: 'mono' }, words.shortToken(n.token)),
        h('a', { href: router.to(`/?query=${encodeURIComponent(`topic:"${n.topic}"`)}`) }, strange(n.topic)),
        h('span', {}, n.environment),
        link(`/connections/${n.connection}`, `${n.connection}, ${place}`));
    }
    fill(this.title, glyph(shape, tone), h('span', {}, sentence));
    fill(this.why, strange(why), this.cost());
    const cause = this.cause();
    this.staged.hidden = !cause;
    fill(this.staged, cause);
  }

  // The cost of a gateway's error to the others on its connection.
  cost() {
    const { n, connection, words, router } = this;
    if (!connection || n.interface !== 'binary') return null;
    const { discarded, resent, lost, awaited } = connection.resend;
    const link = (text) => h('a', { href: router.to(`/connections/${n.connection}`) }, text);
    if (n.outcome === 'discarded') {
      if (resent.includes(n.identifier)) return [' It was ', link('sent again'), '.'];
      return lost.includes(n.identifier) ? [' It was ', link(awaited ? 'not sent again so far' : 'never sent again'), '.'] : null;
    }
    if (!discarded.length || connection.error?.identifier !== n.identifier) return null;
    const gone = lost.length === discarded.length ? 'none of which was sent again' : `${words.count(lost.length)} of which ${lost.length === 1 ? 'was' : 'were'} never sent again`;
    return [' The answer closed the connection and cost ', link(words.plural(discarded.length, 'more notification', 'more notifications')),
      lost.length ? `, ${gone}${awaited ? ' so far' : ''}.` : ', all of which were sent again.'];
  }

  // The rule that staged this outcome, so that nobody takes it for a real one.
  cause() {
    const { cause } = this.n;
    if (!cause) return null;
    return [h('span', { class: 'mark-staged' }, cause.rule ?? 'magic'),
      cause.rule ? ['Staged by the rule ', cause.name && [strange(cause.name), ': '], h('code', {}, strange(cause.text))]
        : ['Staged by the magic token ', h('code', {}, cause.magic), ': ', strange(cause.text), '.']];
  }

  copyMenu() {
    return menu('Copy as', () => {
      const { n } = this;
      const forms = copies(n, {
        payload: this.payloadText, raw: n.raw && hexText(bytesOf(n.raw)), ends: this.ends,
        control: control(this.route.sandbox), address: location.origin + this.router.to(`/notifications/${n.id}`),
      });
      return forms.map(({ word, text }) => ({ word, run: () => this.copy(text, word) }));
    }, { 'data-key': 'c' });
  }

  async copy(text, word) {
    await copyText(text);
    this.announce(`Copied: ${word}.`, { now: true });
  }

  steering() {
    if (this.isReadOnly) return null;
    const { n, router } = this;
    return [
      h('a', { class: 'button', href: router.to(`/send?from=${n.id}`), 'data-key': 'r' }, 'Send again…'),
      h('a', { class: 'button', href: router.to(`/faults?from=${n.id}`), 'data-key': 'f' },
        n.outcome === 'rejected' ? 'Make another fail like this…' : 'Make the next one fail…'),
    ];
  }

  // Brings a part into view: a tab of Sent, or one of the three.
  show(name) {
    if (this.sent.has(name)) {
      this.sent.choose(name);
      name = 'sent';
    }
    const heading = ['judged', 'sent', 'shown'].includes(name) && this.root.querySelector(`#${name}`);
    if (heading) {
      heading.scrollIntoView({ block: 'start' });
      heading.focus({ preventScroll: true });
    }
  }
}

// Bytes as text; null where they are not UTF-8.
function decode(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
