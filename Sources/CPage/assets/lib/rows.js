// The rows of the list, newest first, as far as they have been read. Row 0 is the newest that is shown; what comes later
// is held back until `release`.
import { Unreachable, query } from './api.js';

const pageSize = 200;
const mostPages = 24;
const mostFound = 50_000;
const mostWaiting = 5_000;

const number = (id) => Number(id.slice(1));

// Everything that is kept. Numbers follow each other, so any place can be read at once, and a place is a number.
export class AllRows {
  constructor(api, onRead) {
    Object.assign(this, { api, onRead, items: new Map(), pages: new Map(), reading: new Map(), past: [] });
    this.newest = this.shown = this.oldest = 0;
    this.reach = null;
  }

  // The notifications that are no longer kept, at the foot of the list.
  get lost() { return this.length && this.oldest > 1 ? { from: 1, to: this.oldest - 1 } : null; }

  get count() { return this.shown ? this.shown - this.oldest + 1 : 0; }
  get length() { return this.count + this.past.length; }
  get held() { return this.newest - this.shown; }

  id(index) { return index < this.count ? `n${this.shown - index}` : this.past[index - this.count]?.id; }
  at(index) { return index < this.count ? this.items.get(this.shown - index) : this.past[index - this.count]; }
  isPast(index) { return index >= this.count && index < this.length; }
  indexOf(id) {
    const n = number(id);
    return n <= this.shown && n >= this.oldest ? this.shown - n : -1;
  }

  async start() {
    const first = await this.read(null);
    this.newest = this.shown = first.length ? number(first[0].id) : 0;
    await this.trim();
  }

  // The beginning of the history by now; looking it up takes little, however much is kept.
  // While rows are held, what is shown stays, even if the program does not keep it any more.
  async trim() {
    if (this.held) return;
    const { notifications: [first] } = await this.api.get('/notifications?limit=1');
    if (first) this.oldest = number(first.id);
    else this.forget();
  }

  forget() {
    this.items.clear();
    this.pages.clear();
    this.newest = this.shown = this.oldest = 0;
  }

  // After a restart the old rows stay, below the new ones.
  restart() {
    const past = [];
    for (let i = 0; i < Math.min(this.count, pageSize); i++) if (this.at(i)) past.push(this.at(i));
    this.forget();
    this.past = past;
  }

  take(digest, hold) {
    for (const item of digest.newest) this.keep(item);
    if (digest.newest.length) {
      this.newest = Math.max(this.newest, number(digest.newest[0].id));
      if (!this.oldest) this.oldest = number(digest.newest.at(-1).id) - digest.skipped;
    }
    if (!hold) this.release();
  }

  release() { this.shown = this.newest; }

  // Reads what is missing of these places; one read at a time for each page.
  want(first, last) {
    const from = this.shown - Math.min(last, this.count - 1);
    for (let page = Math.floor((this.shown - first) / pageSize); page >= Math.floor(from / pageSize); page--) {
      const low = Math.max(from, page * pageSize);
      const high = Math.min(this.shown - first, page * pageSize + pageSize - 1);
      let isWhole = true;
      for (let n = low; n <= high; n++) isWhole &&= this.items.has(n);
      if (!isWhole && !this.reading.has(page)) this.readPage(page);
    }
  }

  async readPage(page) {
    this.reading.set(page, `n${Math.max(1, page * pageSize)} to n${page * pageSize + pageSize - 1}`);
    try {
      await this.read(`n${(page + 1) * pageSize}`);
      this.pages.delete(page);
      this.pages.set(page, true);
      if (this.pages.size > mostPages) this.drop(this.pages.keys().next().value);
      await this.settle(page);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      return;
    } finally {
      this.reading.delete(page);
    }
    this.onRead();
  }

  // A notification that its page lacks is not kept any more; it is not asked for again.
  async settle(page) {
    let isWhole = true;
    for (let n = page * pageSize; n < (page + 1) * pageSize && n <= this.shown; n++) {
      if (n < this.oldest || this.items.has(n)) continue;
      this.items.set(n, null);
      isWhole = false;
    }
    if (!isWhole) await this.trim();
  }

  drop(page) {
    this.pages.delete(page);
    for (let n = page * pageSize; n < (page + 1) * pageSize; n++) this.items.delete(n);
  }

  async read(before) {
    const { notifications } = await this.api.get('/notifications' + query({ order: 'newest', before, limit: pageSize }));
    for (const item of notifications) this.keep(item);
    return notifications;
  }

