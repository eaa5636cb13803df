// Nothing matches: how many there are, and what comes nearest, as a wait would tell it.
import { h, strange } from '../lib/dom.js';

const most = 3;

// `showAll` gives up the filter and the window.
export function mountNothing(root, { api, router, words }, { text, kept }, showAll) {
  let isLeft = false;
  const near = h('ul', { class: 'near' });
  root.append(h('h1', null, 'Nothing matches'),
    h('p', { class: 'why' },
      `${words.plural(kept, 'notification')} arrived, none of them as asked. New ones that match come in by themselves.`),
    near, h('p', null, h('button', { class: 'button', onclick: showAll }, 'Show all')));
  if (text) read();

  async function read() {
    const asked = { query: text, count: { atLeast: 1 }, timeout: '1ms' };
    const found = await api.send('POST', '/notifications/wait', asked).catch(() => null);
    if (!isLeft) near.append(...(found?.nearMisses ?? []).slice(0, most).map(miss));
  }

  function miss({ id, differences }) {
    return h('li', null, h('a', { href: router.to(`/notifications/${id}`) }, id), ' differs in ',
      differences.map(({ path, expected, actual }, i) => [i ? ', ' : '', h('code', null, path), `: ${expected}, found `,
        h('code', null, strange(typeof actual === 'string' ? actual : JSON.stringify(actual)))]));
  }

  return { leave() { isLeft = true; } };
}
