// The entry: which pane is shown, and what all of them are given.
import { h, fill } from './lib/dom.js';
import { API, Unreachable, query } from './lib/api.js';
import { Live } from './lib/live.js';
import { Router } from './lib/router.js';
import { sheets } from './lib/sheets.js';
import { readFigures } from './lib/figures.js';
import { askForToken, token } from './lib/token.js';
import * as words from './lib/words.js';
import { Frame, makeAnnouncer } from './frame.js';
import { Keys } from './keys.js';

// The panes. `steers`: left out of a read-only page. `sheets`: those that it needs beside the shell's.
const panes = {
  notifications: { load: () => import('./panes/notifications.js'), word: 'Notifications', group: 'Watch', path: '/', key: 'n',
    onPhone: true },
  connections: { load: () => import('./panes/connections.js'), word: 'Connections', group: 'Watch', path: '/connections',
    key: 'c', onPhone: true, sheets: ['connections'] },
  devices: { load: () => import('./panes/devices.js'), word: 'Devices', group: 'Watch', path: '/devices', key: 'd',
    onPhone: true },
  feedback: { load: () => import('./panes/feedback.js'), word: 'Feedback', group: 'Watch', path: '/feedback', key: 'f' },
  advice: { load: () => import('./panes/advice.js'), word: 'Advice', group: 'Watch', path: '/advice', key: 'a' },
  faults: { load: () => import('./panes/faults.js'), word: 'Faults', group: 'Steer', path: '/faults', key: 'x', steers: true,
    onPhone: true, sheets: ['steer'] },
  scenario: { load: () => import('./panes/scenario.js'), word: 'Scenario', group: 'Steer', path: '/scenario', key: 's',
    steers: true, sheets: ['steer'] },
  clock: { load: () => import('./panes/clock.js'), word: 'Clock', group: 'Steer', path: '/clock', key: 't', steers: true,
    sheets: ['steer'] },
  send: { load: () => import('./panes/send.js'), word: 'Send', path: '/send', steers: true,
    sheets: ['steer', 'detail', 'phone'] },
  capture: { load: () => import('./panes/capture.js'), word: 'Capture', group: 'Keep', path: '/capture', key: 'k' },
  sandboxes: { load: () => import('./panes/sandboxes.js'), word: 'Sandboxes', group: 'Keep', path: '/sandboxes', key: 'b',
    steers: true, isGlobal: true },
};
// The pane of the one that is chosen, beside its list.
const details = {
  notification: { load: () => import('./panes/notification.js'), sheets: ['detail', 'hex', 'phone'] },
  connection: { load: () => import('./panes/story.js'), sheets: ['connections', 'detail'] },
  device: { load: () => import('./panes/device.js'), sheets: ['detail', 'phone'] },
};

const isReadOnly = document.documentElement.dataset.page === 'read-only';
const main = document.querySelector('main');
const listRegion = h('section', { class: 'list' });
const detailBar = h('div', { class: 'detail-bar' });
const detailRegion = h('div', { class: 'detail' });
const beside = h('section', { class: 'beside-list', hidden: true }, detailBar, detailRegion);
main.append(listRegion, beside);

const announce = makeAnnouncer(document.querySelector('.spoken'));
const frame = new Frame({ panes, isReadOnly });
frame.onKeys = () => keys.open();
frame.onLive = () => (context.live.lostAt ? context.live.retry() : listPane.keys?.p?.[1]());

let context;
let listPane = {};
let detailPane = {};

