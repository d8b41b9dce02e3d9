import { fitName } from '@atelier/contract/names/names';
import type { AskedField } from '@atelier/contract/tools';
import { z } from 'zod';

const FIELDS_MAX = 50;
const OPTIONS_MAX = 200;
const LABEL_MAX = 200;
const HINT_MAX = 1_000;
/** Texts of these formats get an input of their kind. */
const FORMATS = new Map([
  ['email', 'email'],
  ['uri', 'url'],
  ['date', 'date'],
] as const);

const option = z.looseObject({ const: z.string(), title: z.string().optional() });
const property = z.looseObject({
  type: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  format: z.string().optional(),
  default: z.unknown().optional(),
  enum: z.array(z.string()).optional(),
  enumNames: z.array(z.string()).optional(),
  oneOf: z.array(option).optional(),
  items: z.looseObject({ enum: z.array(z.string()).optional(), anyOf: z.array(option).optional() }).optional(),
});
type Property = z.infer<typeof property>;
const form = z.looseObject({
  properties: z.record(z.string().min(1).max(LABEL_MAX), property),
  required: z.array(z.string()).default([]),
});

/** A server's question as a form of plain fields; null when it asks for anything else. */
export function readForm(schema: Record<string, unknown>): AskedField[] | null {
  const parsed = form.safeParse(schema);
  if (!parsed.success) return null;
  const entries = Object.entries(parsed.data.properties);
  const fields = entries.map(([name, described]) => readField(name, described, parsed.data.required.includes(name)));
  return fields.length > FIELDS_MAX || fields.includes(null) ? null : fields.filter((field) => field !== null);
}

function readField(name: string, described: Property, required: boolean): AskedField | null {
  const kind = kindOf(described);
  if (kind === null) return null;
  const hint = described.description?.slice(0, HINT_MAX);
  const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).safeParse(described.default).data;
  return {
    name,
    label: fitName(described.title ?? name, LABEL_MAX, name),
    ...(hint === undefined || hint === '' ? {} : { hint }),
    ...kind,
    required,
    ...(value === undefined ? {} : { value }),
  };
}

function kindOf(described: Property): Pick<AskedField, 'type' | 'options'> | null {
  if (described.type === 'boolean') return { type: 'yes_no' };
  if (described.type === 'number' || described.type === 'integer') return { type: 'number' };
  if (described.type === 'array') {
    const options = optionsOf(described.items?.enum, undefined, described.items?.anyOf);
    return options === null ? null : { type: 'choices', options };
  }
  const options = optionsOf(described.enum, described.enumNames, described.oneOf);
  if (options !== null) return { type: 'choice', options };
  if (described.type !== 'string') return null;
  const format = [...FORMATS].find(([known]) => known === described.format);
  return { type: format?.[1] ?? 'text' };
}

function optionsOf(
  values: string[] | undefined,
  names: string[] | undefined,
  titled: z.infer<typeof option>[] | undefined,
): AskedField['options'] | null {
  const all =
    values?.map((value, index) => ({ value, label: names?.[index] ?? value })) ??
    titled?.map((one) => ({ value: one.const, label: one.title ?? one.const }));
  return all === undefined || all.length === 0 || all.length > OPTIONS_MAX ? null : all;
}
