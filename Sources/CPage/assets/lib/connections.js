// The facts of a connection that are known without its story.
import { refusal } from './statuses.js';

export function interfaceOf({ listener }) {
  return { gateway: 'Binary', feedback: 'Feedback', http2: 'HTTP/2' }[listener] ?? listener;
}

// The topic of its certificate; one with provider tokens has none.
export function nameOf(connection) {
  return connection.provider.topic || (connection.listener === 'http2' ? 'provider tokens' : 'no topic');
}

// Its ending, or that it is open: `{ glyph, tone, text }`.
export function endingOf(one, words) {
  const lost = one.discarded ? `, ${words.count(one.discarded)} discarded` : '';
  if (one.error) {
    return { glyph: 'rejected', tone: 'bad', text: `${refusal(one.error.status)}${lost}` };
  }
  if (one.goAway) return { glyph: 'unanswered', tone: 'bad', text: `GOAWAY after stream ${one.goAway.lastStream}${lost}` };
  const done = one.listener === 'feedback' ? `read ${words.plural(one.tuplesRead, 'tuple')}` : counted(one, words);
  if (one.open) return { glyph: 'open', tone: one.malformed ? 'bad' : 'good', text: `open, ${done}` };
  const how = {
    peerClosed: 'closed by the provider', simulatorClosed: 'closed by the service', reset: 'reset', timedOut: 'closed after silence',
    failed: 'broke', drained: 'closed at the end of the program', simulatorKilled: 'cut off by the end of the program',
  }[one.closing] ?? 'closed';
  const isBad = one.closing === 'reset' || one.closing === 'failed' || one.malformed;
  return { glyph: 'closed', tone: isBad ? 'bad' : 'quiet', text: `${how}, ${done}${lost}` };
}

function counted(one, words) {
  const accepted = one.accepted || !one.rejected ? `${words.count(one.accepted)} accepted` : '';
  // A request that a fault left without an answer is counted among the rejected ones, and was not told so.
  const rejected = one.rejected ? `${words.count(one.rejected)} ${one.listener === 'http2' ? 'not accepted' : 'rejected'}` : '';
  const malformed = one.malformed ? `${words.count(one.malformed.count)} malformed` : '';
  return [accepted, rejected, malformed].filter(Boolean).join(', ');
}
