// JSON as it was sent: indented, its members in the order and the spelling of the sender, repeated ones marked.
import { h, pictured } from './dom.js';

const depthLimit = 200;

// An element with the text as indented lines; null where the text is not JSON. `fault` is the path of a member that the
// receiver could not use, such as `aps.content-state.arrival`.
export function jsonView(text, { fault } = {}) {
  const scanner = new Scanner(text, fault);
  try {
    scanner.value(0, '');
    scanner.space();
  } catch (error) {
    if (error instanceof Mistake) return null;
    throw error;
  }
  if (scanner.at !== text.length) return null;
  return h('pre', { class: 'json', tabindex: '0', 'aria-label': 'Payload' }, scanner.pieces);
}

class Mistake extends Error {}

class Scanner {
  constructor(text, fault) {
    this.text = text;
    this.fault = fault;
    this.at = 0;
    this.pieces = [];
  }

  value(depth, path) {
    if (depth > depthLimit) throw new Mistake();
    this.space();
    const first = this.text[this.at];
    if (first === '{') return this.members(depth, path);
    if (first === '[') return this.elements(depth, path);
    const isFault = this.fault !== undefined && path === this.fault;
    if (first === '"') return this.put(isFault ? 'text fault' : 'text', this.string());
    const word = this.take(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y);
    this.put(isFault ? 'number fault' : 'number', word);
  }

  members(depth, path) {
    const seen = new Set();
    this.list('{', '}', depth, () => {
      const key = this.string();
      const name = JSON.parse(key);
      this.put('key', key);
      if (seen.has(name)) this.put('twice', ' (again: the last one counts)');
      seen.add(name);
      this.space();
      this.take(/:/y);
      this.pieces.push(': ');
      this.value(depth + 1, path ? `${path}.${name}` : name);
    });
  }

  elements(depth, path) {
    let index = 0;
    this.list('[', ']', depth, () => this.value(depth + 1, `${path}.${index++}`));
  }

  list(begin, end, depth, item) {
    this.at += 1;
    this.space();
    if (this.text[this.at] === end) {
      this.at += 1;
      this.pieces.push(begin + end);
      return;
    }
    this.pieces.push(begin);
    for (let separator = ','; separator === ','; separator = this.take(end === '}' ? /[,}]/y : /[,\]]/y)) {
      if (this.pieces.at(-1) !== begin) this.pieces.push(',');
      this.pieces.push('\n' + '  '.repeat(depth + 1));
      this.space();
      item();
      this.space();
    }
    this.pieces.push('\n' + '  '.repeat(depth), end);
  }

  string() {
    const text = this.take(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y);
    return text;
  }

  space() { this.take(/[ \t\r\n]*/y); }

  take(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) throw new Mistake();
    this.at = pattern.lastIndex;
    return found[0];
  }

  put(kind, text) { this.pieces.push(h('span', { class: kind }, pictured(text))); }
}
