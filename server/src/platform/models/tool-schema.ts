import { isRecord } from '../parsed-json.ts';

type Schema = Record<string, unknown>;
interface Fields {
  properties: Schema;
  required: unknown[];
}

/** OpenAI and Anthropic refuse a whole list of tools for one that has any of these at the top of its input. */
const NOT_AT_TOP = new Set(['$ref', 'allOf', 'anyOf', 'oneOf', 'enum', 'const', 'not']);
/** What stands under these is data, or names with schemas. */
const DATA = new Set(['enum', 'const', 'default', 'examples']);
const NAMED = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']);

/** More parts are not read: who describes a tool in so many wants to keep us busy. */
const PARTS_MAX = 500;

/**
 * A tool's input as every provider takes it: one object with a list of its properties, and arrays that say of what. It allows all that
 * the schema does, and may allow more, which the tool itself then refuses.
 */
export function plainSchema(schema: Schema): Schema {
  const { properties, required } = fieldsOf(schema, schema, new Set());
  const rest = Object.entries(schema).filter(([key]) => !NOT_AT_TOP.has(key));
  return withItems({ ...Object.fromEntries(rest), properties, ...(required.length === 0 ? {} : { required }) });
}

/** The properties of a schema in all its parts, and which of them are always needed. Each part is read once: they may refer to each other. */
function fieldsOf(schema: unknown, whole: Schema, read: Set<unknown>): Fields {
  if (!isRecord(schema) || read.has(schema) || read.size > PARTS_MAX) return { properties: {}, required: [] };
  read.add(schema);
  const each = (parts: unknown) => listOf(parts).map((part) => fieldsOf(part, whole, read));
  const own = { properties: isRecord(schema.properties) ? schema.properties : {}, required: listOf(schema.required) };
  const parts = [
    own,
    ...each([referredTo(schema.$ref, whole)]),
    ...each(schema.allOf),
    choiceOf(each(schema.anyOf)),
    choiceOf(each(schema.oneOf)),
  ];
  return { properties: together(parts), required: [...new Set(parts.flatMap(({ required }) => required))] };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function choiceOf(choices: Fields[]): Fields {
  const [first, ...others] = choices.map(({ required }) => required);
  return {
    properties: together(choices),
    required: (first ?? []).filter((name) => others.every((required) => required.includes(name))),
  };
}

/** All properties; one that is described in several ways may be any of them. */
function together(parts: Fields[]): Schema {
  const ways = new Map<string, Map<string, unknown>>();
  for (const [name, schema] of parts.flatMap(({ properties }) => Object.entries(properties))) {
    ways.set(name, (ways.get(name) ?? new Map()).set(JSON.stringify(schema), schema));
  }
  return Object.fromEntries(
    [...ways].map(([name, schemas]) => {
      const [only, ...others] = schemas.values();
      return [name, others.length === 0 ? only : { anyOf: [only, ...others] }];
    }),
  );
}

/** What a reference within the schema names. */
function referredTo(ref: unknown, whole: Schema): unknown {
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return undefined;
  const step = (at: unknown, key: string) => (isRecord(at) ? at[key] : undefined);
  return ref.slice(2).split('/').reduce<unknown>(step, whole);
}

function withItems(schema: Schema): Schema {
  const inner = mapValues(schema, (value, key) => {
    if (DATA.has(key)) return value;
    return NAMED.has(key) && isRecord(value) ? mapValues(value, partWithItems) : partWithItems(value);
  });
  const isList = [schema.type].flat().includes('array');
  return isList && schema.items === undefined ? { ...inner, items: {} } : inner;
}

const partWithItems = (part: unknown): unknown =>
  Array.isArray(part) ? part.map(partWithItems) : isRecord(part) ? withItems(part) : part;

const mapValues = (record: Schema, change: (value: unknown, key: string) => unknown): Schema =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
