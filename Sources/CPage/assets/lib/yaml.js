// A value of JSON as the YAML that scenario files are written in: maps in blocks, what is short in one line.
const width = 88;

export function toYAML(value, indent = '') {
  return Object.entries(value).map(([key, one]) => entry(plain(key), one, indent)).join('');
}

function entry(key, value, indent) {
  const line = `${indent}${key}: ${flow(value)}`;
  if (!isDeep(value) || (line.length <= width && indent)) return `${line}\n`;
  if (Array.isArray(value)) return `${indent}${key}:\n${value.map((one) => `${indent}  - ${flow(one)}\n`).join('')}`;
  return `${indent}${key}:\n${toYAML(value, `${indent}  `)}`;
}

function isDeep(value) { return typeof value === 'object' && value !== null && Object.keys(value).length > 0; }

// In one line, as scenarios write a rule.
export function flow(value) {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value).map(([key, one]) => `${plain(key)}: ${flow(one)}`).join(', ')}}`;
  }
  return typeof value === 'string' ? plain(value) : String(value);
}

// Without quotes only what YAML takes for nothing but a string.
function plain(text) {
  const isPlain = /^[A-Za-z][\w ./+-]*$/.test(text) && !/ $/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain || /^\d+(ms|s|m|h|d)( ago)?$/.test(text) || /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? text : quoted(text);
}

// JSON has some characters as they are that YAML does not read, or reads as the end of a line.
function quoted(text) {
  return JSON.stringify(text).replace(/[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
