// Nothing has arrived yet: where to send to, and commands to copy, for both interfaces.
import { h, fill, strange } from '../lib/dom.js';
import { copyable } from '../lib/copy.js';
import { certs, port } from '../lib/options.js';

const token = 'ab'.repeat(32);

export function mountEmpty(root, context) {
  const { api, live, words, isReadOnly } = context;
  const refused = h('div', null);
  const body = h('div', { class: 'two-columns' });
  if (context.isRecording) {
    fill(root, h('h1', { class: 'large' }, 'Nothing arrived'), h('p', { class: 'why' }, context.isReading ? 'The recording is being read.' : 'The recording has no notification.'), refused);
    readRefused();
    return { leave() {} };
  }
  fill(root, h('h1', { class: 'large' }, 'Nothing has arrived yet'),
    h('p', { class: 'why' }, 'The first notification appears here the moment it is sent.'), refused, body);
  context.endpoints().then((ends) => fill(body, http2(ends), binary(ends))).catch(() => {});
  readRefused();
  const off = live.listen((kind, data) => { if (kind === 'digest' && data.connections) readRefused(); });

  // The commonest reason why nothing arrives: the handshake failed.
  async function readRefused() {
    const { refused: all } = await api.get('/connections').catch(() => ({ refused: [] }));
    const last = all?.at(-1);
    fill(refused, last && h('p', { class: 'hint' }, h('b', null, words.clock(last.at)), ' ', refusal(last)));
  }

  function http2(ends) {
    const curl = [`curl --http2 --cacert <(curl -s ${location.origin}/ca.pem)`, `-H "authorization: bearer $(apnsim certs jwt${certs(ends)})"`,
      '-H "apns-topic: com.example.app"',
      '-H "apns-push-type: alert"', `-d '{"aps":{"alert":"Hello"}}'`,
        `https://${ends.host}:${ends.http2}/3/device/${token}`].join(' \\\n  ');
    return h('section', null, h('h2', null, 'HTTP/2 provider ', h('small', null, 'today’s interface')),
      facts([['Host, port', `${ends.host}:${ends.http2}`], ['CA to trust', ends.ca], ['Key', ends.authKey],
        ['Key ID', ends.keyId], ['Team ID', ends.teamId]]),
      h('p', { class: 'second' }, 'Or try it now:'), copyable(`apnsim send --demo --api http2${port(ends.http2, 2197)}${certs(ends)}`),
        copyable(curl));
  }

  function binary(ends) {
    return h('section', null, h('h2', null, 'Binary provider ', h('small', null, 'gateway and feedback')),
      facts([['Gateway', `${ends.host}:${ends.gateway}`], ['Feedback', `${ends.host}:${ends.feedback}`], ['CA to trust', ends.ca],
        ['Certificate', ends.providerCertificate], ['Its key', ends.providerKey],
          ['or PKCS#12', ends.providerP12, 'password apnsim']]),
      h('p', { class: 'second' }, 'Or try it now, with six notifications, one of them bad:'),
        copyable(`apnsim send --demo${port(ends.gateway, 2195)}${certs(ends)}`),
      !isReadOnly && [h('p', { class: 'second' }, 'Or from here, without a provider:'),
        h('p', null, h('a', { class: 'button main', href: context.router.to('/send') }, 'Send the first one'))]);
  }

  return { leave: off };
}

function facts(rows) {
  return h('dl', { class: 'facts' }, rows.filter(([, value]) => value).map(([name, value, beside]) => [
    h('dt', null, name), h('dd', null, h('code', null, value), beside && h('span', { class: 'aside' }, ` ${beside}`)),
  ]));
}

function refusal({ listener, reason }) {
  const name = { http2: 'over HTTP/2', gateway: 'to the binary gateway', feedback: 'to the feedback service' }[listener]
    ?? `to ${listener}`;
  return [`A client connected ${name} and did not get through the handshake: `, strange(reason), '.'];
}
