// Sent: the bytes of one notification, or its request, and its payload.
import { h, fill, hasHidden } from '../lib/dom.js';
import { bytesOf, hexView } from '../lib/hex.js';
import { jsonView } from '../lib/json.js';
import { meter } from '../lib/meter.js';
import { headerRows, providerTokenCard } from '../lib/request.js';
import { payloadLimit, sizeWords } from '../lib/sentences.js';

export class Sent {
  constructor(words) {
    this.words = words;
    this.element = h('section', { class: 'sent' });
  }

  // A notification as sent does not change; it is drawn once. `payload` are its bytes, `payloadText` is their text or null,
  // `faultPath` is where a Live Activity did not decode it.
  show(facts) {
    Object.assign(this, facts);
    if (!this.element.hasChildNodes()) this.draw();
  }

  has(name) { return Boolean(this.tabs?.some((tab) => tab.name === name)); }

  draw() {
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
    this.choose(tabs[0].name);
    fill(this.element, h('h2', { id: 'sent', tabindex: '-1' }, 'Sent', h('span', { class: 'beside' }, how)), this.strip, this.panel);
  }

  // The tab of this name, or the first.
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
    const view = this.payloadText === null ? null : jsonView(this.payloadText, { fault: this.faultPath });
    const size = n.payloadSize ?? this.payload.length;
    return [
      view ?? (this.payload.length
        ? [h('p', { class: 'second' }, 'These bytes are no JSON.'), hexView(this.payload, [], 'The payload')]
        : h('p', { class: 'second' }, size ? `Its ${this.words.bytes(size)} were not read: it was refused on the declared length.` : 'There was none.')),
      view && hasHidden(this.payloadText) && h('p', { class: 'second' }, 'Characters that cannot be seen, or turn text around, are shown as pictures: ⟨RLO⟩.'),
      h('div', { class: 'size' }, meter(size, limit), h('span', { class: size > limit ? 'bad' : '' }, sizeWords(size, limit))),
    ];
  }
}
