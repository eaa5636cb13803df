// Shown: what somebody saw of one notification, or would have seen.
import { h, fill, strange } from '../lib/dom.js';

export class Shown {
  constructor() {
    this.element = h('aside', { class: 'shown', 'aria-label': 'Shown' });
  }

  // The focus stays where it is.
  show(phone) {
    this.phone = phone;
    const focus = this.element.contains(document.activeElement) ? document.activeElement.textContent : null;
    this.draw();
    if (focus) [...this.element.querySelectorAll('button')].find((button) => button.textContent === focus)?.focus({ preventScroll: true });
  }

  draw() {
    const { phone } = this;
    const view = phone.views.find(({ name }) => name === this.view)?.name ?? phone.views[0].name;
    this.view = view;
    const [bold, rest] = phone.verdict ?? [];
    const picture = h('div', { class: 'picture' }, phone.draw(view));
    const buttons = phone.views.map(({ name, label }) => h('button', {
      type: 'button', 'aria-pressed': String(name === view),
      onclick: () => {
        this.view = name;
        for (const button of buttons) button.setAttribute('aria-pressed', String(button.textContent === label));
        fill(picture, phone.draw(name));
      },
    }, label));
    const facts = phone.facts;
    fill(this.element,
      h('h2', { id: 'shown', tabindex: '-1' }, 'Shown', h('span', { class: 'tabs' }, buttons)),
      picture,
      bold && h('p', { class: 'unseen' }, h('strong', {}, bold), ' ', rest && strange(rest)),
      facts.length > 0 && h('dl', { class: 'facts' }, facts.map(([name, value]) =>
        h('div', {}, h('dt', {}, name), h('dd', {}, value)))),
      phone.remarks.length > 0 && h('ul', { class: 'remarks' }, phone.remarks.map((remark) => h('li', {}, strange(remark)))),
    );
  }
}
