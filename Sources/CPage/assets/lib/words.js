// The page's words: the exact one for each outcome, a notification in one line, times, counts.
import { h, strange } from './dom.js';
import { closed, refusal } from './statuses.js';

// Of an outcome: its glyph, its tone (good, wait, quiet, warn, bad) and the word.
const outcomes = {
  delivered: ['good', 'Delivered'],
  stored: ['wait', 'Stored'],
  replaced: ['quiet', 'Replaced by a newer one'],
  expired: ['quiet', 'Expired in store'],
  notStored: ['quiet', 'Not stored, expiry 0'],
  refused: ['warn', 'App removed'],
  dropped: ['warn', 'Dropped by device'],
  rejected: ['bad', 'Rejected'],
  discarded: ['bad', 'Discarded unread'],
  performed: ['good', 'Performed'],
};

// { glyph, tone, word } of a notification as the list has it.
export function outcome(notification) {
  const [tone, word] = outcomes[notification.outcome] ?? ['quiet', notification.outcome];
  const found = { glyph: notification.outcome, tone, word };
  if (notification.outcome === 'rejected') found.word = rejection(notification);
  if (notification.outcome === 'replaced') {
    const by = notification.explain?.map(({ detail }) => /^replaced by (n\d+)/.exec(detail ?? '')?.[1]).find(Boolean);
    if (by) found.word = `Replaced by ${by}`;
  }
  const ignored = notification.outcome === 'delivered' && notification.explain?.find(({ check, ok }) => check === 'activity' && !ok);
  if (ignored) return { glyph: 'dropped', tone: 'warn', word: /^would not decode/.test(ignored.detail) ? 'Would not decode' : 'Changed nothing' };
  if (notification.interface === 'http2' && notification.status === null) {
    const word = unanswered(notification);
    if (word) return { glyph: 'unanswered', tone: 'bad', word };
  }
  return found;
}

// A key of a digest's `outcomes`: `delivered`, `rejected:410 Unregistered`, `rejected` for one without an answer.
export function outcomeKey(key) {
  const [name, ...reason] = key.split(':');
  const [tone, usual] = outcomes[name] ?? ['quiet', name];
  const word = name === 'rejected' ? capital(closed) : usual;
  return { name, glyph: name, tone, word: reason.length ? reason.join(':') : word };
}

// Of a request that never got an answer.
function unanswered({ outcome: what, explain = [] }) {
  const detail = explain.find((check) => check.check === 'discard' || check.check === 'rule')?.detail ?? '';
  if (what === 'delivered') return 'Delivered, unanswered';
  if (what === 'discarded') return detail.includes('GOAWAY') ? 'Unanswered: GOAWAY' : 'Unanswered';
  if (what === 'rejected') return detail.includes('resets the stream') ? 'Unanswered: reset' : 'Unanswered: by a fault';
  return null;
}

// `closed` → `Closed`.
export function capital(text) { return text.charAt(0).toUpperCase() + text.slice(1); }

function rejection({ interface: by, status, reason }) {
  if (by === 'http2') return `${status ?? ''} ${reason ?? ''}`.trim() || 'Rejected';
  return capital(refusal(status));
}

// Its text in pieces: { title, body } as strings, or { aside } for one without text. Localised text is resolved by
// the device; here is its key.
export function content(notification) {
  const aps = notification.payload?.aps;
  if (notification.payload === null && notification.payloadSize && notification.payloadBase64 === '') return { aside: 'the payload was not read' };
  if (notification.payload === null) return { aside: notification.payloadSize ? 'the payload is not JSON' : 'no payload' };
  if (aps === undefined) return { aside: notification.payload?.mdm ? 'MDM: asks the device to call its server' : 'no aps: nothing to show' };
  if (aps === null || typeof aps !== 'object' || Array.isArray(aps)) return { aside: 'aps is not a dictionary' };
  const activity = aps['content-state'] !== undefined || aps.event !== undefined;
  const alert = aps.alert;
  if (activity && (notification.pushType === 'liveactivity' || !alert)) {
    return { aside: `Live Activity: ${typeof aps.event === 'string' ? aps.event : 'update'}`, body: alertText(alert).title };
  }
  if (typeof alert === 'string' && alert) return { body: alert };
  const said = alertText(alert);
  if (said.title || said.body) return said;
  const rest = [];
  if (aps.badge !== undefined) rest.push(`badge ${JSON.stringify(aps.badge)}`);
  if (aps.sound !== undefined) rest.push('a sound');
  if (rest.length) return { aside: `no text: ${rest.join(' and ')}` };
  return { aside: aps['content-available'] ? 'shows nothing: background refresh' : 'shows nothing' };
}

