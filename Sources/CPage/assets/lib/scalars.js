// Places in a text. The API counts Unicode scalars; here, strings and fields count units of UTF-16.

// The number of scalars before a place in units.
export function scalarsBefore(text, unit) { return [...text.slice(0, unit)].length; }

// The place in units after so many scalars; the end where there are fewer.
export function unitAt(text, scalars) {
  let unit = 0;
  for (let i = 0; i < scalars && unit < text.length; i++) unit += text.codePointAt(unit) > 0xffff ? 2 : 1;
  return unit;
}
