// The simulated time, what is ahead, and what would happen on the way to another time.
import { h, fill, say, strange } from '../lib/dom.js';
import { glyph } from '../lib/glyphs.js';
import { attempt, field, formDialog, reading, table } from '../lib/parts.js';

const steps = [['1 min', '1m'], ['10 min', '10m'], ['1 h', '1h'], ['1 day', '1d'], ['28 days', '28d']];
const lanes = [['Stored', ['stored', 'magic']], ['Timeline', ['timeline']], ['Faults', ['fault']],
  ['Devices', ['token', 'activity']], ['Feedback', ['feedback']]];
const shapes = { stored: 'stored', magic: 'stored', timeline: 'square', fault: 'dropped', token: 'offline', activity: 'square',
  feedback: 'refused' };
const tones = { stored: 'wait', magic: 'wait', timeline: 'accent', fault: 'warn', token: 'wait', activity: 'wait',
  feedback: 'warn' };
const minute = 60_000;
const ticks = [['1 min', minute], ['10 min', 10 * minute], ['1 h', 60 * minute], ['6 h', 360 * minute], ['1 day', 1440 * minute],
  ['7 days', 10_080 * minute], ['28 days', 40_320 * minute]];

// A place on the axis, 0 to 1: near times have more room than far ones.
const place = (past, reach) => Math.log1p(Math.max(0, past) / minute) / Math.log1p(reach / minute);
const pastAt = (share, reach) => (Math.exp(share * Math.log1p(reach / minute)) - 1) * minute;

