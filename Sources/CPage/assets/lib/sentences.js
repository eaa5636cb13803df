// The outcome of a notification in a sentence, and its reason in one more.
import { reasonOf } from './reasons.js';
import { refusal } from './statuses.js';
import { bytes, clock, duration, outcome, plural, shortDevice } from './words.js';

const logWords = /;? ?in Apple's delivery log: (.*)$/;
const sources = { DOC: '', OBS: 'observed', INF: 'inferred' };

// A check of the explain list in pieces: { name, ok, found, source, log, hint }.
export function checkOf({ check, ok, detail, hint }) {
  const [, text, source] = /^(.*?)(?: \((DOC|OBS|INF)\))?$/s.exec(detail ?? '');
  const log = logWords.exec(text)?.[1];
  return { check, name: checkName(check), ok, found: text.replace(logWords, ''), source: sources[source] ?? '', log, hint };
}

// `tokenPresence` → `Token presence`.
function checkName(check) {
  const known = { messageId: 'Message ID', deliver: 'Delivery', store: 'Store', discard: 'Discarded', magicToken: 'Magic token' };
  const words = check.replace(/([A-Z])/g, ' $1').toLowerCase().replace(/\bid\b/, 'ID');
  return known[check] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

// { sentence, why, glyph, tone } of one notification.
export function verdict(n) {
  const { glyph, tone, word } = outcome(n);
  const checks = (n.explain ?? []).map(checkOf);
  const failed = checks.find((check) => !check.ok);
  const device = shortDevice(n.device ?? n.token);
  const found = { glyph, tone, sentence: word, why: reason(failed) };
  const answer = n.interface === 'http2'
    ? n.status === null ? 'It was never answered.' : `Answered ${n.status}${delay(n)}.`
    : 'There was no answer, which means accepted.';
  switch (n.outcome) {
    case 'delivered': {
      if (failed?.check === 'activity') {
        return { glyph: 'dropped', tone: 'warn', sentence: `Answered ${n.status}, but ${possessive(device)} screen did not change`,
          why: `${sentence(failed.found.replace(/^would/, 'the Live Activity would'))} APNs never looks into a Live Activity, so the provider got ${n.status}.` };
      }
      const later = checks.find((check) => check.check === 'delivered');
      found.sentence = `Delivered to ${device}`;
      found.why = `${answer} ${later ? `It waited in the store and was ${later.found}.` : `${device} was online, so it went there at once.`}`;
      if (n.interface === 'http2' && n.status === null) found.sentence = `Delivered to ${device}, and never answered`;
      return found;
    }
    case 'stored':
      found.sentence = `Stored: ${device} is offline`;
      found.why = `${answer} It waits${until(n)}, unless a newer one for the app comes.`;
      return found;
    case 'replaced':
      found.sentence = `${word} before ${device} came online`;
      found.why = `${answer} Of several for one app, the store keeps the newest.`;
      return found;
    case 'expired':
      found.sentence = 'Expired in the store';
      found.why = `${answer} ${device} was offline until its expiry${n.expiry ? `, ${clock(expiryTime(n))}` : ''}, and it was given up then.`;
      return found;
    case 'notStored':
      found.sentence = `Not stored: ${device} is offline and the expiry is ${n.expiry ?? 0}`;
      found.why = `${answer} Such a notification is delivered at once or not at all.`;
      return found;
    case 'refused':
      found.sentence = `Accepted, but ${device} no longer has the app`;
      found.why = `${answer} The feedback service lists the token.`;
      return found;
    case 'dropped':
      found.sentence = `Dropped: ${device} cannot read the payload`;
      found.why = `${answer} The device drops it, without a word to the provider.`;
      return found;
    case 'rejected':
      found.sentence = n.interface === 'http2' ? `Rejected: ${word}`
        : `Rejected: ${refusal(n.status)}`;
      if (n.interface === 'http2' && n.status === null) found.sentence = 'Rejected, and never answered';
      // Of a staged one nothing is wrong but that.
      if (n.cause) return found;
      // A size is told with its limit; a name of the table by what it means.
      if (n.interface === 'http2' && failed?.check !== 'payloadSize') found.why = reasonOf(n)?.[0] ?? found.why;
      else found.why ||= reasonOf(n)?.[0] ?? '';
      return found;
    case 'discarded':
      found.sentence = n.interface === 'http2' ? `Never answered: ${failed?.found ?? 'the connection had ended'}`.split(';')[0]
        : 'Discarded unread: an error before it ended the connection';
      found.why = n.interface === 'http2' ? sentence(failed?.hint) || found.why : 'It was already on the wire, and was never looked at.';
      return found;
    default:
      return found;
  }
}

// The check that failed, and its limit, as a sentence.
function reason(failed) {
  return failed ? sentence(failed.found) : '';
}

export function sentence(text) {
  if (!text) return '';
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

function possessive(name) { return /s$/.test(name) ? `${name}’` : `${name}’s`; }

function delay(n) { return n.answer?.after !== undefined ? ` after ${duration(n.answer.after)}` : ''; }

function expiryTime(n) { return new Date(n.expiry * 1000).toISOString(); }

function until(n) {
  if (!n.expiry || n.expiry >= 2147483647) return '';
  const left = n.expiry * 1000 - new Date(n.time).getTime();
  return ` until ${clock(expiryTime(n))}${left > 0 ? `, ${duration(left)} after it came` : ''}`;
}

// The most bytes its payload may have, as it was judged.
export function payloadLimit(n) {
  const detail = (n.explain ?? []).find((line) => line.check === 'payloadSize')?.detail ?? '';
  const said = /of ([\d,]+) bytes|allows ([\d,]+)/.exec(detail);
  if (said) return Number((said[1] ?? said[2]).replaceAll(',', ''));
  if (n.interface === 'http2') return n.pushType === 'voip' ? 5120 : 4096;
  return n.command === 2 ? 2048 : 256;
}

// `274 of 256 bytes, 18 too many`.
export function sizeWords(size, limit) {
  return size > limit ? `${bytes(size)}, ${plural(size - limit, 'byte')} more than the ${limit.toLocaleString('en-US')} allowed`
    : `${size.toLocaleString('en-US')} of ${bytes(limit)}`;
}
