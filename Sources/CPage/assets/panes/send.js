// Send: a notification through the simulator's own door, with the verdict in advance and the phone beside it.
import { h, fill, strange } from '../lib/dom.js';
import { glyph } from '../lib/glyphs.js';
import { Phone } from '../lib/phone.js';
import { field, problemText, reading } from '../lib/parts.js';
import { slotField } from './slots.js';
import { bodyOf, draftOf, newDraft } from './draft.js';

const drafts = new Map();
const types = ['alert', 'background', 'voip', 'complication', 'fileprovider', 'mdm', 'location', 'liveactivity', 'pushtotalk',
  'widgets', 'controls'];
const expiries = [['', 'stored as long as it takes'], ['0', 'never stored'], ['1h', 'stored for 1 h'],
  ['1d', 'stored for a day']];
const priorities = (names) => [['', 'not given'], ...names.map((one) => [one, one])];

export function mount(root, context) {
  const { api, words, router, announce } = context;
  const draft = drafts.get(context.route.sandbox) ?? newDraft();
  drafts.set(context.route.sandbox, draft);
  let devices = null;
  // A notification to be sent again is read first.
  let isReady = !context.route.query.get('from');
  let timer = null;
  let turn = 0;
  const sentence = h('p', { class: 'sentence' });
  const text = h('textarea', { class: 'mono payload', rows: '14', spellcheck: 'false', 'aria-label': 'Payload',
    value: draft.text, oninput: () => { draft.text = text.value; draft.note = ''; note.hidden = true; soon(); } });
  const more = {
    identifier: typed('identifier', 'Identifier', 'hex digits'), collapseId: typed('collapseId', 'Collapse identifier'),
    apnsId: typed('apnsId', 'apns-id', 'a UUID'),
  };
  const said = h('p', { class: 'mistake', role: 'alert' });
  const note = h('p', { class: 'hint', hidden: true });
  const verdict = h('div', { class: 'verdict', role: 'status' });
  const shown = h('aside', { class: 'shown', 'aria-label': 'Shown' });
  const sent = h('p', { class: 'second', role: 'status' });
  root.append(h('div', { class: 'pad' }, h('h1', null, 'Send'), sentence, h('div', { class: 'send-more' }, Object.values(more)),
    h('div', { class: 'halves' }, h('div', { class: 'half' },
    h('section', null, h('h2', null, 'Payload'), text, note, said, verdict),
    h('div', { class: 'actions centred' }, h('button', { class: 'button main', onclick: send }, 'Send it'), sent)), shown)));
  const reader = reading(context, (digest) => digest.devices, async () => {
    const isFirst = !devices;
    ({ devices } = await api.get('/devices'));
    draft.to ??= devices[0]?.name ?? 'ab'.repeat(32);
    drawSentence();
    if (isFirst) soon(0);
    context.state(h('span', { class: 'said' }, 'Judged as if a provider had sent it; nothing is sent until you say so'));
  });
  begin();

  // `?from=n57` sends that one again; `?to=bob` to that device.
  async function begin() {
    const { query } = context.route;
    if (query.get('to')) { draft.to = query.get('to'); chosen('to'); }
    if (query.get('from')) {
      await reader.first;
      const before = text.value;
      const n = await api.get(`/notifications/${encodeURIComponent(query.get('from'))}`).catch(() => null);
      if (n && text.value === before) Object.assign(draft, draftOf(n, devices ?? []));
      isReady = true;
      text.value = draft.text;
      for (const [name, box] of Object.entries(more)) box.querySelector('input').value = draft[name];
    }
    drawSentence();
    soon(0);
  }

  // A value that is typed, and sent if it is not empty.
  function typed(name, word, placeholder) {
    return field(word, h('input', { type: 'text', class: 'mono', value: draft[name], placeholder, autocomplete: 'off', spellcheck: 'false',
      oninput: ({ target }) => { draft[name] = target.value.trim(); soon(); } }));
  }

  // A device that is chosen brings an app that it has, until an app is chosen as well.
  function fit() {
    const apps = devices.find((device) => device.name === draft.to)?.apps ?? [];
    if (apps.length > 0 && !draft.isTopicChosen && !apps.some(({ topic }) => topic === draft.topic)) draft.topic = apps[0].topic;
  }

  function chosen(name) {
    if (name === 'to' || name === 'topic') draft.environment = '';
    if (name === 'to') draft.isTopicChosen = false;
    if (name === 'topic') draft.isTopicChosen = true;
  }

  function drawSentence() {
    if (!devices || !isReady) return;
    fit();
    const names = devices.slice(0, 200).map((device) => [device.name, words.shortDevice(device.name)]);
    if (!names.some(([name]) => name === draft.to)) names.unshift([draft.to, words.shortDevice(draft.to) || 'no token']);
    const device = devices.find(({ name }) => name === draft.to);
    const apps = (device ? [device] : devices).flatMap(({ apps }) => apps);
    const topics = [...new Set([draft.topic, ...apps.map(({ topic }) => topic)])].map((one) => [one, one]);
    const environments = [...new Set([draft.environment, ...apps.filter(({ topic }) => topic === draft.topic)
      .map(({ environment }) => environment)])].filter(Boolean);
    const choice = (name, choices, value = draft[name]) => slotField({ name, choices }, value,
      (value) => { draft[name] = value; chosen(name); drawSentence(); soon(); });
    const isHTTP2 = draft.api === 'http2';
    const isCommand0 = !isHTTP2 && draft.command === '0';
    const focused = sentence.contains(document.activeElement) ? document.activeElement.getAttribute('aria-label') : null;
    fill(sentence, 'To ', choice('to', names.length > 1 ? names : [...names, ['ab'.repeat(32), 'any token']]), ', app ',
      choice('topic', topics), (environments.length > 1 || draft.environment)
        && [' in ', choice('environment', environments.map((one) => [one, one]), draft.environment || environments[0])], ', over ',
      choice('api', [['http2', 'HTTP/2'], ['binary', 'the binary interface']]),
        isHTTP2 ? [' as ', choice('pushType', types.map((type) => [type, type]))]
          : [' as command ', choice('command', ['0', '1', '2'].map((one) => [one, one]))],
      (isHTTP2 || draft.command === '2') && [', priority ', choice('priority', priorities(isHTTP2 ? ['10', '5', '1'] : ['10', '5']))],
      !isCommand0 && [', ', choice('expiration', expiries)], '.');
    if (focused) sentence.querySelector(`[aria-label="${focused}"]`)?.focus({ preventScroll: true });
    more.identifier.hidden = isHTTP2 || isCommand0;
    more.collapseId.hidden = more.apnsId.hidden = !isHTTP2;
    note.hidden = !draft.note;
    fill(note, draft.note);
  }

  function soon(wait = 250) { clearTimeout(timer); if (devices && isReady) timer = setTimeout(preview, wait); }

  async function preview() {
    const mine = ++turn;
    const asked = bodyOf(draft);
    const found = await api.send('POST', '/notifications?preview=true', asked).catch((error) => ({ error }));
    if (mine !== turn) return;
    fill(said);
    if (found.error) { fill(said, problemText(found.error)); fill(verdict); fill(shown); return; }
    drawVerdict(found, asked);
  }

  function drawVerdict(found, asked) {
    const item = { interface: asked.api, ...found };
    const { glyph: shape, tone, word } = words.outcome(item);
    const failed = (found.explain ?? []).filter((check) => !check.ok);
    const remarks = new Set([...found.remarks ?? [], ...found.presentation?.remarks ?? []].map((one) => one.text ?? one));
    for (const { hint } of failed) remarks.delete(hint);
    fill(verdict, h('p', null, glyph(shape, tone), ' ', h('strong', { class: tone === 'good' ? null : tone },
      `Would be: ${word}`),
      found.payloadSize !== undefined && h('span', { class: 'aside' },
        `  ${words.count(found.payloadSize)}${found.payloadLimit ? ` of ${words.count(found.payloadLimit)}` : ''} bytes`)),
    failed.map((check) => h('p', { class: 'hint' }, h('b', null, check.check), ' ',
      strange(check.detail ?? ''), check.hint && [' ', strange(check.hint)])),
    remarks.size > 0 && h('ul', { class: 'remarks' }, [...remarks].map((one) => h('li', null, strange(one)))));
    const phone = new Phone({ presentation: found.presentation ?? null, payload: parsed(asked.payload), topic: asked.topic,
      pushType: asked.pushType, isAhead: true, at: context.latest.clock?.now ?? new Date().toISOString(),
      state: item.outcome === 'delivered' ? 'seen' : item.outcome === 'stored' ? 'waiting' : 'unseen',
        why: item.outcome === 'stored' ? 'It would wait for the device.' : `It would be: ${word}.` });
    const said = phone.verdict;
    fill(shown, h('h2', null, 'Shown'), h('div', { class: 'picture' }, phone.draw('lock')),
      said && h('p', null, h('strong', null, said[0]), ' ', said[1]));
  }

  async function send() {
    if (!isReady) return;
    fill(sent);
    try {
      const found = await api.send('POST', '/notifications', bodyOf(draft));
      const { word } = words.outcome({ interface: draft.api, ...found });
      fill(sent, h('a', { href: router.to(`/notifications/${found.id}`) }, found.id), ` was sent: ${word}.`);
      announce(`${found.id} was sent: ${word}`, { now: true });
    } catch (error) {
      fill(said, problemText(error));
    }
  }

  return { leave() { clearTimeout(timer); turn += 1; reader.leave(); } };
}

// Null for what is no JSON.
function parsed(text) { try { return JSON.parse(text); } catch { return null; } }
