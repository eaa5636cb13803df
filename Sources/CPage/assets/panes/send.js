// Send: a notification through the simulator's own door, with the verdict in advance and the phone beside it.
import { h, fill, strange } from '../lib/dom.js';
import { glyph } from '../lib/glyphs.js';
import { Phone } from '../lib/phone.js';
import { problemText, reading } from '../lib/parts.js';
import { slotField } from './slots.js';

const drafts = new Map();
const types = ['alert', 'background', 'voip', 'complication', 'fileprovider', 'mdm', 'location', 'liveactivity', 'pushtotalk',
  'widgets', 'controls'];
const expiries = [['', 'stored as long as it takes'], ['0', 'never stored'], ['+1h', 'stored for 1 h'],
  ['+1d', 'stored for a day']];
const example = { aps: { alert: { title: 'Order 1042 is ready', body: 'Your flat white is on the counter' }, badge: 1,
  sound: 'default' } };

export function mount(root, context) {
  const { api, words, router, announce } = context;
  const draft = drafts.get(context.route.sandbox) ?? { to: '', topic: 'com.example.app', api: 'http2', pushType: 'alert',
    priority: '10', expiration: '', text: JSON.stringify(example, null, 2) };
  drafts.set(context.route.sandbox, draft);
  let devices = null;
  let timer = null;
  let turn = 0;
  const sentence = h('p', { class: 'sentence' });
  const text = h('textarea', { class: 'mono payload', rows: '14', spellcheck: 'false', 'aria-label': 'Payload',
    value: draft.text, oninput: () => { draft.text = text.value; soon(); } });
  const said = h('p', { class: 'mistake', role: 'alert' });
  const verdict = h('div', { class: 'verdict', role: 'status' });
  const shown = h('aside', { class: 'shown', 'aria-label': 'Shown' });
  const sent = h('p', { class: 'second', role: 'status' });
  root.append(h('div', { class: 'pad' }, h('h1', null, 'Send'), sentence,
    h('div', { class: 'halves' }, h('div', { class: 'half' },
    h('section', null, h('h2', null, 'Payload'), text, said, verdict),
    h('div', { class: 'actions centred' }, h('button', { class: 'button main', onclick: send }, 'Send it'), sent)), shown)));
  const reader = reading(context, (digest) => digest.devices, async () => {
    const isFirst = !devices;
    ({ devices } = await api.get('/devices'));
    if (!draft.to) draft.to = devices[0]?.name ?? 'ab'.repeat(32);
    drawSentence();
    if (isFirst) soon(0);
    context.state(h('span', { class: 'said' }, 'Judged as if a provider had sent it; nothing is sent until you say so'));
  });
  begin();

  // `?from=n57` sends that one again; `?to=bob` to that device.
  async function begin() {
    const { query } = context.route;
    if (query.get('to')) draft.to = query.get('to');
    if (query.get('from')) {
      const n = await api.get(`/notifications/${encodeURIComponent(query.get('from'))}`).catch(() => null);
      if (n) {
        Object.assign(draft, { to: n.device || n.token, topic: n.topic || draft.topic, api: n.interface,
          priority: String(n.priority ?? 10), pushType: n.pushType ?? 'alert', collapseID: n.collapseId,
          isTopicChosen: Boolean(n.topic) });
        draft.text = n.payload === null ? new TextDecoder().decode(Uint8Array.from(atob(n.payloadBase64),
          (c) => c.codePointAt(0))) : JSON.stringify(n.payload, null, 2);
        text.value = draft.text;
      }
    }
    drawSentence();
    soon(0);
  }

  // A device that is chosen brings an app that it has, until an app is chosen as well.
  function fit() {
    const apps = devices.find((device) => device.name === draft.to)?.apps ?? [];
    if (apps.length > 0 && !draft.isTopicChosen && !apps.some(({ topic }) => topic === draft.topic)) draft.topic = apps[0].topic;
  }

  function chosen(name) {
    if (name === 'to') draft.isTopicChosen = false;
    if (name === 'topic') draft.isTopicChosen = true;
  }

  function drawSentence() {
    if (!devices) return;
    fit();
    const names = devices.slice(0, 200).map((device) => [device.name, words.shortDevice(device.name)]);
    if (draft.to && !names.some(([name]) => name === draft.to)) names.unshift([draft.to, words.shortDevice(draft.to)]);
    const device = devices.find(({ name }) => name === draft.to);
    const apps = (device ? [device] : devices).flatMap(({ apps }) => apps);
    const topics = [...new Set([draft.topic, ...apps.map(({ topic }) => topic)])].map((one) => [one, one]);
    const choice = (name, choices, free) => slotField({ name, choices, free }, draft[name] ?? '',
      (value) => { draft[name] = value; chosen(name); drawSentence(); soon(); });
    const isHTTP2 = draft.api === 'http2';
    fill(sentence, 'To ', choice('to', names.length > 1 ? names : [...names, ['ab'.repeat(32), 'any token']]), ', app ',
      choice('topic', topics), ', over ',
      choice('api', [['http2', 'HTTP/2'], ['binary', 'the binary interface']]),
        isHTTP2 && [' as ', choice('pushType', types.map((type) => [type, type]))], ', priority ',
      choice('priority', (isHTTP2 ? ['10', '5', '1'] : ['10', '5']).map((one) => [one, one])), ', ',
        choice('expiration', expiries), '.');
  }

  // What is sent; throws where the payload is not JSON.
  function body() {
    const isHTTP2 = draft.api === 'http2';
    return {
      to: draft.to, topic: draft.topic, api: draft.api, payload: JSON.parse(draft.text), priority: Number(draft.priority),
      ...(draft.expiration !== '' && { expiration: draft.expiration }),
      ...(isHTTP2 && { pushType: draft.pushType }), ...(isHTTP2 && draft.collapseID && { collapseID: draft.collapseID }),
    };
  }

  function soon(wait = 250) { clearTimeout(timer); if (devices) timer = setTimeout(preview, wait); }

  async function preview() {
    const mine = ++turn;
    let asked;
    try { asked = body(); } catch (error) { fill(said,
      `The payload is not JSON: ${error.message}`); fill(verdict); fill(shown); return; }
    fill(said);
    const found = await api.send('POST', '/notifications?preview=true', asked).catch((error) => ({ error }));
    if (mine !== turn) return;
    if (found.error) { fill(said, problemText(found.error)); fill(verdict); fill(shown); return; }
    drawVerdict(found, asked);
  }

  function drawVerdict(found, asked) {
    const item = { interface: asked.api, ...found };
    const { glyph: shape, tone, word } = words.outcome(item);
    const remarks = [...found.remarks ?? [], ...found.presentation?.remarks ?? []];
    fill(verdict, h('p', null, glyph(shape, tone), ' ', h('strong', { class: tone === 'good' ? null : tone },
      `Would be: ${word}`),
      found.payloadSize !== undefined && h('span', { class: 'aside' },
        `  ${words.count(found.payloadSize)}${found.payloadLimit ? ` of ${words.count(found.payloadLimit)}` : ''} bytes`)),
    found.explain?.filter((check) => !check.ok).map((check) => h('p', { class: 'hint' }, h('b', null, check.check), ' ',
      strange(check.detail ?? ''), check.hint && [' ', strange(check.hint)])),
    remarks.length > 0 && h('ul', { class: 'remarks' },
      [...new Set(remarks.map((one) => one.text ?? one))].map((one) => h('li', null, strange(one)))));
    const phone = new Phone({ presentation: found.presentation ?? null, payload: asked.payload, topic: asked.topic,
      pushType: asked.pushType, at: context.latest.clock?.now ?? new Date().toISOString(),
      state: item.outcome === 'delivered' ? 'seen' : item.outcome === 'stored' ? 'waiting' : 'unseen',
        why: item.outcome === 'stored' ? 'It would wait for the device.' : `It would be: ${word}.` });
    const said = phone.verdict;
    fill(shown, h('h2', null, 'Shown'), h('div', { class: 'picture' }, phone.draw('lock')),
      said && h('p', null, h('strong', null, said[0]), ' ', said[1]));
  }

  async function send() {
    fill(sent);
    try {
      const found = await api.send('POST', '/notifications', body());
      const { word } = words.outcome({ interface: draft.api, ...found });
      fill(sent, h('a', { href: router.to(`/notifications/${found.id}`) }, found.id), ` was sent: ${word}.`);
      announce(`${found.id} was sent: ${word}`, { now: true });
    } catch (error) {
      fill(said, error instanceof SyntaxError ? `The payload is not JSON: ${error.message}` : problemText(error));
    }
  }

  return { leave() { clearTimeout(timer); turn += 1; reader.leave(); } };
}
