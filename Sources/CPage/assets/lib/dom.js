// Elements are made here and nowhere else. Text is only ever text: nothing is parsed.

const svgNames = new Set(['svg', 'path', 'circle', 'rect', 'line', 'g', 'polyline', 'text', 'title']);

// h('a', { class: 'link', href: '/devices/bob', onclick: f }, 'bob', …). Children are nodes, strings, numbers, arrays of
// them, or nothing (null, undefined, false). Attributes that are null, undefined or false are left out; `on…` listens.
export function h(tag, attributes, ...children) {
  const element = svgNames.has(tag)
    ? document.createElementNS('http://www.w3.org/2000/svg', tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked' || name === 'selected') element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...flat(children));
  return element;
}

// The children of `element` become these; those that stay where they are keep their focus and scroll position.
export function fill(element, ...children) {
  const next = flat(children).map((child) => (child instanceof Node ? child : document.createTextNode(child)));
  const same = next.length === element.childNodes.length && next.every((node, i) => node === element.childNodes[i]);
  if (!same) element.replaceChildren(...next);
  return element;
}

// Writes text only where it differs, so that nothing is laid out again for nothing.
export function say(element, text) {
  const string = String(text);
  if (element.textContent !== string) element.textContent = string;
}

// Strangers' text: control characters and bidi overrides as pictures of themselves, in a <bdi>.
export function strange(text, attributes) {
  return h('bdi', attributes, pictured(text));
}

// `lines` keeps line breaks and tabs as they are; else a line break is ⏎.
export function pictured(text, { lines = false } = {}) {
  return String(text).replace(pictures, (character) => {
    if (lines && (character === '\n' || character === '\t')) return character;
    const code = character.codePointAt(0);
    if (character === '\n') return '⏎';
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return '␡';
    return `⟨${names[code] ?? 'U+' + code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

// Whether `pictured` shows something that a reader would not see by themselves.
export function hasHidden(text) {
  return new RegExp(pictures.source, 'u').test(String(text).replace(/[\n\t]/g, ''));
}

const pictures = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
const names = {
  0x061c: 'ALM', 0x200b: 'ZWSP', 0x200e: 'LRM', 0x200f: 'RLM', 0x2028: 'LS', 0x2029: 'PS', 0x202a: 'LRE', 0x202b: 'RLE',
  0x202c: 'PDF', 0x202d: 'LRO', 0x202e: 'RLO', 0x2060: 'WJ', 0x2066: 'LRI', 0x2067: 'RLI', 0x2068: 'FSI', 0x2069: 'PDI',
  0xfeff: 'BOM',
};

function flat(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}
