// Sandboxes: separate simulators in the same program, one for each test.
import { h, fill } from '../lib/dom.js';
import { ask } from '../lib/ask.js';
import { copyable } from '../lib/copy.js';
import { action, reading, table } from '../lib/parts.js';

export function mount(root, context) {
  const { api, words } = context;
  const body = h('div', { class: 'pad' });
  root.append(body);
  const reader = reading(context, () => false, read);
  const polling = setInterval(() => { if (!document.hidden) reader.again(); }, 3_000);
  let last = '';

  async function read() {
    const { sandboxes } = await api.get('/api/v1/sandboxes');
    const all = await Promise.all(sandboxes.map(async (one) => ({
      ...one,
      kept: (await api.get(`${one.base}/notifications?order=newest&limit=1&counts=true`).catch(() => ({}))).kept,
      faults: (await api.get(`${one.base}/faults`).catch(() => ({ faults: [] }))).faults.filter((fault) => !fault.spent).length,
    })));
    const text = JSON.stringify(all);
    if (text === last) return;
    last = text;
    draw(all);
  }

  function draw(sandboxes) {
    fill(body, h('div', { class: 'title-line' }, h('h1', null, sandboxes.length
      ? words.plural(sandboxes.length, 'sandbox', 'sandboxes') : 'One simulator for each test'),
      action('Make one', async () => { await api.send('POST', '/api/v1/sandboxes'); await reader.again(); },
        { class: 'button main' })),
    h('p', { class: 'why' },
      'A sandbox is a simulator of its own: own ports, devices, faults, clock and journal, in the same program.'),
    sandboxes.length ? table(['Sandbox', 'HTTP/2', 'Gateway', 'Feedback', 'Notifications', 'Faults on', ''], [
      ...sandboxes.map((one) => [h('a', { href: `/sandboxes/${one.id}/` }, one.id), one.http2, one.gateway, one.feedback,
        words.count(one.kept ?? 0), one.faults || '',
        h('button', { class: 'link danger', onclick: () => end(one) }, 'End…')])], { class: 'number' })
      : [h('p', { class: 'second' }, 'Or from a test:'), copyable(`curl -X POST ${location.origin}/api/v1/sandboxes`)]);
    context.state(h('span', { class: 'said' }, words.plural(sandboxes.length, 'sandbox', 'sandboxes')));
  }

  async function end(one) {
    if (!await ask(`End ${one.id}?`,
      `Its ${words.plural(one.kept ?? 0, 'notification')} and its devices go with it; its connections are closed.`, 'End',
      'Keep')) return;
    await api.send('DELETE', `/api/v1/sandboxes/${one.id}`);
    await reader.again();
    if (context.route.sandbox === one.id) location.assign('/sandboxes');
  }

  return { leave() { clearInterval(polling); reader.leave(); } };
}
