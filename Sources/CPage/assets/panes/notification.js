// One notification, told in three words: Judged, Sent, Shown. Above them, one sentence that answers the question.
import { h, fill, hasHidden, strange } from '../lib/dom.js';
import { glyph } from '../lib/glyphs.js';
import { menu } from '../lib/menu.js';
import { copies } from '../lib/copies.js';
import { copyText } from '../lib/copy.js';
import { bytesOf, hexText, hexView } from '../lib/hex.js';
import { jsonView } from '../lib/json.js';
import { meter } from '../lib/meter.js';
import { headerRows, providerTokenCard } from '../lib/request.js';
import { Phone } from '../lib/phone.js';
import { shownOf } from '../lib/shown.js';
import { reasonOf } from '../lib/reasons.js';
import { closed, statusName } from '../lib/statuses.js';
import { checkOf, payloadLimit, sizeWords, verdict } from '../lib/sentences.js';

export function mount(root, context) {
  const pane = new Notification(root, context);
  pane.read();
  return { leave: () => pane.leave(), update: (route) => pane.goTo(route) };
}

class Notification {
  constructor(root, context) {
    Object.assign(this, { root, ...context });
    this.id = context.route.id;
    this.parts = Object.fromEntries(['head', 'judged', 'sent', 'answered'].map((name) => [name, h('section', { class: name })]));
    this.parts.shown = h('aside', { class: 'shown', 'aria-label': 'Shown' });
    this.halves = h('div', {}, h('div', { class: 'half' }, this.parts.judged, this.parts.sent, this.parts.answered), this.parts.shown);
    this.all = false;
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
      h('p', { class: 'why' }, error.message, error.hint && ` ${error.hint}`),
      h('p', {}, h('a', { href: this.router.to('/') }, 'To the list')));
  }

  // What has the focus keeps it.
  draw(shown) {
    const { n, parts } = this;
    this.payload = bytesOf(n.payloadBase64 ?? '');
    this.payloadText = decode(this.payload);
    this.phone = new Phone(shown);
    const focus = parts.shown.contains(document.activeElement) ? document.activeElement.textContent : null;
    if (!parts.head.hasChildNodes()) fill(parts.head, this.head());
    this.drawHead();
    fill(parts.judged, this.judged());
    if (!parts.sent.hasChildNodes()) fill(parts.sent, this.sent());
    fill(parts.answered, this.answered());
    fill(parts.shown, this.shown());
    if (focus) [...parts.shown.querySelectorAll('button')].find((button) => button.textContent === focus)?.focus({ preventScroll: true });
    const wasSeen = shown.state === 'seen' && this.phone.isVisible;
    this.halves.className = wasSeen ? 'halves seen' : 'halves';
    fill(this.root, parts.head, this.halves);
  }

  // --- Ids, sentence, why, actions -----------------------------------------------------------

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

  // What an error of the gateway did to the others on its connection.
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

  // What staged this outcome, so that nobody takes it for a real one.
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
        payload: this.payloadText, raw: n.raw && hexText(bytesOf(n.raw)), http2: this.ends?.http2,
        address: location.origin + this.router.to(`/notifications/${n.id}`),
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

  // --- Judged --------------------------------------------------------------------------------

  judged() {
    const checks = (this.n.explain ?? []).map(checkOf);
    const failed = checks.findIndex((check) => !check.ok);
    const isRefused = this.n.outcome === 'rejected';
    const band = ['rejected', 'discarded'].includes(this.n.outcome) || checks[failed]?.check === 'activity' ? 'failed' : 'ended';
    const few = checks.length > 8 ? [...checks.filter((check) => check.ok && telling(check)).slice(failed < 0 ? -6 : -4), ...checks.filter((check) => !check.ok)] : checks;
    const visible = this.all ? checks : few;
    const summary = failed < 0 ? `${this.words.plural(checks.length, 'check')}, all passed`
      : failed === 0 ? ''
        : isRefused ? `stopped at the ${ordinal(failed + 1)} check` : `${failed} checks passed`;
    return [
      h('h2', { id: 'judged', tabindex: '-1' }, 'Judged', h('span', { class: 'beside' }, summary),
        visible.length < checks.length && h('button', {
          type: 'button', class: 'link', onclick: () => { this.all = true; fill(this.parts.judged, this.judged()); this.parts.judged.querySelector('h2').focus(); },
        }, `Show all ${checks.length}`)),
      h('ol', { class: 'checks' }, visible.map((check) => [
        h('li', { class: check.ok ? '' : band },
          glyph(check.ok ? 'tick' : band === 'failed' ? 'rejected' : this.n.outcome, check.ok ? 'good' : band === 'failed' ? 'bad' : 'quiet'),
          h('span', { class: 'name' }, check.name, h('span', { class: 'spoken' }, check.ok ? ' passed' : band === 'failed' ? ' failed' : '')),
          h('span', { class: 'found' }, strange(check.found || (check.ok ? 'passed' : '')),
            check.source && h('span', { class: 'source' }, ` ${check.source}`),
            check.log && h('span', { class: 'log' }, ` Apple’s log: ${check.log}`))),
        check.hint && h('li', { class: 'hint' }, h('strong', {}, 'Hint'), ' ', strange(check.hint)),
      ])),
      failed >= 0 && isRefused && h('p', { class: 'unreached' }, 'What follows was not reached.'),
    ];
  }

  // --- Sent ----------------------------------------------------------------------------------

  sent() {
    const { n, words } = this;
    const tabs = [
      n.interface === 'binary' && n.raw && { name: 'frame', label: 'Frame', draw: () => this.frame() },
      n.request && { name: 'request', label: 'Request', draw: () => this.request() },
      { name: 'payload', label: 'Payload', draw: () => this.payloadTab() },
    ].filter(Boolean);
    this.tabs = tabs;
    const size = n.raw ? bytesOf(n.raw).length : 0;
    const how = n.interface === 'http2' ? `HTTP/2 request on stream ${n.stream}${n.pushType ? `, ${n.pushType}` : ''}`
      : `${words.bytes(size)}, command ${n.command}`;
    this.panel = h('div', { class: 'panel', role: 'tabpanel', 'aria-labelledby': 'sent-tab' });
    this.strip = h('div', { class: 'strip-tabs', role: 'tablist', 'aria-label': 'Sent', onkeydown: (event) => this.turn(event) },
      tabs.map((tab) => h('button', { type: 'button', role: 'tab', onclick: () => this.choose(tab.name, true) }, tab.label)));
    const parts = [h('h2', { id: 'sent', tabindex: '-1' }, 'Sent', h('span', { class: 'beside' }, how)), this.strip, this.panel];
    this.choose(tabs[0].name);
    return parts;
  }

  choose(name, isAsked = false) {
    const tab = this.tabs.find((one) => one.name === name) ?? this.tabs[0];
    [...this.strip.children].forEach((button, i) => {
      const isOn = this.tabs[i] === tab;
      button.setAttribute('aria-selected', String(isOn));
      button.setAttribute('tabindex', isOn ? '0' : '-1');
      if (isOn) button.id = 'sent-tab'; else button.removeAttribute('id');
    });
    fill(this.panel, tab.draw());
    if (isAsked) history.replaceState(history.state, '', `#${tab.name}`);
  }

  turn(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const buttons = [...this.strip.children];
    const next = buttons.indexOf(document.activeElement) + step;
    if (next < 0 || next >= buttons.length) return;
    this.choose(this.tabs[next].name, true);
    buttons[next].focus();
    event.preventDefault();
    event.stopPropagation();
  }

  frame() {
    const { n } = this;
    return hexView(bytesOf(n.raw), n.fields ?? [], 'The frame');
  }

  request() {
    const { n, words } = this;
    return [
      headerRows(n, words),
      providerTokenCard(n, words, this.connection),
    ];
  }

  payloadTab() {
    const { n } = this;
    const limit = payloadLimit(n);
    const view = this.payloadText === null ? null : jsonView(this.payloadText, { fault: this.phone.shown.activity?.faultPath });
    const size = n.payloadSize ?? this.payload.length;
    return [
      view ?? (this.payload.length
        ? [h('p', { class: 'second' }, 'These bytes are no JSON.'), hexView(this.payload, [], 'The payload')]
        : h('p', { class: 'second' }, size ? `Its ${this.words.bytes(size)} were not read: it was refused on the declared length.` : 'There was none.')),
      view && hasHidden(this.payloadText) && h('p', { class: 'second' }, 'Characters that cannot be seen, or turn text around, are shown as pictures: ⟨RLO⟩.'),
      h('div', { class: 'size' }, meter(size, limit), h('span', { class: size > limit ? 'bad' : '' }, sizeWords(size, limit))),
    ];
  }

  // --- Answered ------------------------------------------------------------------------------

  answered() {
    const [, advice] = reasonOf(this.n) ?? [];
    return [this.answer(), advice && h('p', { class: 'hint' }, h('strong', {}, 'What to do'), ' ', advice)];
  }

  answer() {
    const { n, words } = this;
    if (n.interface === 'binary') {
      const heading = (beside) => h('h2', {}, 'Answered', h('span', { class: 'beside' }, beside));
      if (n.outcome !== 'rejected') {
        return [heading(n.outcome === 'discarded' ? '' : 'with silence'), h('p', { class: 'second' }, n.outcome === 'discarded'
          ? 'Nothing: it was behind an error on its connection.' : 'No answer: that means accepted.')];
      }
      const { bytes, lost, after } = n.answer ?? {};
      if (!bytes) return [heading('with the end of the connection'), h('p', { class: 'second' }, lost ? 'The reset of the connection overtook the error response: it never arrived.' : `${words.capital(closed)}.`)];
      const packet = Uint8Array.from(bytes.match(/../g), (byte) => parseInt(byte, 16));
      const fields = [
        { name: 'command', from: 0, to: 1, text: '8, error response' },
        { name: 'status', from: 1, to: 2, text: `${packet[1]}, ${statusName(packet[1])}` },
        { name: 'identifier', from: 2, to: 6, text: bytes.slice(4) },
      ].filter(({ to }) => to <= packet.length);
      return [heading(`${words.bytes(packet.length)}${after ? ` after ${words.duration(after)}` : ''}, then the end of the connection`), hexView(packet, fields, 'The answer')];
    }
    const beside = n.answer?.after !== undefined ? `after ${words.duration(n.answer.after)}` : '';
    const rows = n.answer?.headers ?? [[':status', n.status], ['apns-id', n.apnsId]].map(([name, value]) => ({ name, value }));
    const body = n.answer?.body ?? (n.reason ? JSON.stringify({ reason: n.reason }) : null);
    return [
      h('h2', {}, 'Answered', h('span', { class: 'beside' }, beside)),
      n.status === null ? h('p', { class: 'second' }, 'Nothing.')
        : [h('dl', { class: 'headers' }, rows.filter(({ value }) => value !== null && value !== undefined).map(({ name, value }) =>
          h('div', {}, h('dt', {}, name), h('dd', {}, strange(String(value)))))),
        body && h('pre', {}, body)],
    ];
  }

  // --- Shown ---------------------------------------------------------------------------------

  shown() {
    const { phone } = this;
    const view = phone.views.find(({ name }) => name === this.view)?.name ?? phone.views[0].name;
    this.view = view;
    const [bold, rest] = phone.verdict ?? [];
    const picture = h('div', { class: 'picture' }, phone.draw(view));
    const buttons = phone.views.map(({ name, label }) => h('button', {
      type: 'button', 'aria-pressed': String(name === view),
      onclick: () => {
        this.view = name;
        for (const button of buttons) button.setAttribute('aria-pressed', String(button.textContent === label));
        fill(picture, phone.draw(name));
      },
    }, label));
    const facts = phone.facts;
    return [
      h('h2', { id: 'shown', tabindex: '-1' }, 'Shown', h('span', { class: 'tabs' }, buttons)),
      picture,
      bold && h('p', { class: 'unseen' }, h('strong', {}, bold), ' ', rest && strange(rest)),
      facts.length > 0 && h('dl', { class: 'facts' }, facts.map(([name, value]) =>
        h('div', {}, h('dt', {}, name), h('dd', {}, value)))),
      phone.remarks.length > 0 && h('ul', { class: 'remarks' }, phone.remarks.map((remark) => h('li', {}, strange(remark)))),
    ];
  }

  // Brings a part into view: a tab of Sent, or one of the three.
  show(name) {
    if (this.tabs?.some((tab) => tab.name === name)) {
      this.choose(name);
      name = 'sent';
    }
    const heading = ['judged', 'sent', 'shown'].includes(name) && this.root.querySelector(`#${name}`);
    if (heading) {
      heading.scrollIntoView({ block: 'start' });
      heading.focus({ preventScroll: true });
    }
  }
}

// Whether a passed check says more than that it passed.
function telling(check) {
  return Boolean(check.found) && !['method', 'path', 'repeats', 'deviceTokenPresence', 'topicPresence', 'payloadPresence', 'deviceToken',
    'registration'].includes(check.check) && check.found !== 'none' && check.found !== '0 bytes';
}

function ordinal(number) {
  const ending = { 1: 'st', 2: 'nd', 3: 'rd' }[number % 100 > 10 && number % 100 < 14 ? 0 : number % 10] ?? 'th';
  return `${number}${ending}`;
}

// Bytes as text; null where they are not UTF-8.
function decode(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
