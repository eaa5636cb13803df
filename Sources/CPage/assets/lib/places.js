// The place of a list when it was left, for the way back from another pane and for a reload.
const key = 'list place';
const left = new Map();

export function keep(sandbox, place) { left.set(sandbox, place); }

export function keepOverReload(place) {
  sessionStorage.setItem(key, JSON.stringify({ address: location.pathname + location.search, place }));
}

// The place, or null. That of a reload holds once, and for the same address only.
export function recall(sandbox) {
  const stored = JSON.parse(sessionStorage.getItem(key) ?? 'null');
  sessionStorage.removeItem(key);
  return left.get(sandbox) ?? (stored?.address === location.pathname + location.search ? stored.place : null);
}
