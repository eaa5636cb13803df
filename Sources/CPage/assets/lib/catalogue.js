// What can go wrong, as sentences with choices in them. Each entry: the layer and the name that people know it by, the
// sentence, and the rule that it stands for, as the control API takes it.
import { reasons } from './reasons.js';
import { refusal, statuses } from './statuses.js';

// A choice in a sentence: a list of [value, word], or with `free` a field where any such value may be typed.
const slot = (name, choices, free) => ({ name, choices: choices.map((one) => (Array.isArray(one) ? one : [one, one])), free });

const codes = Object.keys(statuses).map((code) => [code, refusal(code)]);

const durations = ['50ms', '300ms', '1s', '5s', '30s', '1m', '10m', '2h'];
const counts = ['1', '2', '3', '5', '10', '20', '50', '100'];

const which = slot('which', [['next', 'next'], ['nth', 'third (of its connection)'], ['10', 'every 10th'], ['50', 'every 50th'],
  ['random', 'random (one in ten)']]);
const often = slot('times', [['1', 'once'], ['2', 'twice'], ['3', 'three times'], ['10', 'ten times'],
  ['', 'as long as this is on']]);
const requests = slot('interface', [['http2', 'request']]);
const frames = slot('interface', [['binary', 'frame']]);
const either = slot('interface', [['', 'notification'], ['http2', 'request'], ['binary', 'frame']]);
const whose = slot('whose', []);
const connections = slot('connections', [['', 'every connection'], ['1', 'the first connection'],
  ['2', 'the second connection']]);
const listeners = slot('listener', [['gateway', 'to the binary gateway'], ['http2', 'over HTTP/2'],
  ['feedback', 'to the feedback service']]);

const pushing = slot('listener', listeners.choices.slice(0, 2));

// Sentences about a notification begin and end alike.
const one = (kind, ...rest) => ['The ', which, ' ', kind, ' for ', whose, ' ', ...rest, ', ', often, '.'];
// Those about a connection, too.
const of = (...rest) => ['On ', connections, ' ', listeners, ', ', ...rest, '.'];
const overHTTP2 = (...rest) => ['On ', connections, ' over HTTP/2, ', ...rest, '.'];

const fault = (name, settings) => ({ fault: settings === undefined ? name : { [name]: settings } });
const number = Number;

