// The scenario: an editor that is checked as one types, and the loading of it.
import { h, fill, say, strange } from '../lib/dom.js';
import { ask } from '../lib/ask.js';
import { unitAt } from '../lib/scalars.js';
import { flow, toYAML } from '../lib/yaml.js';
import { problemText } from '../lib/parts.js';

// A draft survives a look at another pane.
const drafts = new Map();
const example = `version: 1
name: bob is offline for ten minutes
clock: { mode: virtual, start: 2012-06-01T00:00:00Z }
devices:
  bob: { apps: [com.example.app], online: false }
timeline:
  - { at: 10m, do: { device.online: bob } }
`;

export function mount(root, context) {
  const { api, words, announce } = context;
  let mistakes = [];
  let resets = '';
  const text = h('textarea', { class: 'mono', spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', wrap: 'off',
    'aria-label': 'Scenario, in YAML or JSON', 'aria-describedby': 'scenario-sum' });
  const gutter = h('div', { class: 'gutter', 'aria-hidden': 'true' });
  const under = h('pre', { class: 'behind', 'aria-hidden': 'true' });
  const sum = h('p', { id: 'scenario-sum', role: 'status' });
  const list = h('ol', { class: 'mistakes' });
  const said = h('p', { class: 'mistake', role: 'alert' });
  const beside = h('section', null);
  root.append(h('div', { class: 'pad' }, h('div', { class: 'title-line' }, h('h1', null, 'Scenario'),
    h('span', { class: 'actions' }, h('button', { class: 'button main', onclick: load }, 'Load…'),
      h('button', { class: 'button', onclick: current }, 'The one that runs'),
      h('button', { class: 'button', onclick: () => put(example) }, 'An example'))),
  h('p', { class: 'why' }, 'Devices, rules, a timeline and a clock, from one file. Loading it is a reset into it.'),
  h('div', { class: 'scenario-columns' },
    h('div', null, h('div', { class: 'editor' }, gutter, h('div', { class: 'paper' }, under, text)), sum, list, said), beside)));

  let timer = null;
  let turn = 0;
  text.addEventListener('input', () => { drafts.set(context.route.sandbox, text.value); typed(); });
  text.addEventListener('scroll',
    () => { under.scrollTop = gutter.scrollTop = text.scrollTop; under.scrollLeft = text.scrollLeft; }, { passive: true });
  text.addEventListener('keydown', key);
  if (drafts.has(context.route.sandbox)) put(drafts.get(context.route.sandbox));
  else current();
  readLoaded();

  function put(value) {
    text.value = value;
    drafts.set(context.route.sandbox, value);
    typed(0);
  }

  // Text written while the answer was on its way stays.
  async function current() {
    const before = text.value;
    const scenario = await api.get('/scenario').catch(() => null);
    if (scenario && text.value === before) put(toYAML(scenario));
  }

  function typed(wait = 300) {
    drawPaper();
    clearTimeout(timer);
    timer = setTimeout(check, wait);
  }

  async function check() {
    const mine = ++turn;
    const found = await api.send('POST', '/scenario/check', text.value,
      { type: 'application/yaml' }).catch((error) => ({ error }));
    if (mine !== turn) return;
    fill(said, found.error ? problemText(found.error) : '');
    mistakes = found.mistakes ?? [];
    resets = found.resets ?? '';
    if (!found.error) drawMistakes();
  }

  function drawMistakes() {
    drawPaper();
    const lines = mistakes.map((one) => one.line);
    say(sum, mistakes.length
      ? `${words.plural(mistakes.length, 'mistake')}: ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}. F8 goes to the next.` : 'No mistakes.');
    sum.className = mistakes.length ? 'bad' : 'aside';
    fill(list, mistakes.map((one) => h('li', null, h('button', { class: 'link', type: 'button', onclick: () => goTo(one) },
      `Line ${one.line}, column ${one.column}`), ' ', strange(one.message),
      one.suggestion && h('span', { class: 'second' }, ' Did you mean ', h('code', null, one.suggestion), '?'))));
  }

  // The same text below the field, with a wavy line where something is wrong.
  function drawPaper() {
    const lines = text.value.split('\n');
    const wrong = new Map(mistakes.map((one) => [one.line, one]));
    fill(gutter, lines.map((_, i) => h('div', { class: wrong.has(i + 1) ? 'wrong' : null }, i + 1)));
    fill(under, lines.map((line, i) => {
      const one = wrong.get(i + 1);
      if (!one) return `${line}\n`;
      const { from, to } = within(line, one);
      return [line.slice(0, from), h('u', null, line.slice(from, to) || ' '), `${line.slice(to)}\n`];
    }));
    under.scrollTop = gutter.scrollTop = text.scrollTop;
  }

  function goTo(one) {
    const lines = text.value.split('\n');
    const at = lines.slice(0, one.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const { from, to } = within(lines[one.line - 1] ?? '', one);
    text.focus();
    text.setSelectionRange(at + from, at + to);
    text.scrollTop = Math.max(0, (one.line - 5) * 20);
  }

  function key(event) {
    if (event.key === 'F8' && mistakes.length) {
      const line = text.value.slice(0, text.selectionStart).split('\n').length;
      goTo(mistakes.find((one) => one.line > line) ?? mistakes[0]);
      event.preventDefault();
    }
  }

  async function load() {
    clearTimeout(timer);
    await check();
    if (mistakes.length) { goTo(mistakes[0]); return; }
    const { kept } = await context.figures();
    const isSure = await ask('Load this scenario?',
      resets || `It is a reset: ${words.plural(kept, 'notification')}, devices, faults and the clock become what the scenario says. Providers’ connections stay open.`, 'Load', 'Keep');
    if (!isSure) return;
    try {
      await api.send('PUT', '/scenario', text.value, { type: 'application/yaml' });
      fill(said);
      announce('The scenario is loaded', { now: true });
      context.refresh({ clock: true, faults: true, figures: true });
      await readLoaded();
    } catch (error) {
      mistakes = [error.body, ...error.body?.others ?? []].filter((one) => one?.line).map((one) => ({ line: one.line,
        column: one.column, length: 1, message: one.detail, suggestion: /"(.+)"/.exec(one.hint ?? '')?.[1] }));
      if (mistakes.length) { drawMistakes(); goTo(mistakes[0]); } else fill(said, problemText(error));
    }
  }

  // The timeline and the expectations of the one that runs.
  async function readLoaded() {
    const { timeline = [], expect = [], name } = await api.get('/scenario').catch(() => ({}));
    fill(beside, h('h2', null, 'Running', name && h('small', null, strange(name))),
      timeline.length ? h('ol', { class: 'timeline' },
        timeline.map((step) => h('li', null, h('span', { class: 'mono' }, step.at),
        h('code', null, strange(step.do ? flow(step.do) : `expect ${flow(step.expect)}`)))))
        : h('p', { class: 'aside' }, 'No timeline.'),
      expect.length > 0 && [h('h2', { class: 'later-head' }, 'Expected'),
        h('ul', { class: 'timeline' }, expect.map((one) => h('li', null, h('code', null, strange(flow(one))))))]);
    context.state(h('span', { class: 'said' }, timeline.length ? `${words.plural(timeline.length, 'step')} in the timeline`
      : 'No timeline'));
  }

  return { leave() { clearTimeout(timer); turn += 1; } };
}

// The beginning and end of a mistake in its line.
function within(line, { column, length }) {
  const from = Math.max(0, column - 1);
  return { from: unitAt(line, from), to: unitAt(line, from + (length || 1)) };
}
