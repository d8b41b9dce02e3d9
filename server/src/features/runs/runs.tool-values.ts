/** What is kept and told of one answer of a tool, in characters of JSON. */
export const VALUE_MAX = 16_000;

// JSON.stringify escapes NULs and lone halves of surrogate pairs; PostgreSQL stores neither.
const UNSTORABLE = /(?<!\\)(?<slashes>(?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/gi;

/** A value as JSON that the database can hold; what is no JSON becomes text. */
export function storableJson(value: unknown): unknown {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch {
    json = JSON.stringify(String(value));
  }
  if (json === undefined) return null;
  return JSON.parse(json.replaceAll(UNSTORABLE, '$<slashes>'));
}

/** The value, or the beginning of its text where it is too long. */
export function readable(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length <= VALUE_MAX) return value;
  return `${text.slice(0, VALUE_MAX).toWellFormed()}\n[cut: ${text.length.toLocaleString('en-US')} characters in all]`;
}
