import { PRODUCT_NAME } from '@atelier/contract/product';
import type { GenerateContext, GenerateInput } from '../models.ts';
import { findEvidence } from './evidence.ts';
import { intentOf } from './intent.ts';
import { type Persona, readPersona } from './persona.ts';
import { cite, collectSentences, quote, type Sentence } from './sources.ts';
import { likeness, stemsOf } from './words.ts';

interface ReplyInput {
  context: GenerateContext;
  messages: GenerateInput['messages'];
}

/** What every answer of this kind can do, said when it could not do more. */
const CAN_DO = `I am ${PRODUCT_NAME}’s built-in offline model: I keep what you tell me and quote it back with its source, but I have no knowledge of my own and write no texts.`;
const CONNECT = `The operator of this ${PRODUCT_NAME} can connect a real model.`;
const IN_MEMORY = 'Ask me about it later, and I will quote it to you.';
const IN_SESSION = 'My memory is off, so I can quote it to you in this session only.';
const RECAP_MAX = 8;

interface Draft {
  lines: string[];
  /** Said unless the agent should be brief. */
  aside?: string;
}

/** The offline model's whole answer in Markdown, based only on the prompt, the session and the memories. */
export function composeReply({ context, messages }: ReplyInput, now = new Date()): string {
  const message = messages.at(-1)?.text ?? '';
  const persona = readPersona(context.prompt);
  const drafted = draftFor(message, persona, { context, messages }, now);
  const draft = { ...drafted, lines: [...aboutAttached(context.attached ?? []), ...drafted.lines] };
  // A frame around every note would fill the memory with the agent's own prompt.
  const framed = messages.length === 1 || intentOf(message) !== 'statement';
  return dress(draft, persona, framed ? context.agentName : undefined);
}

/** What came with the message, and what this model can't do with it. */
function aboutAttached(attached: NonNullable<GenerateContext['attached']>): string[] {
  const named = (kind: 'picture' | 'file') =>
    new Intl.ListFormat('en-GB').format(attached.filter((one) => one.kind === kind).map(({ name }) => `“${name}”`));
  const [pictures, files] = [named('picture'), named('file')];
  return [
    ...(pictures === '' ? [] : [`I got ${pictures}, but I can’t see pictures: that needs a real model that sees.`]),
    ...(files === '' ? [] : [`I got ${files}, and can quote from it.`]),
  ];
}

function draftFor(message: string, persona: Persona, input: ReplyInput, now: Date): Draft {
  const sentences = collectSentences(input.context, input.messages);
  const name = persona.address === undefined ? '' : `, ${persona.address}`;
  switch (intentOf(message)) {
    case 'identity':
      return {
        lines: [
          `I am ${input.context.agentName}, answered by ${PRODUCT_NAME}’s built-in offline model. I am not GPT, nor any other large language model.`,
          CONNECT,
        ],
      };
    case 'instructions':
      return { lines: [`My instructions say: ${quote(input.context.prompt)}`] };
    case 'greeting':
      return {
        lines: [`${persona.greeting}${name}! Tell me something to keep, or ask me about what you told me before.`],
        aside: CAN_DO,
      };
    case 'thanks':
      return { lines: [`You are welcome${name}.`] };
    case 'recap':
      return recap(message, sentences, now);
    case 'request':
      return answer(message, sentences, now, 'I can’t do that: it needs a real model.');
    case 'question':
      return answer(message, sentences, now);
    case 'statement':
      return {
        lines: [`Noted${name}: ${quote(message)}`],
        aside: input.context.remembers ? IN_MEMORY : IN_SESSION,
      };
  }
}

function answer(message: string, sentences: Sentence[], now: Date, cannot?: string): Draft {
  const findings = findEvidence(message, sentences);
  if (findings.length === 0) {
    const nothing = 'I found nothing about that in this session, in my memory or in my instructions.';
    return { lines: cannot === undefined ? [nothing] : [cannot, nothing], aside: `${CAN_DO} ${CONNECT}` };
  }
  const lines = findings.flatMap(({ sentence, replaces }) => [
    cite(sentence, now),
    ...replaces
      .filter(({ source }) => source.by === 'person')
      .slice(0, 1)
      .map((older) => `Earlier, and different: ${cite(older, now)}`),
  ]);
  return { lines: cannot === undefined ? lines : [`${cannot} What I have on it:`, ...lines] };
}

/** Everything the person said, or what concerns the topic they name. */
function recap(message: string, sentences: Sentence[], now: Date): Draft {
  const topic = stemsOf(message.split(/\babout\b/i).at(-1) ?? '').filter(
    (word) => !/^(?:m|me|myself|far|told|everyth)$/.test(word),
  );
  const named = /\babout\b/i.test(message) ? topic : [];
  const fitting = sentences
    .filter(({ source }) => source.by === 'person' || source.by === 'fact')
    .filter(({ text }) => named.length === 0 || stemsOf(text).some((word) => named.some((t) => likeness(t, word) >= 1)))
    .toSorted((a, b) => b.order - a.order)
    .slice(0, RECAP_MAX);
  if (fitting.length === 0) return { lines: ['I found nothing about that: you have not told me yet.'], aside: CAN_DO };
  return { lines: fitting.map((sentence) => `- ${cite(sentence, now)}`) };
}

/** Gives the answer the form that the agent's prompt asks for. */
function dress({ lines, aside }: Draft, persona: Persona, agentName: string | undefined): string {
  const parts: string[] = [];
  if (persona.opening !== undefined) parts.push(persona.opening);
  if (agentName !== undefined)
    parts.push(persona.brief || persona.frame === '' ? `*${agentName}*` : `*${agentName}: ${persona.frame}*`);
  const list = persona.bullets || lines.every((line) => line.startsWith('- '));
  parts.push(list ? lines.map((line) => (line.startsWith('- ') ? line : `- ${line}`)).join('\n') : lines.join('\n\n'));
  if (persona.language !== undefined) {
    parts.push(`(My instructions ask for ${persona.language}; the offline model writes English only.)`);
  }
  if (aside !== undefined && !persona.brief) parts.push(aside);
  if (persona.closing !== undefined) parts.push(persona.closing);
  if (persona.signature !== undefined) parts.push(`— ${persona.signature}`);
  return parts.join('\n\n');
}
