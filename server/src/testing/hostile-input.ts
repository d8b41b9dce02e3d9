// What a request may hold that nobody typed.

export interface Schema {
  type?: string;
  format?: string;
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

export const PLACE = '00000000-0000-7000-8000-000000000000';

/** A value that fits a schema: what stands in `known` by its name, or the simplest of its kind. */
export function sampleOf(schema: Schema, name: string, known: Record<string, string>): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [either] = schema.anyOf ?? schema.oneOf ?? [];
  if (either !== undefined) return sampleOf(either, name, known);
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {});
    return Object.fromEntries(fields.map(([key, field]) => [key, sampleOf(field, key, known)]));
  }
  if (schema.type === 'array') return schema.items === undefined ? [] : [sampleOf(schema.items, name, known)];
  if (schema.type === 'number' || schema.type === 'integer') return Math.max(1, schema.minimum ?? 1);
  if (schema.type === 'boolean') return false;
  if (schema.format === 'date-time') return '2026-01-01T00:00:00.000Z';
  if (schema.format === 'uuid') return known[name] ?? PLACE;
  return known[name] ?? 'text';
}

/** The sample as JSON, once for every value in it with that value replaced by each of `values`, and once with a foreign key. */
export function* hostileBodies(sample: unknown, values: readonly string[]): Generator<string> {
  const mark = '"@here@"';
  // Replaces one value of the sample after another, in the order in which they are written; the whole itself comes below.
  for (let at = 1; ; at += 1) {
    let seen = -1;
    const body = JSON.stringify(sample, (_, value: unknown) => ((seen += 1) === at ? '@here@' : value));
    if (seen < at) break;
    for (const value of values) yield body.replace(mark, () => value);
  }
  for (const value of values) yield value;
  const whole = JSON.stringify(sample);
  for (const key of ['__proto__', 'constructor', '\\u0000', '\\ud800']) {
    yield whole.replace(/^\{/u, () => `{"${key}":{"admin":true}${whole === '{}' ? '' : ','}`);
  }
}
