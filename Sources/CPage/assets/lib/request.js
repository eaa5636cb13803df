// A request of HTTP/2 as it was sent: its headers in order, what their values mean, and the provider token as judged.
import { h, strange } from './dom.js';

// Each header in the order of sending, repeated ones as often as they came.
export function headerRows(n, words) {
  return h('dl', { class: 'headers' }, n.request.headers.map(({ name, value }) =>
    h('div', {}, h('dt', {}, strange(name)), h('dd', {}, valueOf(name, value, n), meaning(name, value, n, words)))));
}

// The path breaks after the 32nd byte of its token.
function valueOf(name, value, n) {
  if (name === 'authorization') return strange(`${value ?? ''} •••`.trim());
  const place = name === ':path' && n.token ? value.indexOf(n.token) : -1;
  if (place < 0 || n.token.length <= 32) return strange(value ?? '');
  const cut = place + 32;
  return [strange(value.slice(0, cut)), h('wbr', {}), strange(value.slice(cut))];
}

function meaning(name, value, n, words) {
  const aside = (text) => h('span', { class: 'meaning' }, ` ${text}`);
  switch (name) {
    case 'authorization': return aside('judged below; the token itself is not kept');
    case 'apns-expiration': {
      const seconds = Number(value);
      if (!Number.isSafeInteger(seconds) || String(seconds) !== value) return null;
      if (seconds === 0) return aside('never stored');
      const left = seconds * 1000 - new Date(n.time).getTime();
      if (Math.abs(seconds) > 8.64e12) return null;
      const time = words.clock(new Date(seconds * 1000).toISOString());
      return aside(left >= 0 ? `${time}, in ${words.duration(left)}` : `${time}, ${words.duration(-left)} before it was sent`);
    }
    case 'apns-collapse-id': return aside(`${new TextEncoder().encode(value).length} of 64 bytes`);
    case 'apns-priority': return aside({ 10: 'at once', 5: 'when it suits the device', 1: 'when it costs no power' }[value] ?? '');
    default: return null;
  }
}

const tooSoon = 20 * 60;
const tooOld = 60 * 60;

// The findings about the provider token, with its age on a scale; a certificate's subject instead where it had one.
export function providerTokenCard(n, words, connection) {
  const facts = n.providerToken;
  const auth = n.auth ?? {};
  if (!facts && auth.kind !== 'certificate') return null;
  if (!facts) {
    const { subject, topic, environment } = connection?.provider ?? {};
    return h('div', { class: 'token-card' }, h('h3', {}, 'Certificate ', h('span', { class: 'beside' }, 'the connection’s, instead of a token')),
      h('dl', { class: 'headers' }, [['subject', subject], ['topic', topic], ['environment', environment]].filter(([, value]) => value).map(([name, value]) =>
        h('div', {}, h('dt', {}, name), h('dd', {}, strange(value))))));
  }
  const issued = facts.issuedAt && words.clock(facts.issuedAt);
  const rows = [
    ['kid', facts.keyID], ['iss', facts.teamID], ['iat', facts.issuedAt, facts.issuedAtIsText ? 'as text, where a number belongs' : ''],
    ['signature', facts.signature, facts.signature === 'DER' ? 'the form of X.509; a token has r and s, 64 bytes' : '64 bytes'],
  ].filter(([, value]) => value !== undefined);
  const isGood = facts.verdict === 'good';
  return h('div', { class: 'token-card' },
    h('h3', {}, 'Provider token', h('span', { class: `beside ${isGood ? 'good' : 'bad'}` }, facts.verdict),
      issued && h('span', { class: 'beside end' }, `issued ${issued}`)),
    typeof facts.age === 'number' && scale(facts.age, isGood, words),
    h('dl', { class: 'headers' }, rows.map(([name, value, note]) =>
      h('div', {}, h('dt', {}, name), h('dd', {}, strange(String(value)), note && h('span', { class: 'meaning' }, ` ${note}`))))));
}

// The age of a token: too soon to renew it, good, refused. Minutes run to the right, 80 of them.
function scale(age, isGood, words) {
  const width = 400;
  const at = (seconds) => Math.max(0, Math.min(width, (seconds / 4800) * width));
  const part = (kind, from, to) => h('rect', { class: kind, x: at(from), y: 14, width: at(to) - at(from) - 2, height: 7 });
  return h('div', { class: 'age' },
    h('svg', { viewBox: `0 0 ${width} 24`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      part('soon', 0, tooSoon), part('fine', tooSoon, tooOld), part('old', tooOld, 4800),
      h('rect', { class: 'now', x: Math.min(at(age), width - 2), y: 8, width: 2, height: 16 })),
    h('p', {}, h('strong', {}, age === 0 ? 'Not a second old' : `${words.duration(Math.abs(age) * 1000)} ${age < 0 ? 'ahead of the clock' : 'old'}`),
      age > tooOld ? ', and 1 h is the limit' : !isGood ? '' : age < tooSoon ? ': a new one before 20 min would be too soon' : ': may be renewed'));
}
