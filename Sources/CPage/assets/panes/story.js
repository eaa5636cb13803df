// One connection: what it cost, and what happened on it as a sequence, provider left, service right, time downwards.
import { h, fill, strange } from '../lib/dom.js';
import { glyph } from '../lib/glyphs.js';
import { menu } from '../lib/menu.js';
import { copyText } from '../lib/copy.js';
import { endingOf, interfaceOf, nameOf } from '../lib/connections.js';
import { reading, sentences } from '../lib/parts.js';

const mostOpened = 100;

export function mount(root, context) {
  const pane = new Story(root, context);
  return { leave: () => pane.leave() };
}

class Story {
  constructor(root, context) {
    Object.assign(this, { root, ...context });
    this.id = context.route.id;
    this.opened = new Map();
    const isOpen = () => !this.connection || this.connection.open || this.story?.cost.awaited;
    this.reading = reading(this, (data) => data.connections || (data.received && isOpen()), () => this.read(), () => 1_000);
  }

  leave() {
    this.isLeft = true;
    this.reading.leave();
  }

  async read() {
    const path = `/connections/${encodeURIComponent(this.id)}`;
    try {
      const [connection, story] = await Promise.all([this.api.get(path), this.api.get(`${path}/story`)]);
      if (this.isLeft) return;
      const text = JSON.stringify([connection, story]);
      if (text === this.text) return;
      Object.assign(this, { connection, story, text });
      this.draw();
    } catch (error) {
      if (!this.isLeft && !this.connection) this.fail(error);
    }
  }

  fail(error) {
    fill(this.root, h('h1', {}, error.status === 404 ? `There is no ${this.id}` : 'It could not be read'),
      h('p', { class: 'why' }, sentences(error.message, error.hint)),
      h('p', {}, h('a', { href: this.router.to('/connections') }, 'To the connections')));
  }

