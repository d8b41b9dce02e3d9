import { z } from 'zod';

/** What a person may answer to one field. */
export const fieldValue = z.union([
  z.string().max(10_000),
  z.number(),
  z.boolean(),
  z.array(z.string().max(1_000)).max(100),
]);
export type FieldValue = z.infer<typeof fieldValue>;

/** One field of a form that a server asks the person to fill in. */
export const serverField = z.object({
  name: z.string(),
  label: z.string(),
  hint: z.string().optional(),
  type: z.enum(['text', 'email', 'url', 'date', 'date_time', 'number', 'yes_no', 'choice', 'choices']),
  required: z.boolean(),
  options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
  value: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
  /** The least and the most: of a number, of a text's characters, of the choices. */
  least: z.number().optional(),
  most: z.number().optional(),
  /** What a number must exceed, stay below and be a multiple of. */
  above: z.number().optional(),
  below: z.number().optional(),
  multipleOf: z.number().positive().optional(),
  /** A number without a fraction. */
  whole: z.boolean().optional(),
  /** A regular expression of the server's, which is not to be trusted. */
  pattern: z.string().optional(),
});
export type ServerField = z.infer<typeof serverField>;

const FORMATS = {
  email: [z.email(), 'an email address'],
  url: [z.url(), 'an address that begins with https:// for example'],
  date: [z.iso.date(), 'a date'],
  date_time: [z.iso.datetime({ offset: true }), 'a date and a time'],
} as const;

/** Why a server's field can't take a value, as a sentence; null when it can. Its pattern is not looked at. */
export function problemOf(field: ServerField, value: FieldValue | undefined): string | null {
  if (value === undefined) return field.required ? `“${field.label}” is required.` : null;
  const problem = problemIn(field, value);
  return problem === null ? null : `“${field.label}” ${problem}.`;
}

function problemIn({ type, options = [], ...limits }: ServerField, value: FieldValue): string | null {
  const isOption = (one: string) => options.some((option) => option.value === one);
  if (type === 'yes_no') return typeof value === 'boolean' ? null : 'must be yes or no';
  if (type === 'choice') return typeof value === 'string' && isOption(value) ? null : 'must be one of the choices';
  if (type === 'choices') {
    if (!Array.isArray(value) || !value.every(isOption)) return 'must be some of the choices';
    return outside(limits, value.length, 'choice');
  }
  if (type === 'number') {
    return typeof value === 'number' && Number.isFinite(value) ? wrongNumber(limits, value) : 'must be a number';
  }
  if (typeof value !== 'string') return 'must be text';
  const [format, what] = type === 'text' ? [null, ''] : FORMATS[type];
  if (format !== null && !format.safeParse(value).success) return `must be ${what}`;
  // As JSON Schema counts: an emoji is one.
  return outside(limits, [...value].length, 'character');
}

function wrongNumber({ whole, above, below, multipleOf, ...limits }: Omit<ServerField, 'type'>, value: number) {
  if (whole && !Number.isInteger(value)) return 'must be a whole number';
  if (above !== undefined && value <= above) return `must be more than ${above}`;
  if (below !== undefined && value >= below) return `must be less than ${below}`;
  // As people count: 0.3 is three times 0.1.
  const isMultiple = multipleOf === undefined || Number.isInteger(Number((value / multipleOf).toPrecision(12)));
  if (!isMultiple) return `must be a multiple of ${multipleOf}`;
  return outside(limits, value);
}

function outside({ least, most }: Pick<ServerField, 'least' | 'most'>, size: number, unit?: string): string | null {
  const of = (limit: number) => (unit === undefined ? `${limit}` : `${limit} ${unit}${limit === 1 ? '' : 's'}`);
  const must = unit === undefined ? 'must be' : 'must have';
  if (least !== undefined && size < least) return `${must} at least ${of(least)}`;
  return most !== undefined && size > most ? `${must} at most ${of(most)}` : null;
}
