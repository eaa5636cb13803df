// One stream of digests for the whole page: what arrived in each quarter of a second, counted by the server. Panes listen
// to it; none reads events of its own.
import { query } from './api.js';

const firstWait = 1_000;
const longestWait = 4_000;

export class Live {
  constructor(api) {
    this.api = api;
    this.listeners = new Set();
    this.text = '';
    this.seq = 0;
    this.process = null;
    this.isConnected = false;
    this.lostAt = null;
    this.recent = [];
  }

  // `listener(kind, data)`: `hello` (data.isAnew: the program was started again), `digest`, `lost`, `again`.
  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  // Digests count as matching what `text` matches.
  watch(text) {
    if (text === this.text && this.run) return;
    this.text = text;
    this.start();
  }

  start() {
    this.stop();
    this.run = new AbortController();
    this.read(this.run.signal);
  }

  stop() {
    this.run?.abort();
    this.run = null;
    clearTimeout(this.timer);
  }

  // Tries again now rather than when it would.
  retry() { this.start(); }

  async read(signal) {
    let wait = firstWait;
    while (!signal.aborted) {
      try {
        const path = '/events' + query({ digest: '250ms', query: this.text });
        await this.api.stream(path, (event) => { wait = firstWait; this.take(event); }, { signal, after: this.seq || undefined });
      } catch (error) {
        if (signal.aborted) return;
        if (error.status === 400 && this.text) return;
      }
      if (signal.aborted) return;
      this.lose(wait);
      await new Promise((resolve) => { this.timer = setTimeout(resolve, wait); });
      wait = Math.min(wait * 2, longestWait);
    }
  }

  take({ event, id, data }) {
    if (event === 'hello') {
      const isAnew = this.process !== null && this.process !== data.process;
      this.seq = data.seq;
      this.process = data.process;
      const wasLost = this.lostAt !== null;
      this.isConnected = true;
      this.lostAt = null;
      this.tell('hello', { ...data, isAnew, wasLost });
    } else if (event === 'digest') {
      this.seq = Number(id ?? data.seq);
      this.recent.push([performance.now(), data.received, data.rejected]);
      this.tell('digest', data);
    }
  }

  lose(wait) {
    this.isConnected = false;
    this.lostAt ??= new Date();
    this.retryAt = Date.now() + wait;
    this.tell('lost', {});
  }

  // Notifications a second, over the last two.
  rate() {
    const from = performance.now() - 2_000;
    while (this.recent.length && this.recent[0][0] < from) this.recent.shift();
    return Math.round(this.recent.reduce((sum, [, received]) => sum + received, 0) / 2);
  }

  tell(kind, data) { for (const listener of [...this.listeners]) listener(kind, data); }
}
