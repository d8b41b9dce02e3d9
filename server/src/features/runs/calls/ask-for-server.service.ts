import { type FieldValue, fieldValue, problemOf, type ServerField } from '@atelier/contract/mcp/server-fields';
import { fitName } from '@atelier/contract/names/names';
import { type ToolCall, toolAnswer } from '@atelier/contract/tools';
import { z } from 'zod';
import type { Deps } from '../../../platform/deps.ts';
import type { McpAnswer, McpQuestion } from '../../../platform/mcp/mcp-connection.ts';
import { storableText } from '../../../platform/storable-json.ts';
import { waitForReply } from '../engine/await-decision.service.ts';
import type { Run } from '../engine/run.ts';

const MESSAGE_MAX = 4_000;
const QUESTIONS_MAX = 10;

/** Asks the person what a server wants to know in the middle of a call; shown with the call until they answer. */
export async function askForServer(
  ctx: Deps,
  run: Run,
  request: { call: ToolCall; server: string; count: number; question: McpQuestion; before: McpAnswer | undefined },
  show: (change: Partial<ToolCall>) => Promise<void>,
): Promise<McpAnswer> {
  const { call, server, count, question, before } = request;
  // A server that refuses an answer asks again.
  const fields = readForm(question.schema, before?.action === 'accept' ? before.content : {});
  if (fields === null) throw new Error('The form has a field that can’t be shown here.');
  if (count > QUESTIONS_MAX || question.signal.aborted) return { action: 'cancel' };
  const id = `${call.id}/${count}`;
  const message = storableText(question.message, MESSAGE_MAX);
  await show({ state: 'waiting', asks: { id, server, message, fields } });
  const reply = await waitForReply(ctx, run, id, question.signal);
  delete call.asks;
  await show({ state: 'running' });
  if (reply === null) return { action: 'cancel' };
  const { action, content } = toolAnswer.parse(JSON.parse(reply));
  return action === 'accept' ? { action, content } : { action };
}

const FIELDS_MAX = 50;
const OPTIONS_MAX = 200;
const LABEL_MAX = 200;
const HINT_MAX = 1_000;
/** A longer one is not worth its time. */
const PATTERN_MAX = 500;
/** Texts of these formats get an input of their kind. */
const FORMATS = new Map([
  ['email', 'email'],
  ['uri', 'url'],
  ['date', 'date'],
  ['date-time', 'date_time'],
] as const);

const words = z.string().optional().catch(undefined);
const limit = z.number().optional().catch(undefined);
const option = z.looseObject({ const: z.string(), title: words });
const titled = z.array(option).optional().catch(undefined);
const choices = { enum: z.array(z.string()).optional().catch(undefined), oneOf: titled, anyOf: titled };
const property = z.looseObject({
  type: words,
  title: words,
  description: words,
  format: words,
  default: z.unknown().optional(),
  enumNames: z.array(z.string()).optional().catch(undefined),
  ...choices,
  items: z.looseObject(choices).optional().catch(undefined),
  minLength: limit,
  maxLength: limit,
  minimum: limit,
  maximum: limit,
  exclusiveMinimum: limit,
  exclusiveMaximum: limit,
  multipleOf: z.number().positive().optional().catch(undefined),
  minItems: limit,
  maxItems: limit,
  pattern: z.string().max(PATTERN_MAX).optional().catch(undefined),
});
type Property = z.infer<typeof property>;
const form = z.looseObject({
  properties: z.record(z.string().min(1).max(LABEL_MAX), property),
  required: z.array(z.string()).catch([]),
});

/** A server's question as a form of plain fields that begins with what was given before; null when it asks for anything else. */
export function readForm(
  schema: Record<string, unknown>,
  before: Record<string, FieldValue> = {},
): ServerField[] | null {
  const parsed = form.safeParse(schema);
  if (!parsed.success) return null;
  const entries = Object.entries(parsed.data.properties);
  const fields = entries.map(([name, described]) => {
    const preset = Object.hasOwn(before, name) ? { default: before[name] } : {};
    return readField(name, { ...described, ...preset }, parsed.data.required.includes(name));
  });
  return fields.length > FIELDS_MAX || fields.includes(null) ? null : fields.filter((field) => field !== null);
}

function readField(name: string, described: Property, required: boolean): ServerField | null {
  const kind = kindOf(described);
  if (kind === null) return null;
  const hint = described.description?.slice(0, HINT_MAX);
  const field = {
    name,
    label: fitName(described.title ?? name, LABEL_MAX, name),
    ...(hint === undefined || hint === '' ? {} : { hint }),
    ...kind,
    required,
  };
  const value = fieldValue.safeParse(described.default).data;
  return value === undefined || problemOf(field, value) !== null ? field : { ...field, value };
}

type Kind = Omit<ServerField, 'name' | 'label' | 'hint' | 'required' | 'value'>;

function kindOf(described: Property): Kind | null {
  if (described.type === 'boolean') return { type: 'yes_no' };
  if (described.type === 'number' || described.type === 'integer') {
    const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = described;
    return {
      type: 'number',
      ...(described.type === 'integer' ? { whole: true } : {}),
      ...limits(minimum, maximum),
      ...(above === undefined ? {} : { above }),
      ...(below === undefined ? {} : { below }),
      ...(multipleOf === undefined ? {} : { multipleOf }),
    };
  }
  if (described.type === 'array') {
    const options = optionsOf(described.items ?? {});
    return options === null ? null : { type: 'choices', options, ...limits(described.minItems, described.maxItems) };
  }
  const options = optionsOf(described, described.enumNames);
  if (options !== null) return { type: 'choice', options };
  if (described.type !== 'string') return null;
  const [, type = 'text'] = [...FORMATS].find(([known]) => known === described.format) ?? [];
  const pattern = described.pattern === undefined ? {} : { pattern: described.pattern };
  return { type, ...limits(described.minLength, described.maxLength), ...pattern };
}

const limits = (least?: number, most?: number) => ({
  ...(least === undefined ? {} : { least }),
  ...(most === undefined ? {} : { most }),
});

function optionsOf(
  { enum: values, oneOf, anyOf }: Pick<Property, keyof typeof choices>,
  names: string[] = [],
): ServerField['options'] | null {
  const all =
    values?.map((value, index) => ({ value, label: names[index] ?? value })) ??
    (oneOf ?? anyOf)?.map((one) => ({ value: one.const, label: one.title ?? one.const }));
  return all === undefined || all.length === 0 || all.length > OPTIONS_MAX ? null : all;
}
