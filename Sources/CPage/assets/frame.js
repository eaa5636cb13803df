// The frame around the panes: the bar at the top, the panes' names, the line at the foot. What explains a surprise is
// here, whatever pane is open: the sandbox, a clock that is not real, faults that are on, whether it is live.
import { h, fill, say } from './lib/dom.js';
import { glyph, logo } from './lib/glyphs.js';
import * as words from './lib/words.js';

export class Frame {
  constructor({ panes, isReadOnly }) {
    Object.assign(this, { panes, isReadOnly, isPaused: false });
    this.sandbox = h('span', { class: 'chip sandbox', hidden: true });
    this.clock = h('a', { class: 'chip time-chip', hidden: true });
    this.faults = h('a', { class: 'chip faults', hidden: true });
    this.live = h('button', { class: 'chip live', onclick: () => this.onLive?.() });
    this.send = h('a', { class: 'button main send' }, 'Send', h('kbd', { 'aria-hidden': 'true' }, 'n'));
    this.mark = h('a', { class: 'mark' }, logo(), 'apnsim');
    const isAsApple = document.documentElement.dataset.asApple === 'yes';
    fill(document.querySelector('header.top'), this.mark, this.sandbox,
      isAsApple && h('span', { class: 'chip as-apple' }, 'In Apple’s place'), h('span', { class: 'grow' }),
      this.clock, this.faults, this.live, isReadOnly ? h('span', { class: 'chip read-only' }, 'Read only') : this.send);
    this.nav = document.querySelector('nav.panes');
    this.foot = h('div', { class: 'foot' });
    this.stateText = h('div', { class: 'state-text' });
    this.state = h('footer', { class: 'state' }, this.stateText,
      h('button', { class: 'link keys', onclick: () => this.onKeys?.() }, h('kbd', null, '?'), ' keys'));
    document.querySelector('main').after(this.state);
    this.besides = {};
    setInterval(() => { if (!document.hidden) this.drawLive(); }, 1_000);
  }

