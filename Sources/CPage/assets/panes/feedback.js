// The feedback service: what waits to be read, and who read what.
import { h, fill, strange } from '../lib/dom.js';
import { ask } from '../lib/ask.js';
import { field, formDialog, reading, select, table } from '../lib/parts.js';

export function mount(root, context) {
  const { api, words, isReadOnly, router } = context;
  const body = h('div', { class: 'pad' });
  root.append(body);
  const reader = reading(context, (digest) => digest.feedback || digest.devices || digest.received, read);

  async function read() {
    const [{ tuples, next }, { reads }] = await Promise.all([api.get('/feedback?limit=1000'),
      api.get('/feedback/reads?limit=200')]);
    draw(tuples, reads.reverse(), next);
  }

  function draw(tuples, reads, next) {
    fill(body,
      h('div', { class: 'title-line' },
        h('h1', null, tuples.length ? `${words.plural(tuples.length, 'token')}${next ? ' and more' : ''} listed`
        : 'The list is empty'),
        !isReadOnly && h('span', { class: 'actions' }, h('button', { class: 'button', onclick: add }, 'Add one…'),
          tuples.length > 0 && h('button', { class: 'button plain danger', onclick: () => clear(tuples.length) }, 'Clear…'))),
      h('p', { class: 'why' },
        tuples.length ? 'A provider that reads them stops sending to these tokens. Once read, the list is cleared.'
        : 'A token is listed when a device refuses what was sent to an app that it no longer has. Remove an app from a device and send to it.'),
      tuples.length > 0 && table(['Token', 'App', 'Environment', 'Removed'], tuples.map((tuple) => [
        h('a', { class: 'mono', title: tuple.token, href: router.to(`/?query=token:${tuple.token}`) },
          words.shortToken(tuple.token)),
        strange(tuple.topic), tuple.environment, at(tuple.timestamp)])),
      h('h2', { class: 'later-head' }, 'Reads'),
      reads.length ? table(['When', 'Connection', 'App', 'By', 'Tokens'], reads.map((one) => [
        h('span', { class: 'mono' }, words.clock(one.time)), connection(one.connection),
          strange(`${one.topic}, ${one.environment}`), strange(one.subject ?? ''),
        one.tuples.length ? words.count(one.tuples.length) : 'none']))
        : h('p', { class: 'aside' }, 'Nobody has read it. Apple asks providers to do so daily.'));
    context.state(h('span', { class: 'said' },
      `${words.plural(tuples.length, 'token')} to read, ${words.plural(reads.length, 'read')}`));
  }

  function at(seconds) { return h('span', { class: 'mono' }, new Date(seconds * 1000).toISOString().slice(0, 19).replace('T',
    ' ')); }

  function connection(id) { return h('a', { href: router.to(`/connections/${id}`) }, id); }

  function add() {
    formDialog('List a token', [
      field('Token', h('input', { name: 'token', class: 'mono', required: true, autocomplete: 'off',
        pattern: '([0-9a-fA-F]{2})+' }), 'hex digits'),
      field('App', h('input', { name: 'topic', required: true, value: 'com.example.app' })),
      field('Environment', select('environment', ['production', 'sandbox'])),
    ], 'List it', async (values) => { await api.send('POST', '/feedback', values); await reader.again(); });
  }

  async function clear(number) {
    if (!await ask(`Clear ${words.plural(number, 'token')}?`, 'No provider will read them.', 'Clear', 'Keep')) return;
    await api.send('DELETE', '/feedback');
    await reader.again();
  }

  return { leave: reader.leave };
}
