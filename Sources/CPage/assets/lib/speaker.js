// Says to screen readers what has come in, summed up over the seconds between two announcements.
import { count, outcomeKey } from './words.js';

export class Speaker {
  constructor(announce) {
    this.announce = announce;
    this.forget();
  }

  forget() { Object.assign(this, { received: 0, rejected: 0, reason: '' }); }

  take({ received, rejected, outcomes }) {
    this.received += received;
    this.rejected += rejected;
    const refused = Object.keys(outcomes).find((key) => /^rejected(:|$)/.test(key));
    if (refused) this.reason = outcomeKey(refused).word;
    const also = this.rejected ? `, ${count(this.rejected)} rejected: ${this.reason}` : '';
    this.announce(`${count(this.received)} new${also}`, { said: () => this.forget() });
  }
}
