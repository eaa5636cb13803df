// Addresses. Under `/sandboxes/{id}` everything is the same for a sandbox. Choosing pushes one entry, moving on replaces
// it, so that Back always leads to the list.

// Each route: the list pane, and the pane of the one that is chosen.
const routes = [
  ['/', 'notifications'],
  ['/notifications', 'notifications'],
  ['/notifications/{id}', 'notifications', 'notification'],
  ['/latest', 'latest'],
  ['/connections', 'connections'],
  ['/connections/{id}', 'connections', 'connection'],
  ['/devices', 'devices'],
  ['/devices/{id}', 'devices', 'device'],
  ['/feedback', 'feedback'],
  ['/advice', 'advice'],
  ['/faults', 'faults'],
  ['/faults/{id}', 'faults'],
  ['/scenario', 'scenario'],
  ['/clock', 'clock'],
  ['/send', 'send'],
  ['/capture', 'capture'],
  ['/sandboxes', 'sandboxes'],
].map(([path, pane, detail]) => ({ pane, detail, pattern: new RegExp('^' + path.replace('{id}', '([^/]+)') + '/?$') }));

export class Router {
  constructor(onRoute) {
    this.onRoute = onRoute;
    addEventListener('popstate', () => this.read());
    document.addEventListener('click', (event) => this.click(event));
  }

  // { sandbox, pane, detail, id, query: URLSearchParams, hash }, or with pane null where there is nothing.
  static parse(address) {
    const url = new URL(address, location.origin);
    const [, sandbox, rest] = /^\/sandboxes\/([^/]+)(\/.*)?$/.exec(url.pathname) ?? [null, null, url.pathname];
    const path = sandbox ? rest ?? '/' : url.pathname;
    const found = { sandbox: sandbox && decodeURIComponent(sandbox), query: url.searchParams, hash: url.hash.slice(1) };
    for (const { pattern, pane, detail } of routes) {
      const match = pattern.exec(path);
      if (match) return { ...found, pane, detail, id: match[1] && decodeURIComponent(match[1]) };
    }
    return { ...found, pane: null };
  }

  read() {
    this.route = Router.parse(location.href);
    this.onRoute(this.route);
  }

  // The address of a path in the sandbox that is shown.
  to(path) {
    const sandbox = this.route?.sandbox;
    return sandbox ? `/sandboxes/${encodeURIComponent(sandbox)}${path}` : path;
  }

  go(path, { replace = false } = {}) {
    const address = this.to(path);
    if (address !== location.pathname + location.search + location.hash) {
      history[replace ? 'replaceState' : 'pushState'](null, '', address);
    }
    this.read();
  }

  // The query and the time window are part of the address, without a step in the history for each key.
  amend(members) {
    const url = new URL(location.href);
    for (const [name, value] of Object.entries(members)) {
      if (value) url.searchParams.set(name, value);
      else url.searchParams.delete(name);
    }
    history.replaceState(null, '', url);
    this.route = Router.parse(url);
  }

  // Links to the page itself do not load it again.
  click(event) {
    const link = event.target.closest?.('a[href]');
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (link.pathname.startsWith('/api/') || link.pathname.startsWith('/page/') || !Router.parse(link.href).pane) return;
    if (link.getAttribute('href').startsWith('#')) return;
    event.preventDefault();
    history.pushState(null, '', link.href);
    this.read();
  }
}
