// The phone: a notification as the user of a device sees it, from the presentation that the server made of it.

import { h, pictured, strange } from './dom.js';

const views = { lock: 'Lock screen', banner: 'Banner', home: 'Home', box: 'Alert box' };
const suffixes = /\.(voip|voip-ptt|complication|location-query|pushkit\.fileprovider|push-type\.[a-z-]+)$/;

// The part of an app that a push type wakes where the system itself shows nothing, and what the app must do at once.
const silent = {
  voip: 'Wakes the app, which must report a call to CallKit at once; the payload itself shows nothing.',
  complication: 'Updates the complication on the watch face; nothing else is shown.',
  fileprovider: 'Tells the File Provider extension to look for changes; shows nothing.',
  location: 'Asks the app’s location push extension for a position; shows nothing.',
  pushtotalk: 'Wakes the app, which must name who is talking at once; the payload itself shows nothing.',
  widgets: 'Asks WidgetKit to load the widgets’ timelines again; shows nothing by itself.',
  controls: 'Asks the controls to load their values again; shows nothing by itself.',
};

const levels = { 'time-sensitive': 'Time sensitive', critical: 'Critical' };

// The screen of a device as it was, or would have been:
//
// `presentation` as the API has it, or null where the device cannot read the payload; `payload`; `topic`; `pushType`;
// `at` in RFC 3339; `badgeBefore`, if known; `state`: `seen`, `waiting` or `unseen`; `why`: the reason where nobody saw
// it; `isAhead`: it is not sent yet; `activity`: a Live Activity, with `contentState` and `update` to show, and `fault` if the push did not decode.
export class Phone {
  constructor(shown) {
    this.shown = shown;
    this.activity = shown.activity;
    this.alert = shown.presentation?.alert ?? null;
    this.app = appName(shown.topic);
  }

  // The views that have something to show, in order; the first is shown first.
  get views() {
    const names = Object.keys(views).filter((name) => name !== 'box' || this.hasBox);
    return names.map((name) => ({ name, label: views[name] }));
  }

  // An alert box has buttons of its own: `action-loc-key` of a legacy payload.
  get hasBox() {
    const buttons = this.alert?.buttons;
    return Boolean(buttons) && isObject(this.shown.payload?.aps?.alert) && 'action-loc-key' in this.shown.payload.aps.alert;
  }

  // An update may have an alert, which is shown beside the activity; one that does not decode changes nothing.
  get activityAlert() { return this.activity && !this.activity.fault ? this.alert : null; }

  get isGhost() { return this.shown.state !== 'seen'; }

  // Whether the screen has something of this notification.
  get isVisible() { return Boolean(this.alert || this.activity); }

  draw(view) {
    const screen = { lock: lockScreen, banner: bannerScreen, home: homeScreen, box: boxScreen }[view](this);
    const dark = view !== 'home' && !this.isVisible ? ' dark' : '';
    return h('div', { class: `phone${this.isGhost ? ' ghost' : ''}${dark}`, 'data-view': view },
      h('div', { class: `screen ${view}` }, h('div', { class: 'island', 'aria-hidden': 'true' }), ...screen));
  }

  // The sentence under the phone, where there is something to explain; null where the picture is all.
  get verdict() {
    const { state, why, presentation, isAhead } = this.shown;
    if (state === 'waiting') return [isAhead ? 'Nobody would see this yet.' : 'Nobody has seen this yet.', why];
    if (state === 'unseen') {
      const dashed = this.isVisible ? ' Dashed: what the user would have seen.' : '';
      return [isAhead ? 'Nobody would see this.' : 'Nobody saw this.', why + dashed];
    }
    if (this.activity?.fault) {
      const why = this.activity.fault.replace(/^would not decode/, 'The push would not decode');
      return ['Unchanged.', `${why.charAt(0).toUpperCase()}${why.slice(1)}. The last good state stays, and APNs answered 200 all the same.`];
    }
    if (!presentation) return ['The device cannot read this payload.', 'It drops it without a word to the provider.'];
    return this.isVisible ? null : ['Shows nothing.', this.nothing];
  }