export const catalogue = [
  ['Answer', '410 for one device',
    one(requests, 'is answered ', slot('reason', [['Unregistered', '410 Unregistered'], ['ExpiredToken', '410 ExpiredToken']]),
    ', as of ', slot('since', ['1m ago', '2h ago', '28d ago'])),
    (v) => ({ reply: { reason: v.reason, timestamp: v.since } }), { chip: true, since: '2h ago' }],
  ['Answer', 'Any reason', one(requests, 'is answered ', slot('reason', reasons), ' after ',
    slot('delay', ['0s', ...durations], 'duration')),
    (v) => ({ reply: { reason: v.reason, ...(v.delay !== '0s' && { delay: v.delay }) } })],
  ['Answer', 'Bad token in a burst', one(frames, 'is refused with ', slot('status', codes), ', after ',
    slot('afterFrames', ['0', ...counts], 'count'), ' more frames have come'),
    (v) => ({ reply: { status: number(v.status), ...(v.afterFrames !== '0' && { afterFrames: number(v.afterFrames) }) } }),
      { chip: true, status: '8', afterFrames: '20' }],
  ['Answer', 'Late error packet', one(frames, 'is refused with ', slot('status', codes), ' after ',
    slot('delay', durations, 'duration')),
    (v) => ({ reply: { status: number(v.status), delay: v.delay } }), { status: '8' }],
  ['Answer', 'Error packet lost to a reset', one(frames, 'is refused with ', slot('status', codes),
    ', and a reset overtakes the packet'),
    (v) => ({ reply: { status: number(v.status), lost: true } }), { chip: true, status: '8' }],
  ['Answer', 'Error packet, then a reset', one(frames, 'is refused with ', slot('status', codes),
    ', and a reset follows the packet'),
    (v) => ({ reply: { status: number(v.status), reset: true } }), { status: '8' }],
  ['Answer', 'Wrong identifier', one(frames, 'is refused with ', slot('status', codes), ' and ',
    slot('identifier', [['wrong', 'the wrong identifier'], ['zero', 'identifier 0']])),
    (v) => ({ reply: { status: number(v.status), identifier: v.identifier } }), { status: '8' }],
  ['Answer', 'Error packet cut short', one(frames, 'is refused with ', slot('status', codes), ', of whose packet ',
    slot('bytes', ['0', '1', '2', '3', '4', '5']), ' of 6 bytes come'),
    (v) => ({ reply: { status: number(v.status), truncateTo: number(v.bytes) } }), { status: '8', bytes: '3' }],
  ['Answer', 'Error packet in two records', one(frames, 'is refused with ', slot('status', codes), ', in two TLS records'),
    (v) => ({ reply: { status: number(v.status), split: true } }), { status: '8' }],
  ['Answer', 'Status 10, Shutdown', one(frames, 'meets a shutdown: status 10, and the identifier accepted last'),
    () => fault('shutdown')],
  ['Answer', '503 for 30 s, then fine', one(requests, 'is answered 503 ServiceUnavailable, and all that follow for ',
    slot('span', durations, 'duration')),
    (v) => fault('unavailable', { for: v.span }), { chip: true, span: '30s' }],
  ['Answer', '500 until it reconnects',
    one(requests, 'and all that follow on its connection are answered 500 InternalServerError'),
    () => fault('stickyServerError')],
  ['Answer', 'Provider token refused',
    one(requests, 'is answered ', slot('reason', reasons.filter(([name]) => /ProviderToken|InToken/.test(name)))),
    (v) => ({ reply: { reason: v.reason } }), { chip: true, reason: 'ExpiredProviderToken' }],
  ['Answer', 'Slow answer', one(requests, 'is answered late: headers after ', slot('headers', durations, 'duration'),
    ', the body ', slot('body', durations, 'duration'), ' later'),
    (v) => fault('slowAnswer', { headers: v.headers, body: v.body }), { headers: '1s', body: '1s' }],
  ['Answer', 'Delivered but never answered',
    one(requests, 'is ', slot('delivered', [['true', 'delivered'], ['false', 'not delivered']]), ' and never answered'),
    (v) => fault('unanswered', v.delivered === 'false' ? { delivered: false } : undefined), { chip: true }],
  ['Answer', 'GOAWAY with requests in flight', one(requests, 'meets GOAWAY ',
    slot('lastStream', [['below', 'below it, so that it was not processed'], ['exact', 'behind its answer']]),
    '; then the connection ', slot('then', [['', 'closes'], ['open', 'stays open']])),
    (v) => fault('goaway', { lastStream: v.lastStream, ...(v.then && { then: v.then }) }), { chip: true }],
  ['Answer', 'RST_STREAM',
    one(requests, 'gets RST_STREAM ', slot('code', ['REFUSED_STREAM', 'INTERNAL_ERROR', 'CANCEL', 'ENHANCE_YOUR_CALM']),
    ' instead of an answer'),
    (v) => fault('resetStream', { code: v.code })],
  ['Answer', 'Fewer streams', one(requests, 'brings SETTINGS with ', slot('streams', ['1', '2', '10', '100'], 'count'),
    ' streams at once'), (v) => fault('maxStreams', number(v.streams))],

  ['Delivery', 'Accepted, reaches nobody', one(either, 'is accepted and reaches nobody'), () => fault('swallow')],
  ['Delivery', '410 only later', ['For ', whose, ' a token whose app is gone is answered 200 for ',
    slot('span', durations, 'duration'), ' before it is 410.'], (v) => fault('lateUnregistered', { for: v.span }),
    { span: '2h' }],

  ['Handshake', 'Handshake refused',
    of('the handshake is refused: ',
    slot('why', [['unknownCA', 'unknown CA'], ['revoked', 'certificate revoked'], ['expired', 'certificate expired'],
    ['unknown', 'certificate unknown']])),
    (v) => fault('refuseHandshake', v.why), { chip: true }],
  ['Handshake', 'Slow handshake', of('the handshake begins after ', slot('span', durations, 'duration')),
    (v) => fault('acceptDelay', v.span), { span: '1s' }],
  ['Handshake', 'Closed after the handshake', of('the handshake succeeds and the connection ends'),
    () => fault('closeAfterHandshake')],

  ['Connection', 'Connection left open, nothing answered', of('everything is read and nothing is answered'),
    () => fault('blackHole'), { chip: true, listener: 'http2' }],
  ['Connection', 'Closed at a notification', one(either, 'ends its connection with ',
    slot('end', [['close', 'FIN'], ['reset', 'a reset']]), ', and no error response'), (v) => fault(v.end)],
  ['Connection', 'Reset after so many bytes', ['On ', connections, ' ', pushing, ', a ',
    slot('end', [['reset', 'reset'], ['close', 'close']]), ' comes after ', slot('bytes', ['0', '40', '300', '4096'], 'count'),
    ' bytes.'], (v) => fault(v.end, { afterBytes: number(v.bytes) }), { bytes: '40' }],
  ['Connection', 'Not read any further', one(either, 'is the last that is read of its connection'), () => fault('stopReading')],
  ['Connection', 'Everything later', of('whatever the simulator sends comes ', slot('span', durations, 'duration'), ' later'),
    (v) => fault('latency', v.span), { span: '300ms' }],
  ['Connection', 'Jitter', of('each answer comes later by a time of its own, between 0 and ',
    slot('span', durations, 'duration')), (v) => fault('jitter', v.span), { span: '300ms' }],
  ['Connection', 'Cut into small pieces', of('whatever the simulator sends comes in records of ', slot('bytes', counts, 'count'),
    ' bytes, ', slot('pause', durations, 'duration'), ' apart'),
    (v) => fault('slice', { bytes: number(v.bytes), pause: v.pause }), { bytes: '1', pause: '50ms' }],
  ['Connection', 'Closed when idle', of('it is closed after ', slot('span', durations, 'duration'), ' without a notification'),
    (v) => fault('idleClose', v.span), { span: '10m' }],
  ['Connection', 'No window for bodies', overHTTP2('no window is given for bodies'), () => fault('zeroWindow')],
  ['Connection', 'PING not answered', overHTTP2('PING is not answered'), () => fault('ignorePing')],
  ['Connection', 'SETTINGS not acknowledged', overHTTP2('the provider’s SETTINGS are not acknowledged'),
    () => fault('ignoreSettings')],

  ['Feedback', 'Held open', ['The feedback connection stays open after the last tuple.'], () => fault('feedbackHoldOpen')],
  ['Feedback', 'Cut short', ['The feedback list ends after ', slot('bytes', ['0', '20', '38', '40'], 'count'), ' bytes.'],
    (v) => fault('feedbackTruncate', number(v.bytes)), { bytes: '20' }],
  ['Feedback', 'Never cleared', ['The feedback list stays as it is when it is read.'], () => fault('feedbackKeep')],
].map(([layer, name, sentence, rule, { chip, ...start } = {}]) => ({ layer, name, sentence, rule, chip, start }));

