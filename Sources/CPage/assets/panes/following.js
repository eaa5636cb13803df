// Notifications that arrive while one looks at the list: they come in at the top, or are held back while something is
// looked at or the list is paused; what changed is read again, and what is no longer kept goes.
import { h, fill, say } from '../lib/dom.js';
import { glyph } from '../lib/glyphs.js';
import { Speaker } from '../lib/speaker.js';

export class Following {
  // `pane`: isChosen(), drawEmpty(), drawState(), refreshStrip(wait) of the list that this is for.
  constructor(context, list, pane) {
    Object.assign(this, { context, list, pane, isPaused: false, sincePause: null, heldRefused: 0, changes: [] });
    this.isOver = false;
    this.isReadingChanges = false;
    this.trimTimer = null;
    this.speaker = new Speaker(context.announce);
    this.pill = h('button', { class: 'pill', hidden: true, onclick: () => this.release() });
    this.pause = h('button', { class: 'button pause', onclick: () => this.togglePause() });
    this.drawPause();
    const { element } = list;
    element.addEventListener('pointerenter', () => { this.isOver = true; });
    element.addEventListener('pointerleave', () => { this.isOver = false; });
    element.addEventListener('scroll', () => {
      if (this.rows?.held && list.isAtTop && !this.isHeld) { this.rows.release(); this.drawPill(); }
    }, { passive: true });
  }

  get rows() { return this.list.source; }

  // New rows come in only at the top, and only where nothing is looked at.
  get isHeld() {
    const { list } = this;
    return this.isPaused || !list.isAtTop || (this.isOver && this.rows.length > 0) || this.pane.isChosen()
      || (list.active !== null && document.activeElement === list.element);
  }

  take(data) {
    const { rows, list, pane } = this;
    if (!rows) return;
    if (this.isPaused) {
      this.sincePause.received += data.received;
      this.sincePause.refused += data.rejected;
    }
    if (data.received || data.newest.length) {
      rows.take(data, this.isHeld);
      if (rows.held && !this.isPaused) this.heldRefused += data.rejected;
      rows.bound?.(list.first ?? 0, list.last ?? 0);
      pane.drawEmpty();
      if (!this.isPaused && !document.hidden) this.speaker.take(data);
      pane.refreshStrip(2000);
    }
    if (data.changedMore) this.changes = null;
    else if (data.changed.length) this.changes?.push(...data.changed);
    if (!this.changes || this.changes.length) this.readChanges();
    if (data.received) this.trimSoon();
    if (data.cleared) rows.start().then(() => { pane.drawEmpty(); list.draw(); });
    this.drawPill();
    if (!document.hidden) list.draw();
  }

  // Rows that were held back come in, and the list is at its top.
  release() {
    const { rows, list } = this;
    rows.release();
    rows.trim().then(() => list.draw()).catch(() => {});
    this.heldRefused = 0;
    list.toTop();
    this.drawPill();
    this.pane.drawState();
  }

  drawPill() {
    const { words } = this.context;
    const isShown = this.rows?.held > 0 && !this.isPaused;
    this.pill.hidden = !isShown;
    if (!isShown) { this.heldRefused = 0; return; }
    say(this.pill, `${words.count(this.rows.held)} new${this.heldRefused ? `, ${words.count(this.heldRefused)} refused` : ''} ↑`);
  }

  async readChanges() {
    if (this.isReadingChanges) return;
    this.isReadingChanges = true;
    const { list, changes: ids } = this;
    this.changes = [];
    const seen = await this.rows.refresh(ids, list.first ?? 0, list.last ?? 0).catch(() => []);
    if (this.context.live.rate() <= 10) for (const row of list.pool) if (seen.includes(row.id)) row.flash();
    list.draw();
    setTimeout(() => {
      this.isReadingChanges = false;
      if (!this.isLeft && (!this.changes || this.changes.length)) this.readChanges();
    }, 250);
  }

  // The oldest kept notification changes; the end of the list is looked up every few seconds while it does.
  trimSoon() {
    this.trimTimer ??= setTimeout(() => {
      this.trimTimer = null;
      this.rows.trim().then(() => this.list.draw()).catch(() => {});
    }, this.rows.filter ? 10_000 : 2_000);
  }

  togglePause() {
    if (this.context.isRecording) return;
    const { list, rows } = this;
    this.isPaused = !this.isPaused;
    this.sincePause = this.isPaused ? { at: new Date().toISOString(), received: 0, refused: 0 } : null;
    this.context.setPaused(this.isPaused);
    if (!this.isPaused && rows && list.isAtTop) rows.release();
    this.drawPause();
    this.drawPill();
    this.pane.drawState();
    list.draw();
  }

  drawPause() {
    this.pause.setAttribute('aria-pressed', String(this.isPaused));
    fill(this.pause, glyph(this.isPaused ? 'resume' : 'pause'), h('span', { class: 'word' }, this.isPaused ? 'Go on' : 'Pause'),
      h('kbd', { 'aria-hidden': 'true' }, 'p'));
  }

  leave() {
    this.isLeft = true;
    clearTimeout(this.trimTimer);
    this.context.setPaused(false);
  }
}