  draw() {
    const { connection: one, story, words, router } = this;
    const ending = endingOf(one, words);
    const topic = one.provider.topic;
    const focus = this.root.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
    fill(this.root,
      h('p', { class: 'ids' },
        h('span', { class: 'mono strong' }, one.id), h('span', {}, interfaceOf(one)),
        h('time', { class: 'mono', datetime: one.openedAt }, words.clock(one.openedAt, { milliseconds: true }),
          one.closedAt && ` to ${words.clock(one.closedAt, { milliseconds: true })}`),
        h('span', { class: 'mono' }, one.peer), one.tls.version && h('span', {}, `TLS ${one.tls.version}`),
        topic ? h('a', { href: router.to(`/?query=${encodeURIComponent(`topic:"${topic}"`)}`) }, strange(topic)) : h('span', {}, nameOf(one)),
        h('span', {}, one.provider.environment)),
      h('h1', {}, glyph(ending.glyph, ending.tone), h('span', {}, strange(story.sentence))),
      story.why && h('p', { class: 'why' }, strange(story.why)),
      this.cost(),
      h('p', { class: 'actions' }, this.actions()),
      story.steps.length > 0 && [
        h('h2', {}, 'What happened', h('span', { class: 'beside' }, 'time runs down; long silences are folded')),
        h('div', { class: 'lanes', 'aria-hidden': 'true' }, h('span', {}, 'Provider'), h('span', {}, one.listener === 'http2' ? 'Service' : 'Gateway')),
        h('ol', { class: 'story' }, story.steps.map((step, i) => this.step(step, i))),
      ],
    );
    if (focus) this.root.querySelector(`[data-focus="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
  }

  // Every part wide enough to be read; those that are nothing are left out.
  cost() {
    const { cost } = this.story;
    const { words } = this;
    const on = cost.resentOn?.length ? ` on ${cost.resentOn.join(', ')}` : '';
    // A request without an answer was judged all the same, and comes again or not: it is counted once.
    const isRequest = this.connection.listener === 'http2';
    const which = isRequest ? 'unanswered, ' : '';
    const unanswered = isRequest ? cost.unanswered : 0;
    const reached = isRequest ? this.connection.resend.accepted?.length ?? 0 : 0;
    const parts = [
      ['good', cost.accepted - reached, 'accepted'],
      ['bad', cost.rejected - Math.max(0, unanswered - reached - cost.discarded), 'rejected'],
      ['bad', Math.max(0, unanswered - cost.resent - cost.lost - cost.notFollowed), 'unanswered'],
      ['wait', cost.resent, `${which}sent again${on}`],
      ['lost', cost.lost, `${which}${cost.awaited ? 'not sent again yet' : 'never sent again'}`],
      ['quiet', cost.notFollowed, `${which}too many to follow`],
    ].filter(([, count]) => count > 0);
    if (!parts.length) return null;
    const bar = h('ul', { class: 'cost' }, parts.map(([tone, count, word]) =>
      h('li', { class: tone }, h('b', {}, words.count(count)), h('span', {}, word))));
    parts.forEach(([, count], i) => { bar.children[i].style.flexGrow = String(Math.max(1, Math.sqrt(count))); });
    return bar;
  }

  actions() {
    const { connection: one, words, router } = this;
    const lost = one.resend.lost;
    const modes = [['FIN', 'fin', 'closes it'], ['RST', 'rst', 'resets it'],
      one.listener === 'gateway' && ['Shutdown', 'shutdown', 'status 10 first'],
      one.listener === 'http2' && ['GOAWAY', 'shutdown', 'then closes it']].filter(Boolean);
    return [
      lost.length > 0 && h('button', { type: 'button', class: 'button', 'data-focus': 'lost', onclick: async () => { await copyText(lost.join('\n')); this.announce('Copied: the lost identifiers.', { now: true }); } },
        `Copy the ${words.plural(lost.length, 'lost identifier')}`),
      one.received > 0 && h('a', { class: 'button', 'data-focus': 'show', href: router.to(`/?query=${encodeURIComponent(`connection:${one.id}`)}`) },
        `Show its ${words.plural(one.received, 'notification')}`),
      one.open && !this.isReadOnly && menu('End it', () => modes.map(([word, mode, beside]) => ({ word, beside, run: () => this.end(mode) })), { 'data-focus': 'end' }),
    ];
  }

  async end(mode) {
    try {
      await this.api.send('DELETE', `/connections/${this.id}?mode=${mode}`);
      this.announce(`${this.id} was ended.`, { now: true });
      this.read();
    } catch (error) {
      this.state(h('span', { class: 'bad' }, `${this.id} was not ended: ${error.message}`));
    }
  }

  // --- The sequence --------------------------------------------------------------------------

  step(step, index) {
    const { words } = this;
    // A fault that sends nothing is named, and has no arrow.
    const isArrow = !['silence', 'fault'].includes(step.kind) && !(step.kind === 'handshake' && index > 0);
    const tone = { rejected: 'bad', discarded: 'bad', unanswered: 'bad', lost: 'bad', resent: 'wait' }[step.fate] ?? (step.kind === 'error' || step.kind === 'reset' ? 'bad' : '');
    const classes = ['step', step.by, step.kind, tone, !isArrow && 'still', (step.count ?? 1) > 4 && 'thick',
      ['discarded', 'unanswered'].includes(step.fate) && 'unread'].filter(Boolean);
    return h('li', { class: classes.join(' ') },
      h('time', { class: 'mono', datetime: step.at }, isArrow || step.fate ? words.clock(step.at, { milliseconds: true }) : ''),
      h('div', { class: 'lane' },
        isArrow && h('span', { class: 'spoken' }, step.by === 'provider' ? 'Provider: ' : 'Service: '),
        h('span', { class: 'said' }, strange(step.text)),
        isArrow && h('i', { class: 'arrow', 'aria-hidden': 'true' })),
      h('div', { class: 'remark' }, this.links(step), step.remark && strange(step.remark), step.hex && h('code', {}, ` ${spaced(step.hex)}`)));
  }

  // A single notification is a link; a run opens in place.
  links(step) {
    if (!step.notifications) return null;
    const [first, last] = step.notifications;
    const link = (id) => h('a', { href: this.router.to(`/notifications/${id}`), 'data-focus': `${step.kind} ${id}` }, id);
    if (first === last) return [link(first), ' '];
    const key = `${step.at} ${first}`;
    const list = this.opened.get(key) ?? h('ol', { class: 'run', hidden: true });
    this.opened.set(key, list);
    const button = h('button', {
      type: 'button', class: 'link', 'data-focus': `run ${key}`, 'aria-expanded': String(!list.hidden),
      onclick: async () => {
        list.hidden = !list.hidden;
        button.setAttribute('aria-expanded', String(!list.hidden));
        if (!list.hidden) await this.open(list, first, last, link);
      },
    }, `${first} to ${last}`);
    return [button, ' ', list];
  }

  async open(list, first, last, link) {
    if (list.hasChildNodes()) return;
    fill(list, h('li', {}, `Reading ${first} to ${last}.`));
    const before = Number(first.slice(1)) - 1;
    try {
      const { notifications } = await this.api.get(`/notifications?query=connection:${this.id}&limit=${mostOpened}${before ? `&after=n${before}` : ''}`);
      const mine = notifications.filter(({ id }) => Number(id.slice(1)) <= Number(last.slice(1)));
      const { words } = this;
      fill(list, mine.map((n) => h('li', {}, link(n.id), ' ', words.outcome(n).word, ', ', words.contentNodes(n))),
        mine.length === mostOpened && h('li', {}, h('a', { href: this.router.to(`/?query=${encodeURIComponent(`connection:${this.id}`)}`) }, 'All of them')));
    } catch (error) {
      fill(list, h('li', { class: 'bad' }, error.message));
    }
  }
}

function spaced(hex) { return (hex.match(/../g) ?? []).join(' '); }