export const layers = [
  ['Handshake', 'before a connection is there'], ['Connection', 'for as long as it lives'],
  ['Answer', 'to a notification or a request'],
  ['Delivery', 'between gateway and device'], ['Feedback', 'on port 2196'],
];

// The first values of an entry's choices.
export function startOf(entry) {
  const values = {};
  for (const part of entry.sentence) if (part.name) values[part.name] = entry.start[part.name] ?? part.choices[0]?.[0] ?? '';
  return values;
}

// The sentence with its choices, as text.
export function textOf(entry, values, wordOf) {
  return entry.sentence.map((part) => (part.name ? wordOf(part, values[part.name]) : part)).join('');
}

// The rule as the control API takes it; the sentence is its name.
export function ruleOf(entry, values, text) {
  const when = {};
  const rule = { name: text.slice(0, 200), when };
  if (values.interface) when.interface = values.interface;
  if (values.whose?.startsWith('device:')) when.device = values.whose.slice(7);
  if (values.whose?.startsWith('topic:')) when.topic = values.whose.slice(6);
  if (values.whose?.startsWith('token:')) when.token = values.whose.slice(6);
  if (values.listener) when.listener = values.listener;
  if (values.connections) when.connection = Number(values.connections);
  if (values.which === 'nth') when.nth = 3;
  if (values.which === 'random') when.probability = 0.1;
  Object.assign(rule, entry.rule(values));
  if (/^\d+$/.test(values.which)) rule.every = Number(values.which);
  if (values.times) rule.times = Number(values.times);
  return rule;
}
