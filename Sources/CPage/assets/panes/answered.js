// Answered: what the service said to one notification, and what a provider does about it.
import { h, strange } from '../lib/dom.js';
import { hexView } from '../lib/hex.js';
import { reasonOf } from '../lib/reasons.js';
import { closed, statusName } from '../lib/statuses.js';

export function answered(n, words) {
  const [, advice] = reasonOf(n) ?? [];
  return [n.interface === 'binary' ? packet(n, words) : answer(n, words), advice && h('p', { class: 'hint' }, h('strong', {}, 'What to do'), ' ', advice)];
}

// Of the binary interface: silence, or the bytes of the error response.
function packet(n, words) {
  const heading = (beside) => h('h2', {}, 'Answered', h('span', { class: 'beside' }, beside));
  if (n.outcome !== 'rejected') {
    return [heading(n.outcome === 'discarded' ? '' : 'with silence'), h('p', { class: 'second' }, n.outcome === 'discarded'
      ? 'Nothing: it came after an error on its connection.' : 'No answer: that means accepted.')];
  }
  const { bytes, lost, after } = n.answer ?? {};
  if (!bytes) return [heading('with the end of the connection'), h('p', { class: 'second' }, lost ? 'The reset of the connection overtook the error response: it never arrived.' : `${words.capital(closed)}.`)];
  const found = Uint8Array.from(bytes.match(/../g), (byte) => parseInt(byte, 16));
  const fields = [
    { name: 'command', from: 0, to: 1, text: '8, error response' },
    { name: 'status', from: 1, to: 2, text: `${found[1]}, ${statusName(found[1])}` },
    { name: 'identifier', from: 2, to: 6, text: bytes.slice(4) },
  ].filter(({ to }) => to <= found.length);
  return [heading(`${words.bytes(found.length)}${after ? ` after ${words.duration(after)}` : ''}, then the end of the connection`), hexView(found, fields, 'The answer')];
}

// Of a request.
function answer(n, words) {
  const beside = n.answer?.after !== undefined ? `after ${words.duration(n.answer.after)}` : '';
  const rows = n.answer?.headers ?? [[':status', n.status], ['apns-id', n.apnsId]].map(([name, value]) => ({ name, value }));
  const body = n.answer?.body ?? (n.reason ? JSON.stringify({ reason: n.reason }) : null);
  return [
    h('h2', {}, 'Answered', h('span', { class: 'beside' }, beside)),
    n.status === null ? h('p', { class: 'second' }, 'Nothing.')
      : [h('dl', { class: 'headers' }, rows.filter(({ value }) => value !== null && value !== undefined).map(({ name, value }) =>
        h('div', {}, h('dt', {}, name), h('dd', {}, strange(String(value)))))),
      body && h('pre', {}, body)],
  ];
}
