// Faults and replies as sentences with choices in them. Each entry: the layer and the name that people know it by, the
// sentence, and the rule that it stands for, as the control API takes it. Faults come from the API; replies stand here.
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
const listeners = { gateway: 'to the binary gateway', http2: 'over HTTP/2', feedback: 'to the feedback service' };

// Sentences about a notification begin and end alike.
const one = (kind, ...rest) => ['The ', which, ' ', kind, ' for ', whose, ' ', ...rest, ', ', often, '.'];

const number = Number;

const replies = [
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
  ['Answer', 'Provider token refused',
    one(requests, 'is answered ', slot('reason', reasons.filter(([name]) => /ProviderToken|InToken/.test(name)))),
    (v) => ({ reply: { reason: v.reason } }), { chip: true, reason: 'ExpiredProviderToken' }],
].map(([layer, name, sentence, rule, { chip, ...start } = {}]) => ({ layer, name, sentence, rule, chip, start }));

const about = {
  notification: (rest) => one(either, ...rest),
  request: (rest) => one(requests, ...rest),
  frame: (rest) => one(frames, ...rest),
  token: (rest) => ['For ', whose, ' ', ...rest, '.'],
  connection: (rest, places) => ['On ', connections, ' ', places.length > 1 ? slot('listener', places) : places[0][1], ', ',
    ...rest, '.'],
  feedback: (rest) => [...rest, '.'],
};

// The part of a sentence that the API describes: words, or a choice for a parameter of the fault.
function part({ text, key, choices }, parameters) {
  if (text) return text;
  const { kind } = parameters.find((one) => (one.key ?? '') === key) ?? { kind: 'count' };
  const free = ['duration', 'count'].includes(kind) ? kind : undefined;
  const offered = choices?.map(({ value, words }) => [value, words]) ?? (kind === 'duration' ? durations : counts);
  const isWorded = choices?.some(({ value, words }) => value !== words);
  return slot(key || 'value', offered, isWorded ? undefined : free);
}

const typed = (text) => (/^\d+$/.test(text) ? Number(text) : ['true', 'false'].includes(text) ? text === 'true' : text);

// An entry for a sentence of a fault of the API's catalogue.
function entryOf(fault, { layer, title, about: kind, parts, common, listener }) {
  const keys = parts.filter((one) => !one.text).map(({ key }) => key);
  const start = Object.fromEntries(parts.filter((one) => !one.text).map(({ key, first }) => [key || 'value', first]));
  const rule = (values) => {
    if (!keys.length) return { fault: fault.name };
    const settings = keys.includes('') ? typed(values.value) : Object.fromEntries(keys.map((key) => [key, typed(values[key])]));
    return { fault: { [fault.name]: settings } };
  };
  return {
    layer: layer[0].toUpperCase() + layer.slice(1), name: title, chip: common, start: listener ? { ...start, listener } : start, rule,
    sentence: about[kind](parts.map((one) => part(one, fault.parameters)),
      Object.entries(listeners).filter(([name]) => fault.interfaces.includes(name))),
  };
}

// All that can go wrong: replies, and the faults that there are.
export async function catalogueOf(api) {
  const { faults } = await api.get('/faults/catalogue');
  return [...replies, ...faults.flatMap((fault) => fault.page.map((sentence) => entryOf(fault, sentence)))];
}

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