export function mount(root, context) {
  const { api, words, router, isReadOnly, announce } = context;
  let clock = null;
  let readAt = 0;
  let target = null;
  let isDragging = false;
  let handle = null;
  let plot = null;
  let reach = 60 * minute;
  let wait = null;
  const time = h('div', { class: 'big-time' });
  const day = h('div', { class: 'day' });
  const how = h('div', { class: 'second' });
  const buttons = h('div', { class: 'actions centred' });
  const said = h('p', { class: 'mistake', role: 'alert' });
  const axis = h('div', { class: 'ahead' });
  const preview = h('section', { class: 'if-moved' });
  root.append(h('div', { class: 'pad' }, h('h1', { class: 'spoken' }, 'Clock'),
    h('p', { class: 'aside' }, 'Simulated time. It drives expiry, storage, feedback, timelines and delays.'),
    day, h('div', { class: 'time-line' }, time, how), buttons, said, axis, preview));
  const reader = reading(context, (digest) => digest.clock || digest.received || digest.changed?.length || digest.devices
    || digest.faults, read);
  const ticking = setInterval(drawTime, 250);

  async function read() {
    clock = await api.get('/clock?ahead=true');
    readAt = performance.now();
    drawTime();
    drawButtons();
    if (!isDragging) drawAxis();
    context.state(h('span', { class: 'said' }, clock.running ? 'The clock runs' : 'The clock stands still until it is moved'));
  }

  function now() { return Date.parse(clock.now) + (clock.running ? performance.now() - readAt : 0); }

  function drawTime() {
    if (!clock) return;
    const iso = new Date(now()).toISOString();
    say(time, words.clock(iso));
    say(day, words.date(iso));
    say(how, `${clock.mode === 'real' ? 'Real' : 'Virtual'}, UTC${clock.moved ? `, moved by ${clock.moved}` : ''}. ${clock.running ? 'Runs by itself.' : 'Frozen. Moves only when you move it.'}`);
  }

  function drawButtons() {
    if (isReadOnly) return;
    const next = clock.ahead?.[0];
    const button = (word, run, attributes) => h('button', { class: 'button', type: 'button', ...attributes, onclick: run }, word);
    fill(buttons,
      next && button(['To the next event ', h('span', null, `+${words.duration(Date.parse(next.at) - now())}`),
        h('kbd', { 'aria-hidden': 'true' }, '.')], toNext, { class: 'button main' }),
      steps.map(([word, by]) => button(`+${word}`, () => move('/clock/advance', { by }, `Moved by ${word}`))),
      button('To…', askTime),
      clock.running ? button('Freeze', () => move('/clock/freeze', undefined, 'Frozen'), { class: 'button plain' })
        : button('Let it run', () => move('/clock/resume', undefined, 'The clock runs'), { class: 'button plain' }));
  }

  async function move(path, body, done) {
    if (!await attempt(() => api.send('POST', path, body), said)) return;
    target = null;
    fill(preview);
    announce(done, { now: true });
    context.refresh({ clock: true });
    await reader.again();
  }

  function toNext() {
    const next = clock?.ahead?.[0];
    if (!next) { announce('Nothing is ahead', { now: true }); return; }
    move('/clock/advance', { by: `${Math.max(1, Math.ceil(Date.parse(next.at) - now()))}ms` },
      `Moved to ${words.clock(next.at)}: ${next.text}`);
  }

  function askTime() {
    formDialog('Move the clock to', [
      field('Date and time, UTC',
        h('input', { name: 'to', type: 'datetime-local', step: '1', required: true,
        value: new Date(now()).toISOString().slice(0, 19) })),
    ], 'Show what would happen', async ({ to }) => choose(Date.parse(`${to}Z`)));
  }

  // The events on the way to a time; nothing moves.
  async function choose(at) {
    target = at;
    drawHandle();
    const to = new Date(at).toISOString();
    const word = day.textContent === words.date(to) ? words.clock(to) : `${words.clock(to)} on ${words.date(to)}`;
    const found = clock.ahead && await api.send('POST', '/clock/preview', { to }).catch(() => null);
    if (target !== at) return;
    const items = found?.ahead;
    fill(preview, h('h2', null, `If you move to ${word}`),
      items && (items.length ? [table(['When', 'What happens', ''], items.map(line)),
        found.more && h('p', { class: 'aside' }, 'And more, which is not looked at.')]
        : h('p', { class: 'aside' }, 'Nothing happens on the way.')),
      at < now() && h('p', { class: 'hint' }, 'That is in the past: what has happened is not undone.'),
      h('div', { class: 'actions' },
        h('button', { class: 'button main', onclick: () => move('/clock/set', { to }, `Moved to ${word}`) }, `Move to ${word}`),
        h('button', { class: 'button plain', onclick: () => { target = null; fill(preview); drawHandle(); } }, 'Cancel')));
  }

  function line(item) {
    return [h('span', { class: 'mono', title: item.at }, words.clock(item.at)),
      [glyph(shapes[item.kind] ?? 'dot', tones[item.kind]), ' ', strange(item.text)],
      [item.notification && h('a', { href: router.to(`/notifications/${item.notification}`) }, item.notification), ' ',
        item.device && h('a', { href: router.to(`/devices/${encodeURIComponent(item.device)}`) },
          strange(words.shortDevice(item.device)))]];
  }

  function drawAxis() {
    const { ahead } = clock;
    if (!ahead) return;
    if (!ahead.length) { fill(axis, h('h2', null, 'Ahead'), h('p', { class: 'aside' },
      'Nothing is due: nothing is stored, no timeline, no fault with an end.')); return; }
    const from = now();
    reach = Math.max(60 * minute, (Date.parse(ahead.at(-1).at) - from) * 1.05);
    const at = (element, past) => { element.style.left = `${place(past, reach) * 100}%`; return element; };
    // On a phone the whole axis is seen, with less room for words.
    const isNarrow = axis.clientWidth > 0 && axis.clientWidth < 640;
    handle = h('div', { class: 'handle', hidden: true });
    plot = h('div', {
      class: 'axis-plot', tabindex: '0', role: 'slider', 'aria-label': 'A time ahead', 'aria-valuemin': 0, 'aria-valuemax': 1000,
        'aria-valuenow': 0,
      onpointerdown: press, onkeydown: key,
    }, lanes.filter(([, kinds]) => ahead.some((item) => kinds.includes(item.kind))).map(([name, kinds]) => {
      let lastAt = -1;
      return h('div', { class: 'lane-row' }, h('span', { class: 'lane-name' }, name),
        h('div', { class: 'lane-line' }, ahead.filter((item) => kinds.includes(item.kind)).map((item) => {
        const share = place(Date.parse(item.at) - from, reach);
        const isNear = share - lastAt < (isNarrow ? .4 : .11);
        if (!isNear) lastAt = share;
        return at(h('span', { class: `due${share > (isNarrow ? .5 : .8) ? ' left' : ''}`, title: `${words.clock(item.at)} ${item.text}` },
          glyph(shapes[item.kind] ?? 'dot', tones[item.kind]), !isNear
          && h('span', { class: 'due-text' }, strange(words.middle(item.text, 24)))), Date.parse(item.at) - from);
      })));
    }), h('div', { class: 'axis-ticks' }, h('span', null, 'now'),
      ticks.filter(([, past]) => past <= reach).map(([word, past]) => at(h('span', null, `+${word}`), past))),
      h('div', { class: 'handle-room' }, handle));
    fill(axis, h('h2', null, 'Ahead', h('small', null, 'drag, or arrow keys; nothing moves until you say so')),
      h('div', { class: 'axis-scroll' }, plot),
      h('details', null, h('summary', null, `${words.plural(ahead.length, 'event')} as a list`),
        table(['When', 'What happens', ''], ahead.map(line))));
    drawHandle();
  }

  function drawHandle() {
    if (!handle) return;
    handle.hidden = target === null;
    if (target === null) return;
    const share = Math.min(1, place(target - now(), reach));
    handle.style.left = `${share * 100}%`;
    handle.classList.toggle('left', share > .8);
    handle.dataset.words = `+${words.duration(Math.max(0, target - now()))}`;
    plot.setAttribute('aria-valuenow', Math.round(share * 1000));
    plot.setAttribute('aria-valuetext',
      `${words.clock(new Date(target).toISOString())}, in ${words.duration(Math.max(0, target - now()))}`);
  }

  function press(event) {
    if (event.button) return;
    const box = plot.querySelector('.lane-line').getBoundingClientRect();
    const read = (one) => now() + pastAt(Math.max(0, Math.min(1, (one.clientX - box.left) / box.width)), reach);
    plot.setPointerCapture(event.pointerId);
    isDragging = true;
    target = read(event);
    drawHandle();
    const slide = (later) => { target = read(later); drawHandle(); };
    plot.addEventListener('pointermove', slide);
    const stop = () => { isDragging = false; plot.removeEventListener('pointermove', slide); choose(Math.round(target)); };
    plot.addEventListener('pointerup', stop, { once: true });
    plot.addEventListener('pointercancel', stop, { once: true });
  }

  function key(event) {
    const by = { ArrowRight: minute, ArrowUp: minute, ArrowLeft: -minute, ArrowDown: -minute, PageUp: 1440 * minute,
      PageDown: -1440 * minute }[event.key];
    if (by) {
      target = Math.max(now(), (target ?? now()) + (event.shiftKey ? by * 60 : by));
      drawHandle();
      clearTimeout(wait);
      wait = setTimeout(() => choose(target), 200);
    } else if (event.key === 'Escape' && target !== null) { target = null; fill(preview); drawHandle(); } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return { keys: isReadOnly ? {} : { '.': ['The clock to the next event', toNext] },
    leave() { clearInterval(ticking); clearTimeout(wait); reader.leave(); } };
}