function alertText(alert) {
  if (alert === null || typeof alert !== 'object') return {};
  const text = (key, localised) => (typeof alert[key] === 'string' && alert[key])
    || (typeof alert[localised] === 'string' && alert[localised]) || '';
  const subtitle = text('subtitle', 'subtitle-loc-key');
  const body = [subtitle, text('body', 'loc-key')].filter(Boolean).join(' ');
  return { title: text('title', 'title-loc-key'), body };
}

export function contentText(notification) {
  const { title, body, aside } = content(notification);
  return [title, body, aside].filter(Boolean).join(' ');
}

export function contentNodes(notification) {
  const { title, body, aside } = content(notification);
  return [
    title && strange(title, { class: 'title' }), title && ' ',
    aside && h('i', null, aside), aside && body && ' ', body && strange(body),
  ];
}

// The way in which it was sent: `H2 alert`, `Command 1`.
export function sentAs(notification) {
  return notification.interface === 'http2' ? `H2 ${notification.pushType ?? ''}`.trim() : `Command ${notification.command}`;
}

// A name, or a token as its first and last two bytes.
export function shortDevice(name) {
  return name && /^[0-9a-f]{40,}$/i.test(name) ? shortToken(name) : name ?? '';
}

// The text that a path has in place of a token is shown as it came.
export function shortToken(token) {
  if (!/^([0-9a-f]{2})*$/i.test(token)) return middle(token);
  const bytes = token.match(/../g) ?? [];
  return bytes.length < 6 ? bytes.join(' ') : `${bytes[0]} ${bytes[1]} … ${bytes.at(-2)} ${bytes.at(-1)}`;
}

// Text longer than `most` loses its middle, never its end.
export function middle(text, most = 28) {
  if (text.length <= most) return text;
  const half = Math.floor((most - 1) / 2);
  return `${text.slice(0, most - 1 - half)}…${text.slice(-half)}`;
}

// Times are the simulator's, in UTC, as in the journal.
export function clock(time, { milliseconds = false } = {}) { return time.slice(11, milliseconds ? 23 : 19); }

export function date(time) {
  return new Date(time).toLocaleDateString('en-GB', {
    weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC',
  });
}

// `1 Jun 2012`: beside a time whose day one would not know.
export function day(time) {
  return new Date(time).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
}

// Whether that is today where the page is looked at.
export function isToday(time) { return time.slice(0, 10) === new Date().toISOString().slice(0, 10); }

export function fullTime(time) { return `${time.replace('T', ' ').replace('Z', '')} UTC, simulated`; }

export function count(number) { return number.toLocaleString('en-US'); }

export function plural(number, one, many = one + 's') { return `${count(number)} ${number === 1 ? one : many}`; }

// 4000 → `4 s`, 2040000 → `34 min`; at most two units.
export function duration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const units = [[86400, 'day'], [3600, 'h'], [60, 'min'], [1, 's']];
  const first = units.findIndex(([size]) => seconds >= size);
  return units.slice(first, first + 2).map(([size, name], i) => {
    const n = Math.floor((i ? seconds % units[first][0] : seconds) / size);
    return n ? `${n} ${name === 'day' && n !== 1 ? 'days' : name}` : '';
  }).filter(Boolean).join(' ');
}

export function bytes(number) { return plural(number, 'byte'); }