const router = new Router(show);
const keys = new Keys({
  all: () => [['Here', { ...detailPane.key ? { Escape: ['Close', close] } : {}, ...marked(), ...detailPane.keys }],
    ['List', listPane.keys], ['Everywhere', isReadOnly ? {} : { n: ['Send', () => router.go('/send')] }]],
  places: () => Object.fromEntries(Object.values(panes).filter((pane) => pane.key
    && !(isReadOnly && pane.steers)).map((pane) => [pane.key, [pane.word, pane.path]])),
  go: (path) => router.go(path),
  changeScheme,
});
changeScheme(localStorage.getItem('scheme') ?? 'system');
// The shell carries no data; where the server wants its token, nothing is asked before it is there.
if (document.documentElement.dataset.token === 'yes' && !token.value) await askForToken();
// A recording has no ports, and nothing happens in it but that it is read.
frame.isRecording = document.documentElement.dataset.recording === 'yes';
router.read();
if (frame.isRecording) {
  import('./lib/recording.js').then(({ follow }) => follow(context.api, frame, () => {
    refresh({ clock: true, faults: true, figures: true });
    readAdvice();
  }));
}

// A link to give away: the newest that matches, whichever that is.
async function latest(route) {
  const asked = route.query.get('query');
  const { notifications: [newest] } = await context.api.get('/notifications' + query({ order: 'newest', limit: 1,
    query: asked })).catch(() => ({ notifications: [] }));
  if (context.route !== route) return;
  router.go(newest ? `/notifications/${newest.id}` : `/${query({ query: asked })}`, { replace: true });
}

// The keys that the pane beside the list has on its buttons, and those of its parts.
function marked() {
  const found = {};
  for (const button of detailRegion.querySelectorAll('[data-key]')) {
    found[button.dataset.key] = [button.firstChild.textContent.replace('…', ''), () => button.click()];
  }
  ['judged', 'sent', 'shown'].forEach((id, i) => {
    const part = detailRegion.querySelector(`#${id}`);
    if (part) found[i + 1] = [part.firstChild.textContent,
      () => { part.scrollIntoView({ block: 'start' }); part.focus({ preventScroll: true }); }];
  });
  return found;
}

function changeScheme(scheme) {
  localStorage.setItem('scheme', scheme);
  if (scheme === 'system') delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = scheme;
}

// Shows what an address names. The list stays as it is while only the one that is chosen changes.
async function show(route) {
  if (!context || context.route.sandbox !== route.sandbox) enter(route);
  context.route = route;
  if (route.pane === 'latest') { latest(route); return; }
  const isThere = isReadOnly && panes[route.pane]?.steers ? null : panes[route.pane];
  if (!isThere && route.pane !== 'notifications') { router.go('/', { replace: true }); return; }
  const name = route.pane;
  frame.draw(context, name);
  document.title = `${route.id ?? panes[name].word} · apnsim`;
  const key = route.detail && details[route.detail] ? `${route.detail} ${route.id}` : null;
  if (detailPane.key !== key) {
    detailPane.leave?.();
    detailPane = { key };
    fill(detailRegion);
    beside.hidden = !key;
    main.classList.toggle('two', Boolean(key));
  }
  if (listPane.name !== name) {
    listPane.leave?.();
    const pane = listPane = { name };
    fill(listRegion);
    frame.setState([]);
    pane.mounted = read(panes[name]).then((module) => {
      if (listPane !== pane) return;
      listRegion.className = `list in-${name}`;
      Object.assign(pane, module.mount(listRegion, context));
    });
    pane.mounted.catch(() => { if (listPane === pane) listPane = {}; });
    await pane.mounted;
  } else {
    await listPane.mounted;
    if (context.route === route) listPane.update?.(route);
  }
  // Another address may have been called while modules were read.
  if (!key || context.route !== route) return;
  drawBar(route);
  listPane.ready?.then(() => { if (context.route === route) drawBar(route); });
  if (detailPane.isMounted) { detailPane.update?.(route); return; }
  const pane = detailPane;
  pane.isMounted = true;
  const module = await read(details[route.detail]);
  if (detailPane !== pane) return;
  detailRegion.className = `detail ${route.detail}`;
  beside.scrollTop = 0;
  Object.assign(pane, module.mount(detailRegion, { ...context, list: listPane, close }));
}

// The module of a pane, once its sheets are there.
async function read({ load, sheets: names = [] }) {
  const [module] = await Promise.all([load(), sheets(names)]);
  return module;
}

