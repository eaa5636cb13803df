// A recording: how far it has been read, until all of it has, and what is to be known of it.
export async function follow(api, frame, done) {
  const read = await api.get('/recording').catch(() => null);
  frame.reading = read?.complete ? null : `Reading, ${read?.percent ?? 0} %`;
  frame.about = ['What was recorded; nothing happens any more', ...read?.notes ?? []].join('\n');
  frame.drawLive();
  if (read?.complete) done();
  else setTimeout(() => follow(api, frame, done), read ? 500 : 2_000);
}
