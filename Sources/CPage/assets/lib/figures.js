// The number of each thing, from the counters that the server keeps anyway: one small answer for all panes.

// { delivered, stored, …, kept, devices, connectionsOpen, feedback }
export async function readFigures(api) {
  const text = await api.get('/metrics');
  const values = new Map();
  for (const line of text.split('\n')) {
    const [, name, value] = /^(\w+(?:\{[^}]*\})?) ([0-9.e+]+)$/.exec(line) ?? [];
    if (name) values.set(name, Number(value));
  }
  const value = (name) => values.get(name) ?? 0;
  const settled = (outcome) => value(`apnsim_notifications_total{outcome="${outcome}"}`)
    + value(`apnsim_stored_notifications_settled_total{outcome="${outcome}"}`);
  return {
    delivered: settled('delivered') + value('apnsim_notifications_total{outcome="performed"}'),
    stored: value('apnsim_notifications_stored'),
    notShown: settled('refused') + settled('dropped') + settled('expired') + settled('replaced')
      + value('apnsim_notifications_total{outcome="notStored"}'),
    rejected: value('apnsim_notifications_total{outcome="rejected"}'),
    discarded: value('apnsim_notifications_total{outcome="discarded"}'),
    kept: value('apnsim_notifications_kept'),
    connectionsOpen: value('apnsim_connections_open'),
    feedback: value('apnsim_feedback_tuples'),
    sandboxes: value('apnsim_sandboxes'),
  };
}