  // The reason why nothing is shown.
  get nothing() {
    const { presentation, payload, pushType } = this.shown;
    if (this.shown.nothing) return this.shown.nothing;
    if (silent[pushType]) return silent[pushType];
    if (typeof payload?.mdm === 'string') return 'The device calls its MDM server, which says what to do.';
    const changes = [presentation.badge !== null && 'the badge changes', presentation.sound && 'a sound is played'];
    const done = changes.filter(Boolean);
    const wakes = presentation.contentAvailable ? ' content-available wakes the app.' : '';
    if (done.length) return `There is no alert; ${done.join(' and ')}.${wakes}`;
    if (wakes) return `There is no alert, no badge and no sound;${wakes}`;
    return 'There is no alert, no badge and no sound.';
  }

  // Facts that cannot be drawn, as pairs of a name and children.
  get facts() {
    const { presentation, payload } = this.shown;
    if (this.activity) return [...activityFacts(this.activity), ...this.activityAlert ? alertFacts(this) : []];
    if (!presentation) return [];
    const facts = [];
    const alert = isObject(payload?.aps?.alert) ? payload.aps.alert : {};
    const keys = ['title-loc-key', 'subtitle-loc-key', 'loc-key'].filter((key) => typeof alert[key] === 'string');
    if (keys.length) {
      facts.push(['Text', ['from ', ...keys.flatMap((key, i) => [i ? ', ' : '', code(alert[key])]), this.language]]);
    }
    facts.push(['Badge', badge(presentation.badge, this.shown.badgeBefore)]);
    facts.push(['Sound', sound(presentation)]);
    if (presentation.category) facts.push(['Buttons', ['those of category ', code(presentation.category), ', on a long press']]);
    else if (this.hasBox) facts.push(['Buttons', presentation.alert.buttons.join(', ')]);
    if (presentation.threadId) facts.push(['Thread', ['stacks with ', code(presentation.threadId)]]);
    if (presentation.interruptionLevel) facts.push(['Level', levelWords(presentation.interruptionLevel)]);
    if (presentation.launchImage && presentation.launchImage !== 'Default.png') facts.push(['Launch image', code(presentation.launchImage)]);
    if (typeof payload?.mdm === 'string') facts.push(['PushMagic', code(payload.mdm)]);
    return facts;
  }

  get language() {
    const language = this.alert?.language;
    return language ? `, ${languageName(language)}` : ': the app has no strings here, so the key itself is shown';
  }

  // Effects that the author may not expect.
  get remarks() {
    const remarks = [...(this.shown.presentation?.remarks ?? [])];
    if (this.shown.presentation?.mutableContent) remarks.push('A service extension may change this first (mutable-content).');
    if (this.alert && this.alert.text.length > 150) remarks.push('A lock screen cuts the text after about four lines.');
    return remarks;
  }
}

// --- Screens ---------------------------------------------------------------------------------

function lockScreen(phone) {
  const at = phone.shown.at;
  return [
    h('div', { class: 'date' }, day(at)),
    h('div', { class: 'clock' }, at.slice(11, 16)),
    ...cards(phone),
  ];
}

function bannerScreen(phone) {
  return [
    h('div', { class: 'status', 'aria-hidden': 'true' }, phone.shown.at.slice(11, 16)),
    ...cards(phone),
    apps(phone),
  ];
}

function homeScreen(phone) {
  return [h('div', { class: 'status', 'aria-hidden': 'true' }, phone.shown.at.slice(11, 16)), apps(phone)];
}

function boxScreen(phone) {
  const { alert } = phone;
  return [h('div', { class: 'box' },
    h('div', { class: 'box-title' }, strange(alert.title ?? phone.app)),
    h('div', { class: 'box-text' }, strange(alert.text)),
    h('div', { class: 'box-buttons' }, ...alert.buttons.map((title) => h('span', {}, strange(title)))))];
}

function cards(phone) {
  if (!phone.activity) return phone.alert ? [card(phone)] : [];
  return [...phone.activityAlert ? [card(phone)] : [], activityCard(phone)];
}

// A card of a lock screen or a banner. A body of more than four lines opens.
function card(phone) {
  const { alert, shown } = phone;
  const level = levels[shown.presentation.interruptionLevel];
  const body = h('div', { class: 'card-body' }, strange(alert.text));
  const open = alert.text.length > 100 && h('button', {
    type: 'button', class: 'card-more', 'aria-expanded': 'false',
    onclick: (event) => {
      const isOpen = body.classList.toggle('open');
      event.currentTarget.setAttribute('aria-expanded', String(isOpen));
      event.currentTarget.textContent = isOpen ? 'Less' : 'All of it';
    },
  }, 'All of it');
  return h('div', { class: 'card' },
    icon(phone),
    h('div', { class: 'card-text' },
      level && h('div', { class: 'card-level' }, level),
      h('div', { class: 'card-title' }, strange(alert.title ?? phone.app), h('time', {}, 'now')),
      alert.subtitle && h('div', { class: 'card-subtitle' }, strange(alert.subtitle)),
      body, open));
}

