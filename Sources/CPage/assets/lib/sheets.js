// Style sheets that come with the panes that need them; those that the list needs are in the shell.
import { h } from './dom.js';

// They follow each other in this order, whichever comes first.
const order = ['steer', 'connections', 'detail', 'hex', 'phone'];
const coming = new Map();

// Resolves when these hold, so that nothing is seen without them.
export function sheets(names) { return Promise.all(names.map(sheet)); }

function sheet(name) {
  if (!coming.has(name)) coming.set(name, new Promise((resolve) => bring(name, resolve)));
  return coming.get(name);
}

// A pane whose sheet does not come is shown as it is, and the sheet asked for again with the next.
function bring(name, done) {
  const link = h('link', { rel: 'stylesheet', href: `/page/${name}.css`, 'data-sheet': name, onload: done, onerror: () => {
    coming.delete(name);
    link.remove();
    done();
  } });
  const later = order.slice(order.indexOf(name) + 1).map((one) => document.head.querySelector(`[data-sheet=${one}]`));
  document.head.insertBefore(link, later.find(Boolean) ?? null);
}
