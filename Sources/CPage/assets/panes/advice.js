// Advice for providers, in Apple's words.
import { h, fill, strange } from '../lib/dom.js';
import { reading } from '../lib/parts.js';

const hiddenKey = 'advice hidden';

// The notifications that show it, as a query, where one can say it.
const queries = {
  staleProviderToken: 'reason:ExpiredProviderToken',
  sentToUnregisteredToken: 'reason:Unregistered',
  badDeviceTokens: 'reason:BadDeviceToken',
  backgroundAtPriority10: 'pushType:background priority:10',
  discardedNotResent: 'outcome:discarded',
};

export function mount(root, context) {
  const { api, words, router } = context;
  const body = h('div', { class: 'pad' });
  root.append(body);
  let found = [];
  const reader = reading(context, () => true, async () => { found = (await api.get('/advice')).advice; draw(); });
  const name = (one) => `${one.kind} ${one.environment} ${one.topic}`;
  const hidden = () => new Set(JSON.parse(localStorage.getItem(hiddenKey) ?? '[]'));

  function hide(one) {
    localStorage.setItem(hiddenKey, JSON.stringify([...hidden(), name(one)]));
    draw();
  }

  function draw() {
    const gone = hidden();
    const shown = found.filter((one) => !gone.has(name(one)));
    const left = found.length - shown.length;
    const kept = context.latest.figures?.kept ?? 0;
    fill(body, h('h1', null, shown.length ? `${words.plural(shown.length, 'thing')} to do better`
      : `Nothing to improve in ${words.plural(kept, 'notification')}`),
      h('p', { class: 'why' }, 'What Apple watches for, seen in what your providers do here.'),
      h('div', { class: 'advice' }, shown.map(card)),
      left > 0 && h('p', null, h('button', { class: 'link', onclick: () => { localStorage.removeItem(hiddenKey); draw(); } },
        `Show ${left} that ${left === 1 ? 'is' : 'are'} hidden in this browser`)));
    context.state(h('span', { class: 'said' }, words.plural(shown.length, 'finding')));
  }

  function card(one) {
    return h('article', { class: 'box' },
      h('p', { class: 'aside' }, h('strong', { class: one.severity === 'warning' ? 'warn' : 'second' }, one.severity),
        ` · ${words.plural(one.count, 'time')} · since ${words.clock(one.first)}, last ${words.clock(one.last)} · `,
        strange(`${one.topic || 'provider tokens'}, ${one.environment}`)),
      h('p', { class: 'finding' }, strange(one.text)),
      h('blockquote', null, one.guide.sentence, h('cite', null, one.guide.source)),
      h('p', { class: 'actions' },
        queries[one.kind] && h('a', { href: router.to(`/?query=${encodeURIComponent(queries[one.kind])}`) }, 'Show them'),
        h('button', { class: 'link', onclick: () => hide(one) }, 'Not for me')));
  }

  return { leave: reader.leave };
}