function activityCard(phone) {
  const { activity } = phone;
  const pairs = Object.entries(activity.contentState ?? {}).slice(0, 8);
  const note = { stale: 'stale', ended: 'ended', dismissed: 'dismissed' }[activity.state] ?? activity.update;
  return h('div', { class: `card activity ${activity.state ?? ''}` },
    h('div', { class: 'activity-head' }, icon(phone), strange(activity.attributesType ?? phone.app),
      note && h('span', { class: 'activity-note' }, note)),
    pairs.length
      ? h('dl', {}, ...pairs.map(([name, value]) =>
        h('div', {}, h('dt', {}, strange(name)), h('dd', {}, strange(plain(value))))))
      : h('p', {}, 'No content-state yet'));
}

function apps(phone) {
  const others = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  return h('div', { class: 'apps' },
    h('div', { class: 'app' }, icon(phone, true), h('span', {}, strange(phone.app))),
    ...others.map(() => h('div', { class: 'app other', 'aria-hidden': 'true' }, h('i', {}))));
}

function icon(phone, hasBadge = false) {
  const number = hasBadge ? phone.shown.presentation?.badge ?? phone.shown.badgeBefore : null;
  return h('div', { class: `icon icon-${shade(phone.shown.topic)}` },
    h('span', { 'aria-hidden': 'true' }, phone.app.slice(0, 1)),
    number > 0 && h('b', { class: 'badge' }, String(number)));
}

// --- Words -----------------------------------------------------------------------------------

// The app's name, as far as a topic tells.
function appName(topic) {
  const last = (topic || 'app').replace(suffixes, '').split('.').pop() || 'app';
  return pictured(last.charAt(0).toUpperCase() + last.slice(1));
}

// One of eight gradients, the same for a topic on every page.
function shade(topic) {
  let sum = 0;
  for (const character of (topic ?? '').replace(suffixes, '')) sum = (Math.imul(sum, 31) + character.codePointAt(0)) >>> 0;
  return (sum >>> 7) % 8;
}

function badge(number, before) {
  if (number === null || number === undefined) return before === undefined ? 'stays as it is' : `stays at ${before}`;
  if (number === 0) return 'removed';
  return before === undefined || before === number ? [h('strong', {}, String(number))] : [`${before} → `, h('strong', {}, String(number))];
}

function sound({ sound, criticalSound }) {
  if (!sound) return 'none';
  const name = sound === 'default' ? 'default' : code(sound);
  if (!criticalSound) return name;
  return [name, `, critical at ${Math.round(criticalSound.volume * 100)} %, even when muted`];
}

function levelWords(level) {
  return {
    passive: 'passive: joins the list, the screen stays dark',
    active: 'active',
    'time-sensitive': 'time-sensitive: breaks through Focus',
    critical: 'critical: breaks through Focus and silence',
  }[level] ?? level;
}

function activityFacts(activity) {
  return [
    activity.attributesType && ['Activity', code(activity.attributesType)],
    activity.state && ['State', activity.state],
    activity.staleDate && ['Stale from', activity.staleDate.slice(11, 19)],
    activity.dismissedAt && ['Leaves at', activity.dismissedAt.slice(11, 19)],
  ].filter(Boolean);
}

function alertFacts({ alert, shown: { presentation } }) {
  const words = [alert.title && [h('strong', {}, strange(alert.title)), ' '], strange(alert.text)];
  return [['Alert', words], ['Sound', sound(presentation)]];
}

function languageName(code) {
  try {
    return new Intl.DisplayNames(['en'], { type: 'language' }).of(code);
  } catch {
    return code;
  }
}

function day(at) {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
}

function code(text) { return h('code', {}, strange(text)); }

function plain(value) { return typeof value === 'string' ? value : JSON.stringify(value); }

function isObject(value) { return typeof value === 'object' && value !== null && !Array.isArray(value); }