  // The names of the panes, for the address that is shown.
  draw(context, current) {
    this.context = context;
    const { router } = context;
    this.mark.href = router.to('/');
    this.send.href = router.to('/send');
    if (!this.isReadOnly) {
      this.clock.href = router.to('/clock');
      this.faults.href = router.to('/faults');
    }
    const id = context.route.sandbox;
    this.sandbox.hidden = !id && !this.panes.sandboxes;
    this.drawSandbox(id);
    document.body.classList.toggle('in-sandbox', Boolean(id));
    if (!this.links || this.linksFor !== id) this.makeLinks(router);
    this.linksFor = id;
    for (const [name, { link }] of this.links) {
      if (name === current) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    this.drawLive();
  }

  // The switch: all panes change with it. Which sandboxes there are is read when it is reached for.
  drawSandbox(id) {
    if (this.sandboxFor === (id ?? '')) return;
    this.sandboxFor = id ?? '';
    const choice = h('select', {
      'aria-label': 'Sandbox', onpointerdown: () => this.readSandboxes(choice), onfocus: () => this.readSandboxes(choice),
      onchange: () => location.assign(choice.value ? `/sandboxes/${choice.value}/` : '/'),
    }, h('option', { value: id ?? '', selected: true }, id ?? 'main'));
    fill(this.sandbox, h('span', { class: 'aside' }, 'Sandbox'), choice);
    this.readSandboxes(choice);
  }

  async readSandboxes(choice) {
    const { sandboxes } = await this.context.api.get('/api/v1/sandboxes').catch(() => ({ sandboxes: null }));
    if (!sandboxes) return;
    const ids = ['', ...sandboxes.map((one) => one.id)];
    if (ids.join() === [...choice.options].map((option) => option.value).join()) return;
    const now = choice.value;
    fill(choice, ids.map((one) => h('option', { value: one, selected: one === now }, one || 'main')));
  }

  makeLinks(router) {
    const groups = new Map();
    this.links = new Map();
    for (const [name, pane] of Object.entries(this.panes)) {
      if (!pane.group || (this.isReadOnly && pane.steers)) continue;
      const beside = h('span', { class: 'beside' });
      const link = h('a', { href: pane.isGlobal ? pane.path : router.to(pane.path), class: pane.onPhone ? null : 'later' },
        pane.onPhone && glyph(name), h('span', null, pane.word), beside);
      this.links.set(name, { link, beside });
      groups.set(pane.group, [...groups.get(pane.group) ?? [], link]);
    }
    const more = h('button', { class: 'more', 'aria-expanded': 'false', onclick: () => {
      const isOpen = this.nav.classList.toggle('open');
      more.setAttribute('aria-expanded', String(isOpen));
    } }, glyph('more'), 'More');
    fill(this.nav, [...groups].map(([group, links]) => h('div', { class: 'group' }, h('h2', null, group), links)), more,
      this.foot);
    this.nav.addEventListener('click', (event) => { if (event.target.closest('a')) this.nav.classList.remove('open'); });
  }

  // Numbers beside the names.
  beside(figures) {
    this.put('notifications', words.count(figures.kept));
    this.put('connections', figures.connectionsOpen ? `${words.count(figures.connectionsOpen)} open` : '');
    this.put('feedback', figures.feedback ? words.count(figures.feedback) : '');
    this.put('sandboxes', figures.sandboxes ? words.count(figures.sandboxes) : '');
  }

  put(name, text, isFlag = false) {
    const found = this.links?.get(name);
    if (!found) return;
    say(found.beside, text);
    found.beside.classList.toggle('flag', isFlag);
  }

  showClock(clock) {
    this.read = { clock, at: performance.now() };
    this.drawClock();
    this.put('clock', clock.moved ? `moved by ${clock.moved}` : clock.mode, Boolean(clock.moved));
  }

  drawClock() {
    if (!this.read) return;
    const { clock, at } = this.read;
    const past = clock.running && !this.isRecording && this.context?.live.isConnected ? performance.now() - at : 0;
    const now = new Date(Date.parse(clock.now) + past).toISOString();
    const isReal = clock.mode === 'real';
    this.clock.hidden = false;
    this.clock.classList.toggle('staged', !isReal || !clock.running || Boolean(clock.moved));
    fill(this.clock, h('span', { class: 'aside' }, 'Clock '),
      (clock.moved || !words.isToday(now)) && h('span', null, `${words.day(now)} `), words.clock(now),
      h('span', { class: 'how' }, `${isReal ? ' UTC' : ' virtual'}${clock.running ? '' : ', frozen'}${clock.moved ? `, moved by ${clock.moved}` : ''}`));
    this.clock.title = `${words.date(now)}, ${words.clock(now)} UTC, ${isReal ? 'real' : 'virtual'}`;
  }

  showFaults(faults) {
    const on = faults.filter((fault) => !fault.spent).length;
    this.faults.hidden = on === 0;
    fill(this.faults, glyph('dropped', 'warn'), `${words.plural(on, 'fault')} on`);
    this.put('faults', on ? `${on} on` : '', on > 0);
  }

  showAdvice(advice) { this.put('advice', advice.length ? words.count(advice.length) : ''); }

  showEndpoints(ends, seed) {
    const ports = [ends.http2 && `${ends.http2} HTTP/2`, ends.gateway && `${ends.gateway} binary`].filter(Boolean).join(' · ');
    fill(this.foot, [ends.host, ports,
      seed && `seed ${seed}`].filter(Boolean).map((line) => h('div', null, line)));
  }

  setPaused(isPaused) { this.isPaused = isPaused; this.drawLive(); }

  drawLive() {
    if (!this.context) return;
    const { live } = this.context;
    const isLost = live.lostAt !== null;
    this.live.classList.toggle('lost', isLost);
    this.live.classList.toggle('paused', !isLost && this.isPaused);
    const word = isLost ? 'Disconnected' : this.isRecording ? this.reading ?? 'Recording' : this.isPaused ? 'Paused' : live.isConnected ? 'Live' : 'Connecting';
    const key = `${word} ${live.rate()}`;
    if (this.liveKey !== key) {
      this.liveKey = key;
      fill(this.live, h('span', { class: 'lamp', 'aria-hidden': 'true' }), word,
        live.isConnected && !this.isRecording && h('span', { class: 'aside rate' }, ` ${words.count(live.rate())}/s`));
    }
    this.live.title = isLost ? 'Try again now' : this.isRecording ? this.about ?? '' : '';
    this.drawClock();
    this.state.classList.toggle('lost', isLost);
    if (isLost) {
      const wait = Math.max(0, Math.ceil((live.retryAt - Date.now()) / 1000));
      fill(this.stateText, h('span', { class: 'said' }, h('span', { class: 'strong' },
        `Disconnected at ${live.lostAt.toISOString().slice(11, 19)}. `),
        `The program does not answer. What is shown is as it was then. ${wait ? `Next try in ${wait} s.` : 'Trying now.'} `,
        h('button', { class: 'link', onclick: () => live.retry() }, 'Try now')));
    }
  }

  // The line at the foot, as the pane wants it; without the program it says so.
  setState(children) {
    if (this.context?.live.lostAt !== null) return;
    const key = children.flat().map((child) => child?.textContent ?? child ?? '').join('|');
    if (this.stateKey === key && this.stateText.firstChild) return;
    this.stateKey = key;
    fill(this.stateText, children);
  }
}

// For screen readers: at most every five seconds, the last that was said.
export function makeAnnouncer(element) {
  let at = 0;
  let timer = null;
  return (text, { now = false, said } = {}) => {
    clearTimeout(timer);
    const speak = () => { at = Date.now(); say(element, text); said?.(); };
    const rest = now ? 0 : at + 5_000 - Date.now();
    if (rest <= 0) speak();
    else timer = setTimeout(speak, rest);
  };
}
