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
}

const DEEP = 10_000;
const PLACE = '00000000-0000-7000-8000-000000000000';
const cursor = (json: string) => Buffer.from(json).toString('base64url');

export const DATES = ['-271821-04-20T00:00:00.000Z', '+275760-09-13T00:00:00.000Z', '0000-01-01T00:00:00.000Z'];

/** Cursors that decode, but to nothing of ours. */
const CURSORS = [
  ...DATES.map((date) => cursor(JSON.stringify([date, PLACE]))),
  ...[
    'null',
    '{}',
    '[]',
    '[null,null]',
    '[true,{}]',
    `[1e400,"${PLACE}"]`,
    `[-1,"${PLACE}"]`,
    `[2147483648,"${PLACE}"]`,
  ].map(cursor),
  cursor(`["1969-12-31T23:59:59.999Z","${PLACE}"]`),
  cursor('["2026-01-01T00:00:00.000Z","\\u0000"]'),
  cursor('{"__proto__":["2026-01-01T00:00:00.000Z",1]}'),
  '%%%',
];

/** For a place in a path or a query, as it is written there. */
export const ADDRESS_PARTS = [
  '%00',
  'a%00b',
  '%ED%A0%80',
  '%zz',
  'x'.repeat(1_000_000),
  '__proto__',
  'constructor',
  '1e400',
  '-1e400',
  'NaN',
  '..%2f..%2fetc',
  encodeURIComponent("';--\u202e\u{1F600}"),
  ...DATES.map(encodeURIComponent),
  ...CURSORS.map(encodeURIComponent),
];

/** For a value in a JSON body, as it is written there. */
export const JSON_VALUES = [
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00x"',
  JSON.stringify('x'.repeat(1_000_000)),
  JSON.stringify('x'.repeat(200_000)),
  '"__proto__"',
  '"constructor"',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"\\u0000":1}',
  '{"\\ud800":1}',
  `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
  `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
  '1e400',
  '-1e400',
  '1.5',
  '-0',
  'null',
  'true',
  '[]',
  '["\\u0000"]',
  '["\\ud800"]',
  ...DATES.map((date) => JSON.stringify(date)),
];

/** Header values that a client may send with any request. */
export const HEADER_VALUES = ['\u00ff\u00fe', '__proto__', '1e400', '-1', 'NaN', 'x'.repeat(100_000), ';=,"\\'];

/** A value that fits a schema: what stands in `known` by its name, or the simplest of its kind. */
export function sampleOf(schema: Schema, name: string, known: Record<string, string>): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [either] = schema.anyOf ?? [];
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
