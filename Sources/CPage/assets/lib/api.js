// The control API by fetch. The control token goes in a header, never in an address.

// A refusal in the server's words: RFC 9457, with the column of a query or the place in a body.
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail ?? body.title ?? `The server answered ${status}.`);
    this.status = status;
    this.title = body.title;
    this.hint = body.hint;
    this.pointer = body.pointer;
    this.column = body.column;
    this.body = body;
  }
}

// The program does not answer at all.
export class Unreachable extends Error {
  constructor() { super('The program does not answer.'); }
}

// `base` is `/api/v1` or `/api/v1/sandboxes/{id}`; `askForToken` is called on 401 and resolves with a token.
export class API {
  constructor(base, token, askForToken) {
    this.base = base;
    this.token = token;
    this.askForToken = askForToken;
  }

  get(path, options) { return this.send('GET', path, undefined, options); }

  // `body` is sent as JSON, or as it is if it is a string (then `type` names it). Resolves with the decoded answer.
  async send(method, path, body, options = {}) {
    const response = await this.fetch(method, path, body, options);
    const text = await response.text();
    const isJSON = (response.headers.get('content-type') ?? '').includes('json');
    return isJSON && text ? JSON.parse(text) : text;
  }

  async fetch(method, path, body, { signal, type, headers } = {}) {
    const isText = typeof body === 'string';
    const used = this.token.value;
    const response = await fetch(this.address(path), {
      method,
      signal,
      cache: 'no-store',
      body: body === undefined ? undefined : isText ? body : JSON.stringify(body),
      headers: {
        ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }),
        ...(used ? { authorization: `Bearer ${used}` } : {}),
        ...headers,
      },
    }).catch((error) => { throw error.name === 'AbortError' ? error : new Unreachable(); });
    if (response.status === 401) {
      // Another request may have asked in the meantime.
      if (this.token.value === used) await this.askForToken();
      return this.fetch(method, path, body, { signal, type, headers });
    }
    if (!response.ok) throw new Problem(response.status, await response.json().catch(() => ({})));
    return response;
  }

  address(path) { return path.startsWith('/api/') ? path : this.base + path; }

  // Server-sent events: `onEvent({ event, id, data })` for each, data decoded. Resolves when the server ends the stream;
  // throws when it cannot be reached. `after` is the last id seen.
  async stream(path, onEvent, { signal, after } = {}) {
    const headers = { accept: 'text/event-stream', ...(after ? { 'last-event-id': String(after) } : {}) };
    const response = await this.fetch('GET', path, undefined, { signal, headers });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { value, done } = await reader.read().catch((error) => {
        throw error.name === 'AbortError' ? error : new Unreachable();
      });
      if (done) return;
      const blocks = (rest + value).split(/\r?\n\r?\n/);
      rest = blocks.pop();
      for (const block of blocks) {
        const event = parse(block);
        if (event.data !== undefined) onEvent(event);
      }
    }
  }
}

function parse(block) {
  const event = { event: 'message' };
  const data = [];
  for (const line of block.split(/\r?\n/)) {
    const [, name, value] = /^(\w*):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'data') data.push(value);
    else if (name === 'event' || name === 'id') event[name] = value;
  }
  if (data.length) event.data = JSON.parse(data.join('\n'));
  return event;
}

// A query string of the members that say something.
export function query(members) {
  const pairs = Object.entries(members).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return pairs.length ? '?' + new URLSearchParams(pairs) : '';
}
