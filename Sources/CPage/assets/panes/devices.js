// The devices, with what waits for each.
import { h, fill, strange } from '../lib/dom.js';
import { glyph } from '../lib/glyphs.js';
import { field, formDialog, reading } from '../lib/parts.js';

export function mount(root, context) {
  const { api, router, words, isReadOnly } = context;
  let devices = null;
  let unnamed = [];
  let more = 0;
  let chosen = context.route.id;
  const list = h('ol', { class: 'cards' });
  const find = h('input', { type: 'search', placeholder: 'Filter devices', 'aria-label': 'Filter devices', oninput: draw });
  root.append(h('h1', { class: 'spoken' }, 'Devices'), h('div', { class: 'list-head' }, find,
    !isReadOnly && h('button', { class: 'button', onclick: add }, 'Add…')), list);
  const reader = reading(context, (digest) => digest.devices || digest.received, async () => {
    const found = await api.get('/devices?unnamed=200');
    ({ devices, unnamed } = found);
    more = found.unnamedCount - unnamed.length;
    draw();
  });

  function shown() {
    const text = find.value.trim().toLowerCase();
    return [...devices ?? [], ...unnamed].filter(({ name, apps }) => !text || name.toLowerCase().includes(text)
      || apps.some((app) => app.topic.toLowerCase().includes(text) || app.token.startsWith(text)));
  }

  function draw() {
    if (!devices) return;
    const found = shown();
    const isNone = devices.length + unnamed.length === 0;
    fill(list, found.length ? [found.map(card), more > 0 && h('li', { class: 'empty' },
      h('p', { class: 'aside' }, `and ${words.count(more)} more without a name, met earlier; each is at /devices/ with its token`))]
      : h('li', { class: 'empty' },
      h('h2', { class: 'large' }, isNone ? 'No devices yet' : 'No device has that'),
      isNone && h('p', { class: 'why' },
        'A token that nobody named is a device of its own. One with a name can be offline, lose its app, or have several.'),
      isNone && !isReadOnly && h('p', null, h('button', { class: 'button main', onclick: add }, 'Add one…'))));
    const online = devices.filter((device) => device.online).length;
    const others = unnamed.length + more;
    context.state(h('span', { class: 'said' }, [
      (devices.length || !others) && `${words.plural(devices.length, 'device')}, ${online} online`,
      others && `${words.plural(others, 'device')} without a name`].filter(Boolean).join('; ')));
  }

  function card(device) {
    const { name, online, apps } = device;
    const waits = apps.filter((app) => app.stored).map((app) => `${app.stored} waits`);
    const about = apps.map((app) => `${words.middle(app.topic, 28)}${app.installed ? app.badge ? ` ${app.badge}` : '' : ' removed'}`);
    return h('li', null, h('a', { href: router.to(`/devices/${encodeURIComponent(name)}`),
      'aria-current': name === chosen ? 'true' : null },
      glyph(online ? 'online' : 'offline', online ? 'good' : 'wait'),
      h('span', { class: 'name' }, strange(words.shortDevice(name)), h('span', { class: 'aside' },
        online ? ' online' : ' offline')),
      h('span', { class: 'beside wait' }, waits.join(', ')),
      h('span', { class: 'under' }, strange(about.join(' · ') || 'no app'))));
  }

  function add() {
    formDialog('Add a device', [
      field('Name', h('input', { name: 'name', required: true, autocomplete: 'off' })),
      field('App', h('input', { name: 'topic', value: 'com.example.app', required: true, autocomplete: 'off' }),
        'its bundle ID; the simulator issues the token'),
      h('label', { class: 'check' }, h('input', { type: 'checkbox', name: 'online', checked: true }), ' Online'),
    ], 'Add', async ({ name, topic, online }) => {
      await api.send('PUT', `/devices/${encodeURIComponent(name)}`, { online: online === 'on', apps: [topic] });
      await reader.again();
      router.go(`/devices/${encodeURIComponent(name)}`);
    });
  }

  function step(by) {
    const names = shown().map((device) => device.name);
    const next = names[Math.max(0, Math.min(names.length - 1, chosen ? names.indexOf(chosen) + by : 0))];
    if (next) router.go(`/devices/${encodeURIComponent(next)}`, { replace: Boolean(chosen) });
  }

  return {
    step,
    update(route) { chosen = route.id; draw(); },
    position: (id) => ({ index: shown().findIndex((device) => device.name === id), of: shown().length }),
    keys: { '/': ['Filter', () => find.focus()], j: ['The device below', () => step(1)],
      k: ['The device above', () => step(-1)] },
    leave: reader.leave,
  };
}
