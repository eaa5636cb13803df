// Make it fail: a sentence with choices in it, what it would do, and what is on now.
import { h, fill, strange } from '../lib/dom.js';
import { copyable } from '../lib/copy.js';
import { catalogueOf, layers, ruleOf, startOf, textOf } from '../lib/catalogue.js';
import { attempt, offerUndo, problemText, reading, toggle } from '../lib/parts.js';
import { flow } from '../lib/yaml.js';
import { slotField } from './slots.js';

// Rules that were turned off on this page, to be turned on again: of each sandbox, by the rule's id.
const turnedOffIn = new Map();

export function mount(root, context) {
  const { api, words, router, announce } = context;
  const { sandbox } = context.route;
  if (!turnedOffIn.has(sandbox)) turnedOffIn.set(sandbox, new Map());
  const turnedOff = turnedOffIn.get(sandbox);
  let catalogue = [];
  let entry = null;
  let values = {};
  let whose = [['', 'any device']];
  let faults = [];
  let preview = null;
  let form = 'rule';
  let timer = null;
  let turn = 0;
  let hasLeft = false;

  const sentence = h('p', { class: 'sentence' });
  const chips = h('div', { class: 'chips' });
  const sees = h('section', null);
  const same = h('section', null);
  const said = h('span', { class: 'mistake', role: 'alert' });
  const hit = h('span', { class: 'second' });
  const on = h('section', { class: 'on-now' });
  root.append(h('div', { class: 'pad' }, h('h1', null, 'Make it fail'), sentence, chips,
    h('div', { class: 'two-columns previews' }, sees, same),
    h('div', { class: 'actions centred' }, h('button', { class: 'button main', onclick: turnOn }, 'Turn on'),
      h('button', { class: 'button', onclick: turnOnAndSend }, 'Turn on and send one'), hit, said), on));

  const reader = reading(context, (digest) => digest.faults || digest.received || digest.devices, read);
  begin();

  async function read() {
    const [{ faults: found }, { devices }] = await Promise.all([api.get('/faults'), api.get('/devices')]);
    faults = found;
    const topics = [...new Set(devices.flatMap((device) => device.apps.map((app) => app.topic)))];
    const given = values.whose && !whose.some(([value]) => value === values.whose) ? [[values.whose, shortWhose(values.whose)]]
      : whose.filter(([value]) => value.startsWith('token:'));
    const next = [['', 'any device'], ...devices.slice(0, 200).map(({ name }) => [`device:${name}`, words.shortDevice(name)]),
      ...topics.map((topic) => [`topic:${topic}`, topic]), ...given];
    if (JSON.stringify(next) !== JSON.stringify(whose)) { whose = next; if (entry) drawSentence(); }
    drawOn();
  }

  // From a notification: the same device, and what happened to it.
  async function begin() {
    catalogue = await catalogueOf(api);
    if (hasLeft) return;
    [entry] = catalogue;
    values = startOf(entry);
    const from = context.route.query.get('from');
    if (from) {
      const before = entry;
      const n = await api.get(`/notifications/${encodeURIComponent(from)}`).catch(() => null);
      if (n && entry === before) {
        const isHTTP2 = n.interface === 'http2';
        const closed = n.outcome === 'rejected' && n.status === 0;
        entry = catalogue.find((one) => one.name === (isHTTP2 ? n.reason && n.status !== 410 ? 'Any reason'
          : '410 for one device' : closed ? 'Closed at a notification' : 'Bad token in a burst'));
        values = startOf(entry);
        if (n.reason) values.reason = n.reason;
        if (closed) values.interface = 'binary';
        if (!isHTTP2 && n.status) values.status = String(n.status);
        if (entry.start.afterFrames) values.afterFrames = '0';
        values.whose = n.device ? `device:${n.device}` : /^[0-9a-f]+$/.test(n.token) ? `token:${n.token}` : '';
        if (values.whose && !whose.some(([value]) => value === values.whose)) whose = [...whose,
          [values.whose, shortWhose(values.whose)]];
      }
    }
    drawSentence();
  }

  function shortWhose(value) { return words.shortDevice(value.slice(value.indexOf(':') + 1)); }

  function choose(next) {
    const kept = values.whose;
    entry = next;
    values = startOf(entry);
    if ('whose' in values && kept) values.whose = kept;
    drawSentence();
  }

  function wordOf(part, value) {
    const choices = part.name === 'whose' ? whose : part.choices;
    return choices.find(([one]) => one === value)?.[1] ?? value;
  }

  function drawSentence() {
    fill(sentence, entry.sentence.map((part) => (part.name ? slotField(
      { ...part, choices: part.name === 'whose' ? whose : part.choices }, values[part.name] ?? '',
      (value) => { values[part.name] = value; show(); }) : part)));
    fill(chips, catalogue.filter((one) => one.chip || one === entry).map((one) => h('button', {
      type: 'button', 'aria-pressed': String(one === entry), onclick: () => choose(one),
    }, one.name)), h('button', { type: 'button', onclick: openCatalogue }, `All ${catalogue.length}…`));
    show();
  }

  const rule = () => ruleOf(entry, values, textOf(entry, values, wordOf));

  function show() {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const mine = ++turn;
      const asked = rule();
      fill(said);
      const found = await api.send('POST', '/faults?preview=true', asked).catch((error) => ({ error }));
      if (mine !== turn) return;
      preview = found.error ? null : found;
      if (found.error) fill(said, problemText(found.error));
      drawPreview();
    }, 150);
  }

  function drawPreview() {
    if (!preview) { fill(same); fill(sees); fill(hit); return; }
    const { apnsim, curl, magicToken } = preview.same;
    const forms = { rule: preview.rule, apnsim, curl, token: magicToken };
    const names = Object.keys(forms).filter((name) => forms[name]);
    if (!forms[form]) form = names[0];
    fill(same, h('div', { class: 'title-line' }, h('h2', null, 'The same as'),
      h('span', { class: 'tabs', role: 'group', 'aria-label': 'The same as' }, names.map((name) => h('button', {
      type: 'button', 'aria-pressed': String(name === form), onclick: () => { form = name; drawPreview(); },
    }, { rule: 'Rule', apnsim: 'apnsim', curl: 'curl', token: 'Token' }[name])))), copyable(forms[form]));
    fill(sees, h('h2', null, 'Your provider will see'), h('ol', { class: 'code steps' }, preview.sees.map(step)),
      preview.advice && h('p', { class: 'second' }, preview.advice));
    drawHit(preview.wouldHaveHit);
  }

  // Notifications of the past that the rule would have hit.
  function drawHit(looked) {
    if (!looked.of) { fill(hit); return; }
    const { what, count, of, fired, first } = looked;
    const one = what === 'connections' ? 'connection' : 'notification';
    const pane = what === 'connections' ? 'connections' : 'notifications';
    const shown = first.slice(0, 3).map((id, i) => [i ? ', ' : '', h('a', { href: router.to(`/${pane}/${id}`) }, id)]);
    fill(hit, count === 0 ? `Looking back, it would have hit none of ${words.plural(of, one)}.`
      : ['Looking back, it would have hit ', shown, fired > 3 && ' …',
      fired < count ? `; without “${often()}”, ${words.count(count)} of ${words.count(of)}.`
        : ` (${words.count(count)} of ${words.count(of)}).`]);
  }

  function often() { return entry.sentence.find((part) => part.name === 'times')?.choices.find(([value]) => value === values.times)?.[1] ?? 'a limit'; }

  // A step of what a provider sees: words, then headers and body, or bytes.
  function step({ interface: by, text, headers, body, hex }) {
    const place = { binary: 'Binary', http2: 'HTTP/2', feedback: 'Feedback', handshake: 'Handshake' }[by] ?? by;
    return h('li', null, h('div', { class: 'words' }, h('span', { class: 'aside' }, `${place} `), text),
      headers?.map(({ name, value }) => h('div', null, h('span', { class: 'aside' }, `${name} `), value)),
        body && h('div', null, body),
      hex && h('div', null, hex.replace(/(..)(?=.)/g, '$1 ')));
  }

  async function turnOn() {
    const isOn = await attempt(() => api.send('POST', '/faults', rule()), said);
    if (isOn) announce('The fault is on', { now: true });
    await reader.again();
    return isOn;
  }

  async function turnOnAndSend() {
    if (await turnOn()) router.go(`/send${values.whose?.startsWith('device:') ? `?to=${encodeURIComponent(values.whose.slice(7))}` : ''}`);
  }

  function drawOn() {
    const heads = [h('span', { class: 'spoken' }, 'On or off'), 'What happens', 'Matched', 'Happened'];
    const off = [...turnedOff.values()];
    const used = faults.filter((fault) => fault.spent);
    const isOn = faults.filter((fault) => !fault.spent);
    fill(on, h('div', { class: 'title-line' }, h('h2', null, 'On now', h('small', null, 'first match wins, before magic tokens')),
      faults.length > 0 && h('button', { class: 'button danger', onclick: allOff }, 'Everything off')),
    isOn.length + off.length === 0
      ? h('p', { class: 'aside' }, 'Nothing is on. What is refused here is refused by the rules of the service.')
      : listed([...isOn.map((fault) => line(fault, true)), ...off.map((fault) => line(fault, false))]),
    used.length > 0 && [h('h2', { class: 'later-head' }, 'Used up', h('small', null, 'nothing happens any more')),
      listed(used.map((fault) => line(fault, false)))]);
    context.state(h('span', { class: 'said' }, isOn.length ? `${words.plural(isOn.length, 'fault')} on` : 'No fault is on'));

    function listed(lines) {
      return h('div', { class: 'table-box' }, h('table', { class: 'faults' },
        h('thead', null, h('tr', null, heads.map((word) => h('th', { scope: 'col' }, word)))), h('tbody', null, lines)));
    }
  }

  function line(fault, isOn) {
    const { name, ...written } = fault.rule;
    const times = fault.times ? `${words.count(fault.fired)} of ${words.count(fault.times)}`
      : fault.fired ? words.plural(fault.fired, 'time') : 'never';
    const isKnown = isOn || fault.spent;
    return h('tr', { class: isOn ? null : 'off' },
      h('td', null, toggle(isOn, ['On', 'Off'], () => (isOn ? turnOff(fault) : turnOnAgain(fault)))),
      h('td', null, fault.name && h('strong', null, strange(fault.name)),
        h('code', { class: 'rule' }, h('b', null, fault.id), '  ', strange(flow(written).slice(1, -1)))),
      h('td', { class: 'number' }, isKnown ? words.count(fault.matched) : ''),
      h('td', { class: 'number' }, isKnown ? times : 'turned off here'));
  }

  async function turnOff(fault) {
    if (!await attempt(() => api.send('DELETE', `/faults/${fault.id}`), said)) return;
    turnedOff.set(fault.id, fault);
    await reader.again();
  }

  async function turnOnAgain(fault) {
    if (!await attempt(() => api.send('POST', '/faults', fault.rule), said)) return;
    turnedOff.delete(fault.id);
    // In place of the one that is used up.
    if (fault.spent) await attempt(() => api.send('DELETE', `/faults/${fault.id}`), said);
    await reader.again();
  }

  async function allOff() {
    const were = faults;
    if (!await attempt(() => api.send('DELETE', '/faults'), said)) return;
    await reader.again();
    announce('Everything is off', { now: true });
    // A rule that is added comes before all others: the last one first.
    offerUndo(`${words.plural(were.length, 'fault')} off.`, async () => {
      for (const fault of were.toReversed()) await api.send('POST', '/faults', fault.rule);
      await reader.again();
    });
  }

  function openCatalogue() {
    const dialog = h('dialog', { class: 'catalogue', 'aria-label': 'All that can fail' },
      layers.map(([layer, about]) => h('section', null,
      h('h2', null, layer, h('small', null, about)),
        h('ul', null, catalogue.filter((one) => one.layer === layer).map((one) => h('li', null, h('button', {
        type: 'button', class: 'link', onclick: () => { choose(one); dialog.close(); },
      }, one.name), h('span', { class: 'aside' }, ` ${textOf(one, startOf(one), wordOf)}`)))))),
        h('button', { class: 'button', onclick: () => dialog.close() }, 'Close'));
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  return { leave() { hasLeft = true; clearTimeout(timer); reader.leave(); } };
}
