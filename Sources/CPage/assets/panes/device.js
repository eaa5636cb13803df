// One device: its apps, what waits, its Live Activities, its inbox, and the screen as it looks now.
import { h, fill, pictured, strange } from '../lib/dom.js';
import { glyph } from '../lib/glyphs.js';
import { ask } from '../lib/ask.js';
import { menu } from '../lib/menu.js';
import { copyText } from '../lib/copy.js';
import { Phone } from '../lib/phone.js';
import { attempt, field, formDialog, reading, select, sentences, table, toggle } from '../lib/parts.js';

const mostOfInbox = 50;

export function mount(root, context) {
  const { api, router, words, announce, isReadOnly, route } = context;
  const name = route.id;
  const path = `/devices/${encodeURIComponent(name)}`;
  const said = h('p', { class: 'mistake', role: 'alert' });
  let last = '';
  const reader = reading(context, (digest) => digest.devices || digest.received || digest.changed?.length || digest.clock, read);

  async function read() {
    try {
      const [device, inbox, stored, activities, { channels }] = await Promise.all(
        [path, `${path}/inbox?limit=1000`, `${path}/stored`, `${path}/activities`,
          '/channels?limit=1000'].map((one) => api.get(one)));
      const text = JSON.stringify([device, inbox, stored, activities, channels]);
      if (text === last) return;
      last = text;
      const topics = device.apps.map((app) => app.topic);
      draw(device, inbox.notifications.reverse(), stored.notifications, activities,
        channels.filter((one) => topics.includes(one.topic)));
    } catch (error) {
      if (last) return;
      fill(root, h('h1', null, error.status === 404 ? `There is no device ${words.shortDevice(name)}` : 'It could not be read'),
        h('p', { class: 'why' }, sentences(error.message, error.hint)));
    }
  }

  function draw(device, inbox, stored, { activities, ignored }, channels) {
    const { online, apps, languages, connection } = device;
    fill(root,
      h('p', { class: 'ids' }, h('span', { class: 'mono strong' }, strange(words.shortDevice(name))),
        h('span', null, words.plural(apps.length, 'app')),
        languages.length > 0 && h('span', null, languages.join(', ')),
          connection && h('span', null, `connected as ${connection}`)),
      h('h1', null, glyph(online ? 'online' : 'offline', online ? 'good' : 'wait'),
        h('span', null, strange(words.shortDevice(name)), online ? ' is online' : ' is offline')),
      h('p', { class: 'why' }, online ? 'Notifications are shown as they arrive. Take the device offline to see what would wait.'
        : `The last notification of each app waits for it; ${stored.length ? words.plural(stored.length, 'does', 'do') : 'nothing does'} now.`),
      h('div', { class: 'actions' },
        !isReadOnly && toggle(online, ['Online', 'Offline'],
          () => act(() => api.send('POST', `${path}/${online ? 'offline' : 'online'}`),
          `${name} is ${online ? 'offline' : 'online'}`)),
        !isReadOnly && h('button', { class: 'button', onclick: install }, 'Install an app…'),
        apps.length > 0 && menu('Copy token',
          apps.map((app) => ({ word: app.topic, beside: app.environment,
          run: async () => { await copyText(app.token); announce(`Copied: the token of ${app.topic}`, { now: true }); } }))),
        !isReadOnly && h('a', { class: 'button',
          href: router.to(`/send?to=${encodeURIComponent(name)}`) }, 'Send to it…'),
        !isReadOnly && h('button', { class: 'button plain danger', onclick: remove }, 'Remove…')), said,
      h('div', { class: 'halves' },
        h('div', { class: 'half' }, appsSection(apps, stored), (activities.length > 0 || ignored.length > 0)
          && activitySection(activities, ignored),
          channels.length > 0 && channelSection(channels), inboxSection(inbox)),
        h('aside', { class: 'shown', 'aria-label': 'Shown' }, screen(inbox, apps))));
  }

  function appsSection(apps, stored) {
    return h('section', null, h('h2', null, 'Apps'), table(['App', 'Token', 'Badge', 'Waiting', ''], apps.map((app) => {
      const waiting = stored.find((one) => one.topic === app.topic && one.environment === app.environment);
      return [
        [h('strong', null, strange(app.topic)), h('div', { class: 'aside' },
          `${app.environment}, ${app.installed ? 'since' : 'removed;'} ${words.clock(app.registeredAt)}`)],
        h('span', { class: 'mono', title: app.token }, words.shortToken(app.token)),
        app.badge,
        waiting ? [h('a', { href: router.to(`/notifications/${waiting.id}`) }, waiting.id),
          h('div', { class: 'aside' }, `until ${waiting.until.slice(0, 16).replace('T', ' ')}`)]
          : h('span', { class: 'aside' }, 'nothing'),
        !isReadOnly && [app.installed && h('button',
          { class: 'link', onclick: () => act(() => api.send('POST', `${path}/rotate`,
          { topic: app.topic, environment: app.environment }), `${app.topic} on ${name} has another token`) },
            'New token'), ' ', h('button',
          { class: 'link', onclick: () => act(() => api.send('POST', `${path}/${app.installed ? 'uninstall' : 'install'}`,
          { topic: app.topic, environment: app.environment }),
            `${app.topic} ${app.installed ? 'removed from' : 'installed on'} ${name}`) },
            app.installed ? 'Uninstall' : 'Install again')],
      ];
    })));
  }

  function activitySection(activities, ignored) {
    const running = activities.filter((one) => one.state === 'active').length;
    return h('section', null, h('h2', null, 'Live Activities', h('span', { class: 'beside' }, `${running} running`)),
      activities.map((one) => h('div', { class: 'box' },
        h('p', null, h('strong', null, strange(one.attributesType ?? 'of a type not seen')), ' ',
          h('span', { class: 'aside' }, strange(one.topic)), ' ',
          h('span', { class: one.state === 'active' ? 'good' : 'warn' }, one.state)),
        h('p', { class: 'second' },
          `${words.plural(one.updates, 'update')} since ${words.clock(one.startedAt)}, the last at ${words.clock(one.updatedAt)}`,
          one.staleDate && `; stale from ${words.clock(one.staleDate)}`),
        one.contentState && h('pre', null, pictured(JSON.stringify(one.contentState, null, 2), { lines: true })))),
      ignored.map((one) => h('p', { class: 'hint' }, h('b', null, words.clock(one.time)), ' ',
        h('a', { href: router.to(`/notifications/${one.notification}`) }, one.notification),
        ' changed nothing: ', strange(one.reason))));
  }

  // The broadcast channels of its apps, and whether it is subscribed.
  function channelSection(channels) {
    return h('section', null, h('h2', null, 'Channels'), table(['Channel', 'App', 'Published', ''], channels.map((one) => {
      const isIn = one.subscribers.includes(name);
      const body = { channel: one.id, topic: one.topic, environment: one.environment };
      return [h('code', null, one.id), strange(one.topic),
        `${words.count(one.published)}, ${one.stored ? `${one.stored} waits` : 'nothing waits'}`,
        isReadOnly ? (isIn ? 'subscribed' : '') : toggle(isIn, ['Subscribed', 'Not subscribed'],
          () => act(() => api.send('POST', `${path}/${isIn ? 'unsubscribe' : 'subscribe'}`, body),
            `${name} is ${isIn ? 'no longer ' : ''}subscribed`))];
    })));
  }

  function inboxSection(inbox) {
    return h('section', null,
      h('h2', null, 'Inbox', h('span', { class: 'beside' }, inbox.length
      ? `newest first, ${words.count(inbox.length)}${inbox.length >= 1000 ? ' and more' : ''}` : '')),
      inbox.length ? table(['Time', 'What it shows', 'App'], inbox.slice(0, mostOfInbox).map((one) => [
        h('a', { class: 'mono', href: router.to(`/notifications/${one.id}`) }, words.clock(one.time, { milliseconds: true })),
        one.presentation?.alert ? [h('strong', null, strange(one.presentation.alert.title ?? '')),
          h('div', null, strange(one.presentation.alert.text ?? '')),
          one.hiddenBy && h('div', { class: 'aside' }, `replaced on the screen by ${one.hiddenBy}`)]
          : h('i', { class: 'aside' }, one.presentation ? 'shows nothing' : 'could not be read'),
        strange(words.middle(one.topic, 24)),
      ])) : h('p', { class: 'aside' }, 'Nothing was delivered to it yet.'));
  }

  // The screen with the newest notification that shows something. With an app goes what it showed.
  function screen(all, apps) {
    const isThere = (one) => apps.every((app) => app.installed || app.environment !== one.environment
      || (one.topic !== app.topic && !one.topic.startsWith(`${app.topic}.push-type.`)));
    const inbox = all.filter(isThere);
    const newest = inbox.find((one) => one.presentation?.alert && !one.hiddenBy) ?? inbox[0];
    const phone = new Phone({
      presentation: newest?.presentation ?? null, payload: newest?.payload ?? null,
        topic: newest?.topic ?? apps.find((app) => app.installed)?.topic ?? 'app', at: newest?.time ?? new Date().toISOString(),
      badgeBefore: apps.find((app) => app.topic === newest?.topic)?.badge, state: 'seen', why: '',
    });
    return [h('h2', null, 'Its screen'), h('div', { class: 'picture' }, phone.draw('lock')),
      !newest && h('p', { class: 'aside' }, 'Nothing on it yet.')];
  }

  async function act(run, done) {
    if (await attempt(run, said)) announce(done, { now: true });
    await reader.again();
  }

  function install() {
    formDialog(`Install an app on ${name}`, [
      field('App', h('input', { name: 'topic', required: true, autocomplete: 'off', placeholder: 'com.example.app' }),
        'its bundle ID'),
      field('Environment', select('environment', ['production', 'sandbox'], 'production')),
    ], 'Install', async (values) => { await api.send('POST', `${path}/install`, values); await reader.again(); });
  }

  async function remove() {
    if (!await ask(`Remove ${words.shortDevice(name)}?`,
      'Its inbox and what is stored for it go with it. Notifications stay in the list.', 'Remove', 'Keep')) return;
    if (await attempt(() => api.send('DELETE', path), said)) router.go('/devices');
  }

  return { leave: reader.leave };
}
