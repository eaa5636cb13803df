// The recording so far: the journal, as a file that replay, diff and inspect read.
import { h, fill } from '../lib/dom.js';
import { copyable } from '../lib/copy.js';
import { control } from '../lib/options.js';
import { query } from '../lib/api.js';
import { action, problemText, reading } from '../lib/parts.js';

// The recording of each sandbox: the first event, and when that was. It goes on while other panes are looked at.
const recordings = new Map();

export function mount(root, context) {
  const { api, words, announce } = context;
  const about = h('dl', { class: 'facts' });
  const said = h('p', { class: 'second', role: 'status' });
  const stretch = h('span', { class: 'actions' });
  root.append(h('div', { class: 'pad' }, h('h1', null, 'Capture'),
    h('p', { class: 'why' },
      'Everything that happened, in order: what providers sent to the byte, what was answered, and when. Provider tokens are never in it.'), about,
    h('div', { class: 'actions' }, action('Download', () => download(false), { class: 'button main' }),
      action('Download redacted', () => download(true))), said,
    !context.isRecording && h('p', null, stretch),
    h('p', { class: 'aside' },
      'Redacted: device tokens become stable pseudonyms, texts in payloads become fillers of the same length; sizes, times and outcomes stay.'),
    h('h2', { class: 'later-head' }, 'With the file'),
    copyable('apnsim replay capture.jsonl.gz --offline'), copyable('apnsim diff before.jsonl.gz capture.jsonl.gz'),
      copyable('apnsim inspect capture.jsonl.gz'),
    !context.isRecording && [h('h2', { class: 'later-head' }, 'From now on, into a file'),
      copyable(`apnsim record capture.jsonl.gz${control(context.route.sandbox)}`)]));
  const reader = reading(context, () => false, read);
  const off = context.live.listen((kind, data) => {
    // Another process numbers its events anew.
    if (kind === 'hello' && data.isAnew && recordings.delete(context.route.sandbox)) drawStretch();
  });
  drawStretch();

  // A stretch of the journal is recorded by its beginning: what comes is in the history until it is downloaded.
  function drawStretch() {
    const running = recordings.get(context.route.sandbox);
    fill(stretch, running
      ? [h('button', { class: 'button', onclick: () => stop(running, false) }, 'Stop and download'),
        h('button', { class: 'button', onclick: () => stop(running, true) }, 'Stop, download redacted'),
        h('span', { class: 'second' }, `Recording since ${words.clock(running.at)}`)]
      : [h('button', { class: 'button', onclick: begin }, 'Record from now on'),
        h('span', { class: 'second' }, 'What comes until it is stopped, as a file of its own')]);
  }

  function begin() {
    recordings.set(context.route.sandbox, { from: context.live.seq + 1, at: new Date().toISOString() });
    announce('Recording', { now: true });
    drawStretch();
  }

  async function stop(running, isRedacted) {
    recordings.delete(context.route.sandbox);
    drawStretch();
    await download(isRedacted, running.from).catch((error) => fill(said, problemText(error)));
  }

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

  async function download(isRedacted, from) {
    fill(said, 'Reading the journal.');
    const response = await api.fetch('GET', '/capture' + query({ from, redact: isRedacted || undefined }));
    const blob = await new Response(response.body.pipeThrough(new CompressionStream('gzip'))).blob();
    const name = `apnsim${isRedacted ? '-redacted' : ''}.jsonl.gz`;
    const link = h('a', { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    fill(said, `${name}: ${words.bytes(blob.size)}.`);
    announce(`${name} was written`, { now: true });
  }

  return { leave() { off(); reader.leave(); } };
}
