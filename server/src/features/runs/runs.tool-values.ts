/** What is kept and told of one answer of a tool, in characters of JSON. */
export const VALUE_MAX = 16_000;

/** The value, or the beginning of its text where it is too long. */
export function readable(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length <= VALUE_MAX) return value;
  return `${text.slice(0, VALUE_MAX).toWellFormed()}\n[cut: ${text.length.toLocaleString('en-US')} characters in all]`;
}
