// A notification in the forms in which people need it elsewhere. A provider token is in none of them.
import { certs, port, quoted } from './options.js';

// A query knows two escapes, and takes a bare star for anything.
const inQuery = (text) => (/^[\w.-]+$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`);
// Characters that a terminal would obey instead of taking them for text.
const obeyed = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;

// `{ word, text }` for each form that this one has. `payload`: its bytes as text, null where they are no text; `raw`: its
// frame in hex; `ends`: the ports and files of this simulator, where it has some; `control`: the options that lead
// commands to its control API.
export function copies(n, { payload, raw, ends, control, address }) {
  const isRequest = n.interface === 'http2';
  const forms = [];
  if (payload !== null) {
    if (!obeyed.test(payload)) {
      forms.push({ word: 'apnsim send', text: sendCommand(n, payload, ends) });
      if (isRequest) forms.push({ word: 'curl', text: curlCommand(n, payload, ends) });
    }
    if (isPlainObject(n.payload)) forms.push({ word: '.apns file', text: apnsFile(n) });
  }
  forms.push({ word: 'query that finds it', text: queryOf(n) });
  forms.push({ word: 'apnsim wait that would have passed', text: `apnsim wait --query ${quoted(queryOf(n))} --timeout 5s${control}` });
  if (n.outcome === 'rejected' && (n.reason || n.status)) forms.push({ word: 'rule that does it again', text: ruleOf(n) });
  forms.push({ word: 'JSON', text: JSON.stringify(n, null, 2) });
  if (raw) forms.push({ word: 'bytes as hex', text: raw });
  if (n.token) forms.push({ word: 'device token', text: n.token });
  forms.push({ word: 'link', text: address });
  return forms;
}

function sendCommand(n, payload, ends) {
  const options = [`--to ${isHex(n.token) ? n.token : quoted(n.token ?? '')}`];
  const add = (name, value) => { if (value !== null && value !== undefined && value !== '') options.push(`--${name} ${value}`); };
  if (n.interface === 'http2') {
    add('api', 'http2');
    add('topic', quoted(n.topic));
    add('push-type', n.pushType && quoted(n.pushType));
    add('collapse-id', n.collapseId && quoted(n.collapseId));
    add('expiration', n.expiry);
  } else {
    add('command', n.command);
    add('identifier', n.identifier && `0x${n.identifier}`);
    if (n.expiry !== 2147483647) add('expiry', n.expiry);
  }
  if (n.command !== 0 && n.command !== 1 && n.priority !== 10) add('priority', n.priority);
  const to = n.interface === 'http2' ? port(ends?.http2, 2197) : port(ends?.gateway, 2195);
  return `printf %s ${quoted(payload)} | apnsim send - --raw ${options.join(' ')}${to}${certs(ends)}`;
}

function curlCommand(n, payload, ends) {
  const headers = [['apns-topic', n.topic], ['apns-push-type', n.pushType], ['apns-collapse-id', n.collapseId],
    ['apns-expiration', n.expiry], ['apns-priority', n.priority === 10 ? null : n.priority]]
    .filter(([, value]) => value !== null && value !== undefined && value !== '');
  const url = `https://localhost:${ends?.http2 ?? 2197}/3/device/${n.token}`;
  const ca = ends?.ca ? quoted(ends.ca) : 'certs/ca.pem';
  const lines = [`curl -i --http2 --cacert ${ca} -H "authorization: bearer $(apnsim certs jwt${certs(ends)})"`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(payload)} ${isHex(n.token) ? url : quoted(url)}`];
  return lines.join(' \\\n  ');
}

function apnsFile(n) {
  return JSON.stringify({ 'Simulator Target Bundle': n.topic, ...n.payload }, null, 2);
}

function queryOf(n) {
  const terms = [n.device && n.device !== n.token ? `device:${inQuery(n.device)}` : `token:${isHex(n.token) ? n.token : inQuery(n.token)}`];
  terms.push(`topic:${inQuery(n.topic)}`);
  const alert = n.payload?.aps?.alert;
  const text = typeof alert === 'string' ? alert : alert?.body;
  if (typeof text === 'string' && text && !obeyed.test(text) && !/[\t\n\r]/.test(text)) terms.push(`alert:${inQuery(text)}`);
  terms.push(`outcome:${n.outcome}`);
  return n.token ? terms.join(' ') : `id:${n.id}`;
}

// As a scenario writes it.
function ruleOf(n) {
  const reply = n.interface === 'http2' && n.reason ? n.reason : n.status;
  const device = n.device && n.device !== n.token ? `device: ${JSON.stringify(n.device)}, `
    : isHex(n.token) ? `token: "${n.token}", ` : '';
  return `rules:\n  - when: { ${device}topic: ${JSON.stringify(n.topic)} }\n    times: 1\n    reply: ${reply}`;
}

function isHex(token) { return /^[0-9a-f]+$/.test(token ?? ''); }
function isPlainObject(value) { return typeof value === 'object' && value !== null && !Array.isArray(value); }
