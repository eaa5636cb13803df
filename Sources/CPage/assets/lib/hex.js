// Bytes with their fields: a table of fields above, all bytes below, lit together.

import { h, strange } from './dom.js';

// 16 bytes a row; 8 where the page is as narrow as a phone, so that nothing scrolls sideways.
const bytesInRow = () => (matchMedia('(max-width: 48rem)').matches ? 8 : 16);
// Beyond this many bytes a row has one element for a run of one field, not one for each byte.
const singly = 8192;

const hex = (number, digits) => number.toString(16).padStart(digits, '0');
const character = (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·');

// The bytes of Base64.
export function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
}

// Bytes as `0102 …`, without spaces.
export function hexText(bytes) {
  return Array.from(bytes, (byte) => hex(byte, 2)).join('');
}

// The table and the bytes.
//
// `fields`: `{ name, from, to, text, error? }` with offsets into `bytes`, `to` being the first byte after the field.
export function hexView(bytes, fields, what = 'The bytes') {
  const lights = fields.map(() => []);
  const rows = fields.map((field, index) => row(field, index, lights));
  const view = h('div', { class: 'hexview' },
    fields.length > 0 && h('table', { class: 'fields' },
      h('thead', {}, h('tr', {}, ...['Field', 'Bytes', 'Value'].map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, ...rows)),
    dump(bytes, fields, lights, what));

  let lit = -1;
  const light = (index) => {
    if (index === lit) return;
    for (const element of lights[lit] ?? []) element.classList.remove('lit');
    for (const element of lights[index] ?? []) element.classList.add('lit');
    lit = index;
  };
  const fault = fields.findIndex((field) => field.error);
  let twin = null;
  const point = (event) => {
    const field = event.target.closest('[data-field]');
    light(field ? Number(field.dataset.field) : fault);
    twin?.classList.remove('here');
    twin = pair(event.target);
    twin?.classList.add('here');
  };
  view.addEventListener('pointerover', point);
  view.addEventListener('pointerleave', point);
  view.addEventListener('focusin', point);
  view.addEventListener('keydown', (event) => walk(event, view));
  light(fault);
  return view;
}

function row(field, index, lights) {
  const count = field.to - field.from;
  const range = count > 1 ? `${hex(field.from, 4)}–${hex(field.to - 1, 4)}` : count === 1 ? hex(field.from, 4) : 'none';
  const name = h('button', { type: 'button', class: 'field', tabindex: index === 0 ? '0' : '-1' },
    h('i', { class: `swatch f${index % 5 + 1}`, 'aria-hidden': 'true' }), field.name);
  const element = h('tr', { class: field.error ? 'fault' : '', 'data-field': String(index) },
    h('th', { scope: 'row' }, name),
    h('td', { class: 'mono' }, range),
    h('td', { class: 'value' }, strange(field.text ?? ''), field.error && h('span', { class: 'error' }, ` ${field.error}`)));
  lights[index].push(element);
  return element;
}

// All bytes, 16 a row, as characters beside.
function dump(bytes, fields, lights, what) {
  const owner = owners(bytes.length, fields);
  const width = bytesInRow();
  const digits = bytes.length > 0xffff ? 6 : 4;
  const box = h('div', { class: 'hex', tabindex: '0', role: 'group', 'aria-label': `${what}, ${bytes.length} in hex` });
  for (let start = 0; start < bytes.length; start += width) {
    const end = Math.min(start + width, bytes.length);
    const codes = h('span', { class: 'codes' });
    const characters = h('span', { class: 'characters' });
    for (const [from, to] of runs(owner, start, end, bytes.length > singly)) {
      const index = owner[from];
      for (const [side, text] of [[codes, (byte) => hex(byte, 2)], [characters, character]]) {
        const data = index < 0 ? {} : { 'data-field': String(index) };
        const piece = h('b', { class: index < 0 ? '' : `f${index % 5 + 1}`, ...data });
        piece.textContent = Array.from(bytes.subarray(from, to), text).join(side === codes ? ' ' : '');
        if (index >= 0) {
          lights[index].push(piece);
        }
        side.append(piece);
        if (side === codes && to < end) side.append(h('span', { class: owner[to] === index && index >= 0 ? `gap f${index % 5 + 1}` : 'gap' }, ' '));
      }
    }
    codes.append('   '.repeat(width - (end - start)));
    box.append(h('div', {}, h('span', { class: 'offset' }, hex(start, digits)), codes, characters));
  }
  return box;
}

// The field of each byte, -1 for none.
function owners(count, fields) {
  const owner = new Int16Array(count).fill(-1);
  fields.forEach((field, index) => owner.fill(index, Math.max(field.from, 0), Math.min(field.to, count)));
  return owner;
}

function* runs(owner, start, end, isLong) {
  for (let from = start; from < end;) {
    let to = from + 1;
    while (isLong && to < end && owner[to] === owner[from]) to += 1;
    yield [from, to];
    from = to;
  }
}

// The character of a byte, the byte of a character.
function pair(element) {
  const side = element.parentElement;
  if (element.tagName !== 'B' || !side) return null;
  const place = Array.from(side.querySelectorAll('b')).indexOf(element);
  const other = side.className === 'codes' ? 'characters' : 'codes';
  return side.parentElement.querySelector(`.${other}`).querySelectorAll('b')[place] ?? null;
}

// Arrows walk the fields.
function walk(event, view) {
  const steps = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };
  if (!(event.key in steps) || !event.target.matches('button.field')) return;
  const names = Array.from(view.querySelectorAll('button.field'));
  const place = names.indexOf(event.target) + steps[event.key];
  const next = names[Math.min(Math.max(place, 0), names.length - 1)];
  for (const name of names) name.setAttribute('tabindex', name === next ? '0' : '-1');
  next.focus();
  event.preventDefault();
  event.stopPropagation();
}
