// A size beside its limit; what is too much is hatched, in the same scale.
import { h } from './dom.js';

const length = 300;

export function meter(size, limit) {
  const whole = Math.max(size, limit, 1);
  const at = (bytes) => Math.round((bytes / whole) * length * 10) / 10;
  const over = size > limit;
  return h('svg', { class: over ? 'meter over' : 'meter', viewBox: `0 0 ${length} 12`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    h('rect', { class: 'room', x: 0, y: 2.5, width: length, height: 7 }),
    h('rect', { class: 'used', x: 0, y: 2.5, width: at(Math.min(size, limit)), height: 7 }),
    over && h('g', { class: 'excess' }, hatches(at(limit), length)),
    over && h('rect', { class: 'limit', x: at(limit) - 1, y: 0, width: 2, height: 12 }));
}

function hatches(from, to) {
  const lines = [];
  for (let x = from; x < to; x += 5) lines.push(h('path', { d: `M${x} 9.5 ${Math.min(x + 3, to)} 2.5` }));
  return lines;
}
