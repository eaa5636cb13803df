// The shapes. Round: accepted. Diamond: the device did not show it. Octagon: refused, or lost with it. A shape never
// stands without its word, so it is hidden from screen readers.
import { h } from './dom.js';

const ring = ['circle', { cx: 7, cy: 7, r: 5.75 }];
const diamond = ['path', { d: 'M7 1 13 7 7 13 1 7Z' }];
const octagon = ['path', { d: 'M4.6 1.1h4.8l3.5 3.5v4.8l-3.5 3.5H4.6L1.1 9.4V4.6Z' }];
const path = (d, more) => ['path', { d, ...more }];
const cut = { class: 'cut' };
const full = { class: 'full' };

const shapes = {
  delivered: [['circle', { cx: 7, cy: 7, r: 6.5, ...full }], path('m4 7.3 2.1 2L10 5', cut)],
  stored: [ring, path('M1.3 7a5.7 5.7 0 0 0 11.4 0Z', full)],
  replaced: [['circle', { cx: 5.3, cy: 5.3, r: 4, class: 'dashed' }], ['circle', { cx: 8.7, cy: 8.7, r: 4 }]],
  expired: [ring, path('M7 3.8V7l2.2 1.6')],
  notStored: [['circle', { cx: 7, cy: 7, r: 5.75, class: 'dashed' }]],
  refused: [diamond, path('M4.8 7h4.4')],
  dropped: [diamond, path('M7 4.3v3.2M7 9.6v.1')],
  rejected: [['path', { ...octagon[1], ...full }], path('m4.9 4.9 4.2 4.2m0-4.2L4.9 9.1', cut)],
  discarded: [['path', { ...octagon[1], class: 'dashed' }], path('m4.6 9.4 4.8-4.8')],
  unanswered: [octagon, path('M4.2 7h.1M7 7h.1M9.8 7h.1')],
  performed: [ring, path('M4.3 7h5.4M7.6 4.9 9.7 7 7.6 9.1')],
  online: [['rect', { x: 3, y: 1, width: 8, height: 12, rx: 2, ...full }], path('m5.2 7.3 1.3 1.3 2.3-2.7', cut)],
  offline: [['rect', { x: 3.5, y: 1.2, width: 7, height: 11.6, rx: 1.7, class: 'dashed' }]],
  open: [path('M1.5 4.7H11M8.4 2l2.7 2.7-2.7 2.7M12.5 9.6H3M5.6 7 2.9 9.6l2.7 2.6')],
  closed: [path('M1.5 7h4M8.5 7h4M5.8 4v6M8.2 4v6')],
  tick: [path('m3 7.4 2.6 2.6L11 4.4')],
  dot: [['circle', { cx: 7, cy: 7, r: 1.8, ...full }]],
  cross: [path('m4 4 6 6m0-6-6 6')],
  pause: [path('M4.8 3v8M9.2 3v8', { 'stroke-width': 2 })],
  resume: [path('M4.5 3v8l6-4Z', full)],
  find: [['circle', { cx: 6, cy: 6, r: 4.2 }], path('m9.2 9.2 3.2 3.2')],
  down: [path('m4 5.5 3 3 3-3')],
  square: [['rect', { x: 2.5, y: 2.5, width: 9, height: 9, rx: 1.5 }]],
  notifications: [path('M2 3.5h10M2 7h10M2 10.5h6')],
  connections: [path('M2.5 2v10M11.5 2v10M2.5 5h8m0-2 .9 2-.9 2M11.5 9.5h-8')],
  devices: [['rect', { x: 3.5, y: 1.2, width: 7, height: 11.6, rx: 1.7 }]],
  faults: [path('M8 1 3 8h3.5L6 13l5-7H7.5Z')],
  more: [path('M3 7h.1M7 7h.1M11 7h.1', { 'stroke-width': 2.4 })],
};

export function glyph(name, tone) {
  const parts = (shapes[name] ?? shapes.dot).map(([tag, attributes]) => h(tag, attributes));
  return h('svg', { class: tone ? `glyph ${tone}` : 'glyph', viewBox: '0 0 14 14', 'aria-hidden': 'true' }, parts);
}

export function logo() {
  return h('svg', { class: 'logo', viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    h('rect', { x: 2, y: 5, width: 17, height: 17, rx: 5 }), h('path', { d: 'M5.5 13.5h3l2-4 2.5 7 1.5-3h2' }),
    h('circle', { cx: 19, cy: 5, r: 4.5 }));
}