// The place of the chosen one in its list, and the way back.
function drawBar(route) {
  const { index, of } = listPane.position?.(route.id) ?? { index: -1 };
  const key = (name, word, run) => h('button', { class: 'link', title: word, 'aria-label': word, onclick: run },
    h('kbd', null, name));
  fill(detailBar, h('button', { class: 'link back', onclick: close }, `‹ ${panes[route.pane].word}`),
    h('span', { class: 'grow' }),
    index >= 0 && h('span', { class: 'aside number' }, `${words.count(index + 1)} of ${words.count(of)}`),
    listPane.step && [key('k', 'The one above', () => listPane.step(-1)), key('j', 'The one below', () => listPane.step(1))],
    h('button', { class: 'link close', onclick: close }, 'Close ', h('kbd', { 'aria-hidden': 'true' }, 'Esc')));
}

// Back to the list, at its place.
function close() {
  const { pane } = context.route;
  router.go(panes[pane].path + location.search);
}

// Another sandbox is another simulator: everything is read anew.
function enter(route) {
  context?.live.stop();
  detailPane.leave?.();
  listPane.leave?.();
  listPane = {};
  detailPane = {};
  const base = route.sandbox ? `/api/v1/sandboxes/${encodeURIComponent(route.sandbox)}` : '/api/v1';
  const api = new API(base, token, askForToken);
  const live = new Live(api);
  const latest = { figures: null, faults: [], clock: null };
  context = {
    api, live, router, route, announce, isReadOnly, words, latest,
    state: (...children) => frame.setState(children),
    setPaused: (isPaused) => frame.setPaused(isPaused),
    complete: (text, at) => api.get('/queries/complete' + query({ text, at })),
    figures: async () => {
      latest.figures = await readFigures(api);
      frame.beside(latest.figures);
      return latest.figures;
    },
    endpoints: () => (frame.isRecording ? Promise.reject(new Unreachable()) : readEndpoints(route, api)),
    get isRecording() { return frame.isRecording; },
    get isReading() { return Boolean(frame.reading); },
    refresh,
  };
  live.listen(hear);
  live.start();
  // A recording has no ports.
  if (!isReadOnly) readEndpoints(route, api).then((ends) => frame.showEndpoints(ends, ends.seed)).catch(() => {});
}

async function readEndpoints(route, api) {
  if (route.sandbox) return api.get(`/api/v1/sandboxes/${encodeURIComponent(route.sandbox)}`);
  const response = await fetch('/readyz', { headers: token.value ? { authorization: `Bearer ${token.value}` } : {} });
  return (await response.json()).endpoints;
}

function hear(kind, data) {
  if (kind === 'hello') refresh({ clock: true, faults: true, figures: true });
  if (kind === 'digest') refresh({ clock: data.clock, faults: data.faults, figures: true });
  adviceTimer ??= setTimeout(readAdvice, kind === 'hello' ? 500 : 10_000);
  frame.drawLive();
}

let adviceTimer = null;
function readAdvice() {
  adviceTimer = null;
  context.api.get('/advice').then(({ advice }) => frame.showAdvice(advice)).catch(() => {});
}

// Reads again what the frame shows; the figures at most once a second.
let figuresTimer = null;
function refresh({ clock, faults, figures }) {
  const { api, latest } = context;
  if (clock) api.get('/clock').then((read) => { latest.clock = read; frame.showClock(read); }).catch(() => {});
  if (faults) api.get('/faults').then((read) => { latest.faults = read.faults; frame.showFaults(read.faults); }).catch(() => {});
  if (figures && !document.hidden) {
    figuresTimer ??= setTimeout(() => { figuresTimer = null; context.figures().catch(() => {}); }, latest.figures ? 1_000 : 0);
  }
}
document.addEventListener('visibilitychange',
  () => { if (!document.hidden) refresh({ clock: true, faults: true, figures: true }); });
