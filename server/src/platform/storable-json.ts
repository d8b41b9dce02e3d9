// JSON.stringify escapes NULs and lone halves of surrogate pairs; PostgreSQL stores neither.
const UNSTORABLE = /(?<!\\)(?<slashes>(?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/gi;

/** A value as JSON that the database can store; anything else becomes text. */
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

/** A text's beginning, as the database accepts it. */
export const storableText = (text: string, max: number): string =>
  text.slice(0, max).replaceAll('\0', '').toWellFormed();
