import { z } from 'zod';
import { sentencesOf } from '../../language/sentences.ts';
import { findEvidence } from './evidence.ts';
import { cite, escapeMarkdown, quote, type Sentence } from './sources.ts';

/** The answer of one call. */
export interface ToolAnswer {
  name: string;
  output: unknown;
}

const failed = z.object({ error: z.string() });
const sum = z.object({ expression: z.string(), value: z.number() });
const time = z.object({ place: z.string(), timeZone: z.string(), date: z.string(), time: z.string() });
const program = z.object({ value: z.string().nullable(), console: z.string() });
const page = z.object({ url: z.string(), title: z.string(), text: z.string() });
const memories = z.object({ memories: z.array(z.object({ by: z.string(), when: z.string(), text: z.string() })) });
const passages = z.object({ passages: z.array(z.object({ file: z.string(), place: z.string(), text: z.string() })) });
const FENCE = '```';

/** What the offline model says about its tools' answers; null when they don't answer the question. */
export function tellAnswers(question: string, answers: ToolAnswer[], now = new Date()): string | null {
  const lines = answers.map((answer) => tell(question, answer, now)).filter((line) => line !== null);
  return lines.length === 0 ? null : lines.join('\n\n');
}

function tell(question: string, { name, output }: ToolAnswer, now: Date): string | null {
  const quoted = (text: string) => `\`${name}\`: ${text}`;
  const error = failed.safeParse(output);
  if (error.success) return `\`${name}\` gave no result: ${escapeMarkdown(error.data.error)}`;
  const value = sum.safeParse(output);
  if (value.success) return quoted(`${escapeMarkdown(value.data.expression)} = **${value.data.value}**`);
  const clock = time.safeParse(output);
  if (clock.success) {
    const { place, timeZone, date } = clock.data;
    return quoted(
      `it is ${clock.data.time.slice(0, 5)} on ${date} in ${escapeMarkdown(place)} (${escapeMarkdown(timeZone)}).`,
    );
  }
  const ran = program.safeParse(output);
  if (ran.success) {
    const text = [ran.data.console, ran.data.value ?? ''].filter((part) => part !== '').join('\n');
    return quoted(text === '' ? 'the program returned nothing.' : `the program answered\n\n${fenced(text)}`);
  }
  const web = page.safeParse(output);
  if (web.success) return quoted(`“${escapeMarkdown(web.data.title)}” (${web.data.url}) says: ${quote(web.data.text)}`);
  const files = passages.safeParse(output);
  if (files.success) return tellPassages(question, files.data.passages, now);
  const parsed = memories.safeParse(output);
  if (parsed.success) {
    if (parsed.data.memories.length === 0) return quoted('nothing was found.');
    return quoted(parsed.data.memories.map(({ when, text }) => `\n- ${when}: ${quote(text)}`).join(''));
  }
  return quoted(`it answered\n\n${fenced(typeof output === 'string' ? output : JSON.stringify(output, null, 2))}`);
}

/** The sentences that answer, each with its file and place; null when none does. */
function tellPassages(question: string, matches: z.infer<typeof passages>['passages'], now: Date): string | null {
  const sentences = matches.flatMap(({ file, place, text }, index) =>
    sentencesOf(text).map(
      (sentence): Sentence => ({
        text: sentence,
        source: { by: 'file', sameSession: false, sessionName: `${file}, ${place}`, timestamp: '' },
        order: -index,
        recall: 1 / (index + 1),
      }),
    ),
  );
  const evidence = findEvidence(question, sentences);
  if (evidence.length > 0) return evidence.map(({ sentence }) => cite(sentence, now)).join('\n\n');
  const [first] = matches;
  if (first === undefined || !/\bsearch\b/i.test(question)) return null;
  return `From the file “${escapeMarkdown(`${first.file}, ${first.place}`)}”: ${quote(first.text)}`;
}

const fenced = (text: string) => `${FENCE}\n${text.slice(0, 4_000).replaceAll(FENCE, "'''")}\n${FENCE}`;
