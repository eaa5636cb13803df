// The options that lead a command copied from the page to the page's own simulator.

export const quoted = (text) => (/^[\w./:@%+,=-]+$/.test(text) ? text : `'${String(text).replaceAll("'", "'\\''")}'`);

// ` --certs DIR`: the directory in which its files are; empty where they are not known.
export function certs(ends) {
  const directory = ends?.ca?.replace(/\/?[^/]*$/, '');
  return directory ? ` --certs ${quoted(directory)}` : '';
}

// ` --port 34801`, where it is not the usual one.
export function port(number, usual) { return !number || number === usual ? '' : ` --port ${number}`; }

// ` --control URL --sandbox s1`, where they are not the usual ones.
export function control(sandbox) {
  const isUsual = ['http://127.0.0.1:2199', 'http://localhost:2199'].includes(location.origin);
  return (isUsual ? '' : ` --control ${quoted(location.origin)}`) + (sandbox ? ` --sandbox ${quoted(sandbox)}` : '');
}
