// Judged: the checks of one notification in their order, up to the one that it did not pass.
import { h, fill, strange } from '../lib/dom.js';
import { glyph } from '../lib/glyphs.js';
import { checkOf } from '../lib/sentences.js';

export class Judged {
  constructor(words) {
    this.words = words;
    this.element = h('section', { class: 'judged' });
    this.all = false;
  }

  show(n) {
    this.n = n;
    this.draw();
  }

  draw() {
    const checks = (this.n.explain ?? []).map(checkOf);
    const failed = checks.findIndex((check) => !check.ok);
    const isRefused = this.n.outcome === 'rejected';
    const band = ['rejected', 'discarded'].includes(this.n.outcome) || checks[failed]?.check === 'activity' ? 'failed' : 'ended';
    const few = checks.length > 8 ? [...checks.filter((check) => check.ok && telling(check)).slice(failed < 0 ? -6 : -4), ...checks.filter((check) => !check.ok)] : checks;
    const visible = this.all ? checks : few;
    const summary = failed < 0 ? `${this.words.plural(checks.length, 'check')}, all passed`
      : failed === 0 ? ''
        : isRefused ? `stopped at the ${ordinal(failed + 1)} check` : `${failed} checks passed`;
    fill(this.element,
      h('h2', { id: 'judged', tabindex: '-1' }, 'Judged', h('span', { class: 'beside' }, summary),
        visible.length < checks.length && h('button', {
          type: 'button', class: 'link', onclick: () => { this.all = true; this.draw(); this.element.querySelector('h2').focus(); },
        }, `Show all ${checks.length}`)),
      h('ol', { class: 'checks' }, visible.map((check) => [
        h('li', { class: check.ok ? '' : band },
          glyph(check.ok ? 'tick' : band === 'failed' ? 'rejected' : this.n.outcome, check.ok ? 'good' : band === 'failed' ? 'bad' : 'quiet'),
          h('span', { class: 'name' }, check.name, h('span', { class: 'spoken' }, check.ok ? ' passed' : band === 'failed' ? ' failed' : '')),
          h('span', { class: 'found' }, strange(check.found || (check.ok ? 'passed' : '')),
            check.source && h('span', { class: 'source' }, ` ${check.source}`),
            check.log && h('span', { class: 'log' }, ` Apple’s log: ${check.log}`))),
        check.hint && h('li', { class: 'hint' }, h('strong', {}, 'Hint'), ' ', strange(check.hint)),
      ])),
      failed >= 0 && isRefused && h('p', { class: 'unreached' }, 'What follows was not reached.'),
    );
  }
}

// Whether a passed check says more than that it passed.
function telling(check) {
  return Boolean(check.found) && !['method', 'path', 'repeats', 'deviceTokenPresence', 'topicPresence', 'payloadPresence', 'deviceToken',
    'registration'].includes(check.check) && check.found !== 'none' && check.found !== '0 bytes';
}

function ordinal(number) {
  const ending = { 1: 'st', 2: 'nd', 3: 'rd' }[number % 100 > 10 && number % 100 < 14 ? 0 : number % 10] ?? 'th';
  return `${number}${ending}`;
}