  keep(item) { this.items.set(number(item.id), item); }

  // Rows from digests are kept, too; those far from the rows in sight are given up.
  bound(first, last) {
    if (this.items.size < mostPages * pageSize * 2) return;
    const high = this.shown - first + pageSize * 4;
    const low = this.shown - last - pageSize * 4;
    for (const n of this.items.keys()) if (n > high || n < low) this.items.delete(n);
    this.pages.clear();
  }

  // Reads again what changed and is looked at, or with null everything that is; gives the ids.
  async refresh(ids, first, last) {
    if (!ids) {
      for (const page of this.pages.keys()) if (page !== Math.floor((this.shown - first) / pageSize)) this.drop(page);
      await this.read(`n${this.shown - first + 1}`);
      return [];
    }
    const seen = ids.filter((id) => this.items.has(number(id)) && within(this.indexOf(id), first, last));
    if (!seen.length) return [];
    const high = Math.max(...seen.map(number));
    await this.read(`n${high + 1}`);
    return seen;
  }
}

// Notifications that match a query or lie in a time window: read from the newest, as far as one scrolls.
export class FoundRows {
  constructor(api, onRead, filter) {
    Object.assign(this, { api, onRead, filter, items: [], waiting: [], heldCount: 0, hasGap: false, reading: new Map(), past: [], next: null });
    this.matched = this.kept = 0;
  }

  get lost() { return null; }
  get length() { return this.items.length; }
  get held() { return this.heldCount; }
  id(index) { return this.items[index]?.id; }
  at(index) { return this.items[index]; }
  get count() { return this.items.length; }
  isPast() { return false; }
  indexOf(id) { return this.items.findIndex((item) => item.id === id); }

  async start() {
    const found = await this.read(undefined);
    this.items = found.notifications;
    Object.assign(this, { waiting: [], heldCount: 0, hasGap: false });
    this.next = found.next;
    this.matched = found.matched;
    this.kept = found.kept;
  }

  read(before) {
    return this.api.get('/notifications' + query({ order: 'newest', before, limit: pageSize, counts: true, ...this.filter }));
  }

  // Counts anew: what is old leaves the history.
  async trim() {
    const { matched, kept } = await this.api.get('/notifications' + query({ order: 'newest', limit: 1, counts: true, ...this.filter }));
    Object.assign(this, { matched, kept });
  }

  restart() { this.items = []; }
  forget() { Object.assign(this, { items: [], waiting: [], heldCount: 0, next: null, matched: 0 }); }

  take(digest, hold) {
    this.kept += digest.received;
    if (this.filter.to) return;
    // The stream may begin before what was read, and tell of it again.
    const known = number(this.waiting[0]?.id ?? this.items[0]?.id ?? 'n0');
    const fresh = digest.newest.filter((item) => number(item.id) > known);
    const matched = digest.skipped ? digest.matched : fresh.length;
    this.matched += matched;
    this.heldCount += matched;
    // Where a digest leaves some out, the list begins with what it has, and reads on from there.
    if (digest.skipped) {
      this.waiting = digest.newest;
      this.hasGap = true;
    } else {
      this.waiting.unshift(...fresh);
      if (this.waiting.length > mostWaiting) { this.waiting.length = pageSize; this.hasGap = true; }
    }
    if (!hold) this.release();
  }

  release() {
    if (this.hasGap) {
      this.items = this.waiting;
      this.next = this.items.at(-1)?.id ?? null;
    } else if (this.waiting.length) {
      this.items = [...this.waiting, ...this.items].slice(0, mostFound);
    }
    Object.assign(this, { waiting: [], hasGap: false, heldCount: 0 });
  }

  async want(first, last) {
    if (!this.next || last < this.items.length - 40 || this.reading.size || this.items.length >= mostFound) return;
    this.reading.set(0, `before ${this.next}`);
    try {
      const found = await this.read(this.next);
      this.items = this.items.concat(found.notifications);
      this.next = found.next;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      return;
    } finally {
      this.reading.clear();
    }
    this.onRead();
  }

  bound() {}

  async refresh(ids, first, last) {
    const seen = this.items.slice(Math.max(0, first), last + 1).filter((item) => !ids || ids.includes(item.id)).map((item) => item.id);
    await Promise.all(seen.slice(0, 40).map(async (id) => {
      const item = await this.api.get(`/notifications/${id}`);
      const index = this.indexOf(id);
      if (index >= 0) this.items[index] = item;
    }));
    return seen;
  }
}

function within(index, first, last) { return index >= first && index <= last; }
