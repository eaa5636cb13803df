// The list of notifications, newest first: filter, time strip, rows, and the line that says what is shown.
import { h, fill } from '../lib/dom.js';
import { query, Unreachable } from '../lib/api.js';
import { AllRows, FoundRows } from '../lib/rows.js';
import { VirtualList } from '../lib/virtual.js';
import { Filter } from '../lib/filter.js';
import { Strip } from '../lib/strip.js';
import * as places from '../lib/places.js';
import { ask } from '../lib/ask.js';
import { Following } from './following.js';
import { Row, beside } from './row.js';
import { StateLine } from './state.js';
import { mountEmpty } from './empty.js';
import { mountNothing } from './nothing.js';

export function mount(root, context) {
  const { api, live, router, words, announce, isReadOnly } = context;
  const view = { text: '', from: '', to: '', empty: null, chosen: null };
  let rows = null;
  let turn = 0;
  let stripTimer = null;

  const list = new VirtualList({
    label: 'Notifications, newest first',
    makeRow: () => new Row(context),
    onOpen: open,
    onDraw: (first, last) => beside(rows, first, last, words),
  });
  const filter = new Filter({ text: '', apply: (text) => find({ text }), complete: context.complete });
  const strip = new Strip(api, (from = '', to = '') => find({ from, to }).catch(() => {}));
  strip.element.classList.add('absent');
  const following = new Following(context, list, { isChosen: () => view.chosen !== null, drawEmpty, drawState, refreshStrip });
  const clear = h('button', { class: 'button plain', onclick: clearAll }, 'Clear…');
  const windowLine = h('p', { class: 'window-line', hidden: true });
  const body = h('div', { class: 'rows-body' },
    h('div', { class: 'row-head', 'aria-hidden': 'true' },
      ['', 'Time', 'Outcome', 'What it says', 'Device', 'App', 'Sent as'].map((word) => h('span', null, word))),
    list.element, following.pill);
  const emptyRegion = h('div', { class: 'empty', hidden: true });
  root.append(h('h1', { class: 'spoken' }, 'Notifications'), h('div', { class: 'list-head' }, filter.element, following.pause,
    !isReadOnly && clear), windowLine,
    strip.element, body, emptyRegion);
  const state = new StateLine(context);

  list.element.addEventListener('click', (event) => {
    const row = event.target.closest('[data-id]');
    if (!row || event.target.closest('a') || getSelection().toString()) return;
    open(row.dataset.id);
  });

  const off = live.listen(hear);
  const remember = () => places.keepOverReload(place());
  addEventListener('pagehide', remember);
  const clockwork = setInterval(drawState, 1000);

  const first = begin().catch(() => {});

  async function begin() {
    const { query: asked } = context.route;
    filter.set(asked.get('query') ?? '');
    try {
      await find({ text: asked.get('query') ?? '', from: asked.get('from') ?? '', to: asked.get('to') ?? '' }, { isStart: true });
    } catch (error) {
      // Without the program there is nothing to show; it begins when the stream says hello.
      if (error instanceof Unreachable) return;
      filter.tell(error);
      await find({ text: '', from: '', to: '' }, { isStart: true });
    }
    restore();
  }

  // Reads what a query and a window find, and shows it. What was shown before stays until then.
  async function find(change, { isStart = false } = {}) {
    const mine = ++turn;
    const next = { text: view.text, from: view.from, to: view.to, ...change };
    const isAll = !next.text && !next.from && !next.to;
    const found = isAll ? new AllRows(api, () => list.draw())
      : new FoundRows(api, () => { list.draw(); drawState(); }, { query: next.text, from: next.from, to: next.to });
    await found.start();
    if (mine !== turn) return;
    Object.assign(view, next);
    rows = list.source = found;
    if (!isStart) router.amend({ query: next.text, from: next.from, to: next.to });
    live.watch(next.text);
    list.activate(view.chosen, { reveal: false });
    if (!isStart) list.toTop();
    drawWindow();
    drawEmpty();
    drawState();
    list.drawNow();
    refreshStrip(0);
    if (!isStart && !isAll) announce(`${words.plural(rows.matched, 'notification')} found`, { now: true });
  }

  function hear(kind, data) {
    if (kind === 'digest') following.take(data);
    if (kind === 'hello') (rows ? hello(data) : begin()).catch(() => {});
    drawState();
  }

  async function hello(data) {
    if (data.isAnew) {
      rows.restart();
      await rows.start().catch(() => {});
      const begins = rows.count && rows.at(rows.count - 1);
      state.note(`The program was started anew; ${begins ? `its history begins at ${words.clock(begins.time)}.` : 'what it had before is not kept.'}`);
    } else if (data.wasLost) {
      state.note('Connected again. What was missed has been read.');
    }
    drawEmpty();
    list.draw();
    refreshStrip(0);
  }

  function refreshStrip(wait) {
    if (stripTimer && wait) return;
    clearTimeout(stripTimer);
    stripTimer = setTimeout(async () => {
      stripTimer = null;
      if (document.hidden || strip.cursor !== null || root.clientWidth === 0) return;
      await strip.read(view.text, { from: view.from, to: view.to }).catch(() => {});
      strip.element.classList.toggle('absent', !strip.data);
    }, wait);
  }

  async function clearAll() {
    const { kept } = await context.figures();
    const isSure = await ask(`Clear ${words.plural(kept, 'notification')}?`,
      'Waits that run keep what they have counted. Devices stay as they are.', 'Clear', 'Keep');
    if (!isSure) return;
    await api.send('DELETE', '/notifications');
    await rows.start();
    rows.past = [];
    announce(`${words.plural(kept, 'notification')} cleared`, { now: true });
    drawEmpty();
    drawState();
    list.draw();
    refreshStrip(0);
  }

  function drawWindow() {
    const has = view.from || view.to;
    windowLine.hidden = !has;
    if (has) {
      fill(windowLine, `From ${view.from ? words.clock(view.from) : 'the start'} to ${view.to ? words.clock(view.to) : 'now'} `,
        h('button', { class: 'link', onclick: () => { strip.giveUp(); if (view.from || view.to) find({ from: '', to: '' }).catch(() => {}); } },
          'Show all of the time'));
    }
  }

  // Nothing there at all: what to do. Nothing found: what comes nearest.
  function drawEmpty() {
    const isEmpty = rows && !rows.length && !rows.held;
    const isFiltered = view.text || view.from || view.to;
    emptyRegion.hidden = !isEmpty;
    body.hidden = Boolean(isEmpty);
    strip.element.hidden = Boolean(isEmpty && !isFiltered);
    clear.hidden = Boolean(isEmpty && !isFiltered);
    if (!isEmpty) { view.empty?.leave(); view.empty = null; return; }
    const kind = isFiltered ? `none of ${view.text} ${view.from} ${view.to}` : 'empty';
    if (view.empty?.kind === kind) return;
    view.empty?.leave();
    fill(emptyRegion);
    const pane = isFiltered ? mountNothing(emptyRegion, context, { text: view.text, kept: rows.kept }, showAll)
      : mountEmpty(emptyRegion, context);
    view.empty = { kind, ...pane };
  }

  function showAll() {
    filter.set('');
    strip.chosen = {};
    find({ text: '', from: '', to: '' }).catch(() => {});
  }

  function drawState() { if (!document.hidden) state.draw({ rows, view, following }); }

  // Choosing pushes one entry into the history, moving on replaces it.
  function open(id) {
    router.go(`/notifications/${id}${location.search}`, { replace: view.chosen !== null });
  }

  function choose(id) {
    view.chosen = id;
    list.activate(id);
  }

  function step(by) {
    const id = list.step(by);
    if (!id) return;
    if (view.chosen !== null) open(id);
    else list.element.focus({ preventScroll: true });
  }

  // The refusal before or after the row that is meant.
  async function refusal(isBefore) {
    const from = list.active ?? rows.id(0);
    if (!from) return;
    const asked = [view.text, 'outcome:rejected'].filter(Boolean).join(' ');
    const found = await api.get('/notifications' + query(isBefore
      ? { order: 'newest', before: from, limit: 1, query: asked } : { after: from, limit: 1, query: asked }));
    const [item] = found.notifications;
    if (!item) { announce(`No refusal ${isBefore ? 'before' : 'after'} ${from}`, { now: true }); return; }
    rows.keep?.(item);
    if (view.chosen !== null) open(item.id);
    else { list.activate(item.id); list.element.focus({ preventScroll: true }); }
  }

  function place() { return { top: list.top, id: rows?.id(Math.floor(list.top / (list.height || 32))), active: list.active }; }

  function restore() {
    const kept = places.recall(context.route.sandbox);
    if (!kept?.id || kept.top < 1) return;
    const index = rows.indexOf(kept.id);
    if (index >= 0) { list.measure(); list.element.scrollTop = index * list.height + kept.top % list.height; }
  }

  function update(route) {
    choose(route.id ?? null);
    if (!route.id) {
      // Back from a notification: the list is where it was.
      const asked = { text: route.query.get('query') ?? '', from: route.query.get('from') ?? '',
        to: route.query.get('to') ?? '' };
      if (asked.text !== view.text || asked.from !== view.from || asked.to !== view.to) {
        filter.set(asked.text);
        find(asked, { isStart: true }).catch((error) => filter.tell(error));
      }
      following.drawPill();
    }
  }
  first.then(() => { if (context.route.id) choose(context.route.id); });

  return {
    update,
    ready: first,
    // For the pane beside: where the chosen one is, and its neighbours.
    step,
    position: (id) => ({ index: rows?.indexOf(id) ?? -1, of: rows?.length ?? 0 }),
    keys: {
      '/': ['Filter', () => filter.field.focus()],
      ...context.isRecording ? {} : { p: ['Pause, go on', () => following.togglePause()] },
      j: ['The row below', () => step(1)],
      k: ['The row above', () => step(-1)],
      '[': ['The refusal before', () => refusal(true)],
      ']': ['The refusal after', () => refusal(false)],
      Home: ['The newest', () => { following.release(); list.activate(null); }],
      Escape: [null, () => { if (view.from || view.to) { strip.giveUp(); } else list.activate(null); }],
    },
    leave() {
      places.keep(context.route.sandbox, place());
      removeEventListener('pagehide', remember);
      clearInterval(clockwork);
      clearTimeout(stripTimer);
      following.leave();
      view.empty?.leave();
      list.leave();
      off();
    },
  };
}
