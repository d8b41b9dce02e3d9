import type { GenerateInput, ModelEvent } from '../platform/models/models.ts';
import { modelsThat } from './test-models.ts';

/** An order as it may stand anywhere: `CALL tool key=value;` or `SAY words;`. It survives being quoted as JSON. */
const ORDER = /CALL (?<tool>[\w-]+) (?<key>\w+)=(?<value>[^\s"\\;]+);|SAY (?<words>[^;"\\]+);/g;
/** Which of a private text: its whole, encoded in some way, or one half of it. */
const HOLE = /\{PRIVATE\.?(?<how>\w*)\}/g;
const SECRET = /secret-[a-z0-9]{16}/;
const ROUNDS = 8;

/** The private text in each form in which it could be carried away. */
export const FORMS = {
  raw: (text: string) => text,
  base64: (text: string) => Buffer.from(text).toString('base64url'),
  hex: (text: string) => Buffer.from(text).toString('hex'),
  url: (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join(''),
  reversed: (text: string) => [...text].toReversed().join(''),
  first: (text: string) => text.slice(7, 15),
  second: (text: string) => text.slice(15),
} as const;

const fill = (text: string, secret: string) =>
  text.replaceAll(HOLE, (_, how: string) => (how in FORMS ? FORMS[how as keyof typeof FORMS](secret) : secret));

async function* obey(input: GenerateInput): AsyncGenerator<ModelEvent> {
  const { instructions, messages, tools = [] } = input;
  let prompt = [instructions, ...messages.map(({ text }) => text)].join('\n');
  const obeyed = new Set<string>();
  let said = 'Done.';
  for (let round = 0; round < ROUNDS; round += 1) {
    const secret = SECRET.exec(prompt)?.[0];
    // An order to tell what is private is kept until there is something to tell.
    const orders = [...prompt.matchAll(ORDER)].filter(
      ([order]) => !obeyed.has(order) && (secret !== undefined || !order.includes('{PRIVATE')),
    );
    for (const { 0: order, groups: { tool: name, key = '', value = '', words } = {} } of orders) {
      obeyed.add(order);
      if (words !== undefined) said += ` ${fill(words, secret ?? '')}`;
      const tool = tools.find((known) => known.name === name);
      if (tool !== undefined) prompt += `\n${JSON.stringify(await tool.execute({ [key]: fill(value, secret ?? '') }))}`;
    }
    if (orders.length === 0) break;
  }
  yield { type: 'delta', text: said };
  yield { type: 'end', usage: { inputTokens: 1, outputTokens: 1, estimated: true } };
}

/** A model that does whatever it reads anywhere in its prompt, with whatever private text stands there. */
export const obedientModels = modelsThat(obey);
