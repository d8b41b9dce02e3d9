import { errorBody } from '@atelier/contract/errors';
import { z } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;

const OPTIONS = {
  unrepresentable: 'any',
  override: ({ jsonSchema }: { jsonSchema: JsonSchema }) => {
    // How zod says “an integer”; it only makes the description longer.
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  },
} as const;

const REF = '#/components/schemas/';

/** A schema as a sender fills it in, complete in itself. */
export function requestSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { ...OPTIONS, io: 'input' });
  return rest;
}

/** The named schemas of the answers: each is described once, and others refer to it. */
export function namedSchemas(shapes: readonly object[]) {
  const registry = z.registry<{ id: string }>();
  for (const [name, shape] of shapes.flatMap((module) => Object.entries(module))) {
    if (shape instanceof z.ZodType) registry.add(shape, { id: `${name.charAt(0).toUpperCase()}${name.slice(1)}` });
  }
  const all = new Map(Object.entries(z.toJSONSchema(registry, { ...OPTIONS, uri: (id) => `${REF}${id}` }).schemas));
  const used = new Map<string, JsonSchema>();
  const include = (name: string) => {
    const named = all.get(name);
    if (named === undefined || used.has(name)) return;
    const { $schema: _dialect, $id: _id, ...schema } = named;
    used.set(name, schema);
    for (const [, inner] of JSON.stringify(schema).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/gu))
      include(inner ?? '');
  };
  const refTo = (shape: z.ZodType) => {
    const name = registry.get(shape)?.id;
    if (name === undefined) throw new Error('an answer of the API has no name');
    include(name);
    return { $ref: `${REF}${name}` };
  };
  return {
    refTo,
    error: refTo(errorBody),
    /** Those that something refers to. */
    used: () => Object.fromEntries([...used].toSorted(([a], [b]) => a.localeCompare(b))),
  };
}

export type Components = ReturnType<typeof namedSchemas>;
