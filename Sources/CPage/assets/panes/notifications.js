// The list of notifications, newest first.
import { h, fill } from '../lib/dom.js';
import { glyph } from '../lib/glyphs.js';

export function mount(root, { api, live, router, words }) {
  const rows = h('ol', { class: 'rows' });
  root.append(rows);
  const off = live.listen(read);
  read();
  async function read() {
    const { notifications } = await api.get('/notifications?limit=200');
    fill(rows, notifications.reverse().map((n) => {
      const { glyph: shape, tone, word } = words.outcome(n);
      return h('li', null, h('a', { href: router.to(`/notifications/${n.id}`) },
        words.clock(n.time), ' ', glyph(shape, tone), ' ', word, ' ', words.contentNodes(n)));
    }));
  }
  return { leave: off };
}
