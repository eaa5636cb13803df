// The phone's view of a notification: from its presentation, and of a Live Activity from the device's list.

const states = { delivered: 'seen', dropped: 'seen', stored: 'waiting' };

const reasons = {
  replaced: 'A newer one for the app took its place in the store.',
  expired: 'It was given up in the store when its time was over.',
  notStored: 'The device was offline, and the expiry says not to store it.',
  refused: 'The app is no longer on the device.',
  rejected: 'The gateway refused it, so it never reached a device.',
  discarded: 'It came after an error on its connection and was never looked at.',
};

// See ``Phone``.
export async function shownOf(n, api) {
  const state = states[n.outcome] ?? 'unseen';
  const waiting = `It will show when ${n.device ?? 'the device'} comes online, unless a newer one comes.`;
  return {
    presentation: n.outcome === 'dropped' || !n.presentation?.remarks ? null : n.presentation,
    nothing: n.presentation?.reason,
    payload: n.payload,
    topic: n.topic,
    pushType: n.pushType,
    at: n.time,
    state,
    why: state === 'waiting' ? waiting : reasons[n.outcome],
    activity: n.pushType === 'liveactivity' && n.device ? await activityOf(n, api) : null,
  };
}

// The activity that the push was for. Where the push counted, it shows what the push said.
async function activityOf(n, api) {
  let found;
  try {
    found = await api.get(`/devices/${encodeURIComponent(n.device)}/activities`);
  } catch {
    return null;
  }
  const aps = n.payload?.aps ?? {};
  const ignored = found.ignored.find((one) => one.notification === n.id)?.reason;
  const activity = found.activities.find((one) => one.token === n.token) ?? found.activities.at(-1);
  const said = isObject(aps['content-state']) ? aps['content-state'] : null;
  if (!activity) return said && { attributesType: aps['attributes-type'], contentState: said, update: aps.event };
  if (ignored === undefined) return { ...activity, contentState: said ?? activity.contentState, update: aps.event ?? 'update' };
  const path = /^would not decode: (content-state[\w.-]*)/.exec(ignored)?.[1];
  return { ...activity, update: `update ${activity.updates}, still`, fault: ignored, faultPath: path && `aps.${path.replace(/[.:]$/, '')}` };
}

function isObject(value) { return typeof value === 'object' && value !== null && !Array.isArray(value); }
