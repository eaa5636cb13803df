// A notification that is being written: what its choices are, and the body by which the control API sends it.
import { bytesOf } from '../lib/hex.js';

const example = { aps: { alert: { title: 'Order 1042 is ready', body: 'Your flat white is on the counter' }, badge: 1,
  sound: 'default' } };
const longest = 2147483647;

// `to` is undefined until it is known which devices there are; what is empty is left out of what is sent.
export function newDraft() {
  return { to: undefined, topic: 'com.example.app', environment: '', api: 'http2', command: '2', identifier: '',
    pushType: 'alert', priority: '10', expiration: '', collapseId: '', apnsId: '', note: '', text: JSON.stringify(example, null, 2) };
}

// The draft of a notification that was sent, as it was sent: its provider's omissions are left out again.
export function draftOf(n, devices) {
  const draft = { ...newDraft(), api: n.interface, topic: n.topic, environment: n.environment, isTopicChosen: true,
    ...payloadOf(n) };
  if (n.interface === 'http2') {
    const header = (name) => n.request?.headers.find((one) => one.name === name)?.value ?? '';
    Object.assign(draft, { topic: header('apns-topic') || n.topic, pushType: header('apns-push-type') || 'alert', priority: header('apns-priority'),
      expiration: header('apns-expiration'), collapseId: header('apns-collapse-id'), apnsId: header('apns-id') });
  } else {
    const isGiven = (name) => n.fields?.some((field) => field.name === name);
    Object.assign(draft, { command: String(n.command), identifier: n.identifier ?? '',
      priority: isGiven('priority') ? String(n.priority) : '',
      expiration: n.expiry === null || n.expiry === longest ? '' : String(n.expiry) });
  }
  // The name of its device, where the app on it has this token; a Live Activity has one of its own.
  const isOwn = devices.find(({ name }) => name === n.device)?.apps.some((app) => app.token === n.token
    && app.topic === draft.topic && app.environment === n.environment);
  return { ...draft, to: isOwn ? n.device : n.token };
}

export function bodyOf(draft) {
  const own = draft.api === 'http2' ? ['pushType', 'priority', 'expiration', 'collapseId', 'apnsId']
    : [['command'], ['command', 'identifier', 'expiration'], ['command', 'identifier', 'priority', 'expiration']][draft.command];
  const body = { to: draft.to, topic: draft.topic, api: draft.api, payload: draft.text };
  for (const name of ['environment', ...own]) if (draft[name] !== '') body[name] = numbers.has(name) ? number(draft[name]) : draft[name];
  return body;
}

// A text that is no number is refused by the API, which says what it expects.
const numbers = new Set(['command', 'priority']);
function number(text) { return /^\d+$/.test(text) ? Number(text) : text; }

// The payload as it came, and a note where that is not the whole truth.
function payloadOf(n) {
  const bytes = bytesOf(n.payloadBase64 ?? '');
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (!bytes.length && n.payloadSize) return { text, note: `Its payload of ${n.payloadSize} bytes was refused unread: it is not known.` };
  const again = new TextEncoder().encode(text);
  const isSame = again.length === bytes.length && again.every((byte, i) => byte === bytes[i]);
  return { text, note: isSame ? '' : 'Bytes of its payload are no UTF-8; in their place stands �, so what is sent now is not the same.' };
}
