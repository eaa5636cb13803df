// The entry: the frame around the panes, and what is the same for all of them.
import { h, fill, say } from './lib/dom.js';
import { API } from './lib/api.js';
import { Live } from './lib/live.js';
import { Router } from './lib/router.js';
import { glyph, logo } from './lib/glyphs.js';
import { askForToken, token } from './lib/token.js';
import * as words from './lib/words.js';

// What is built: a pane's module, its word and group in the navigation. Without a group it is reached by links.
const panes = {
  notifications: { load: () => import('./panes/notifications.js'), word: 'Notifications', group: 'Watch', path: '/' },
  connections: { load: () => import('./panes/connections.js'), word: 'Connections', group: 'Watch', path: '/connections' },
};
// The pane of the one that is chosen, beside its list.
const details = {
  notification: () => import('./panes/notification.js'),
  connection: () => import('./panes/story.js'),
};

const isReadOnly = document.documentElement.dataset.page === 'read-only';
const main = document.querySelector('main');
const listRegion = h('section', { class: 'list' });
const detailRegion = h('section', { class: 'detail', hidden: true });
const stateLine = h('footer', { class: 'state' });
main.append(listRegion, detailRegion);
main.after(stateLine);

const top = { live: h('span', { class: 'chip live' }) };
fill(document.querySelector('header.top'),
  h('a', { class: 'mark', href: '/' }, logo(), 'apnsim'), h('span', { class: 'grow' }), top.live);

let context;
let listPane = {};
let detailPane = {};

const router = new Router(show);
router.read();

// Shows what an address names. The list stays as it is while only the one that is chosen changes.
async function show(route) {
  if (!context || context.route.sandbox !== route.sandbox) enter(route);
  context.route = route;
  const name = panes[route.pane] ? route.pane : 'notifications';
  drawNavigation(name);
  if (listPane.name !== name) {
    await leave('list');
    listPane = { name };
    fill(listRegion);
    const module = await panes[name].load();
    if (listPane.name !== name) return;
    listRegion.className = `list ${name}`;
    Object.assign(listPane, module.mount(listRegion, context));
  } else {
    listPane.update?.(route);
  }
  const key = route.detail && details[route.detail] ? `${route.detail} ${route.id}` : null;
  if (detailPane.key !== key) {
    leave('detail');
    detailPane = { key };
    fill(detailRegion);
    detailRegion.hidden = !key;
    main.classList.toggle('two', Boolean(key));
    if (key) {
      const module = await details[route.detail]();
      if (detailPane.key !== key) return;
      detailRegion.className = `detail ${route.detail}`;
      Object.assign(detailPane, module.mount(detailRegion, { ...context, list: listPane }));
    }
  } else {
    detailPane.update?.(route);
  }
}

function leave(which) {
  const pane = which === 'list' ? listPane : detailPane;
  pane.leave?.();
}

// Another sandbox is another simulator: everything is read anew.
function enter(route) {
  context?.live.stop();
  leave('detail');
  leave('list');
  listPane = {};
  detailPane = {};
  const base = route.sandbox ? `/api/v1/sandboxes/${encodeURIComponent(route.sandbox)}` : '/api/v1';
  const api = new API(base, token, askForToken);
  const live = new Live(api);
  live.listen(drawLive);
  context = { api, live, router, route, announce, isReadOnly, words, state: setState, panes: Object.keys(panes) };
  live.start();
}

function drawNavigation(current) {
  const groups = Map.groupBy(Object.entries(panes).filter(([, pane]) => pane.group), ([, pane]) => pane.group);
  fill(document.querySelector('nav.panes'), [...groups].map(([group, entries]) => [
    h('h2', null, group),
    entries.map(([name, pane]) => h('a', {
      href: router.to(pane.path), 'aria-current': name === current ? 'page' : null,
    }, pane.word)),
  ]));
}

function drawLive() {
  const { live } = context;
  top.live.classList.toggle('lost', !live.isConnected);
  fill(top.live, h('span', { class: 'lamp', 'aria-hidden': 'true' }),
    live.isConnected ? `Live ${words.count(live.rate())}/s` : 'Disconnected');
}

function setState(...children) { fill(stateLine, children); }

// For screen readers: at most every five seconds, the last that was said.
let spokenAt = 0;
let waiting = null;
function announce(text, { now = false } = {}) {
  clearTimeout(waiting);
  const speak = () => { spokenAt = Date.now(); say(document.querySelector('.spoken'), text); };
  const rest = now ? 0 : spokenAt + 5_000 - Date.now();
  if (rest <= 0) speak();
  else waiting = setTimeout(speak, rest);
}
