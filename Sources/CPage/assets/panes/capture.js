// The recording so far: the journal, as a file that replay, diff and inspect read.
import { h, fill } from '../lib/dom.js';
import { copyable } from '../lib/copy.js';
import { control } from '../lib/options.js';
import { action, reading } from '../lib/parts.js';

export function mount(root, context) {
  const { api, words, announce } = context;
  const about = h('dl', { class: 'facts' });
  const said = h('p', { class: 'second', role: 'status' });
  root.append(h('div', { class: 'pad' }, h('h1', null, 'Capture'),
    h('p', { class: 'why' },
      'Everything that happened, in order: what providers sent to the byte, what was answered, and when. Provider tokens are never in it.'), about,
    h('div', { class: 'actions' }, action('Download', () => download(false), { class: 'button main' }),
      action('Download redacted', () => download(true))), said,
    h('p', { class: 'aside' },
      'Redacted: device tokens become stable pseudonyms, texts in payloads become fillers of the same length; sizes, times and outcomes stay.'),
    h('h2', { class: 'later-head' }, 'With the file'),
    copyable('apnsim replay capture.jsonl.gz --offline'), copyable('apnsim diff before.jsonl.gz capture.jsonl.gz'),
      copyable('apnsim inspect capture.jsonl.gz'),
    !context.isRecording && [h('h2', { class: 'later-head' }, 'From now on, into a file'),
      copyable(`apnsim record capture.jsonl.gz${control(context.route.sandbox)}`)]));
  const reader = reading(context, () => false, read);

  // The first line of the file says how it began.
  async function read() {
    const stop = new AbortController();
    const response = await api.fetch('GET', '/capture', undefined, { signal: stop.signal });
    const lines = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('\n')) {
      const { value, done } = await lines.read();
      if (done) break;
      text += value;
    }
    stop.abort();
    const head = JSON.parse(text.slice(0, text.indexOf('\n') < 0 ? undefined : text.indexOf('\n')));
    const row = (name, value) => value !== undefined && [h('dt', null, name), h('dd', null, h('code', null, String(value)))];
    fill(about, row('Since', head.clock?.start), row('Clock', head.clock?.mode), row('Seed', head.seed),
      row('Edition', head.edition), row('Keeps', `${head.settings?.keep} notifications at most`));
    context.state(h('span', { class: 'said' }, head.clock ? `Since ${words.clock(head.clock.start)}` : ''));
  }

  async function download(isRedacted) {
    fill(said, 'Reading the journal.');
    const response = await api.fetch('GET', `/capture${isRedacted ? '?redact=true' : ''}`);
    const blob = await new Response(response.body.pipeThrough(new CompressionStream('gzip'))).blob();
    const name = `apnsim${isRedacted ? '-redacted' : ''}.jsonl.gz`;
    const link = h('a', { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    fill(said, `${name}: ${words.bytes(blob.size)}.`);
    announce(`${name} was written`, { now: true });
  }

  return { leave: reader.leave };
}
