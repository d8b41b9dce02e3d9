import { sentenceFinder } from '../../language/facts/overrule.ts';
import { isStatement, sentencesOf } from '../../language/sentences.ts';
import type { GenerateContext, GenerateInput } from '../models.ts';

/** Where a sentence comes from, as the answer will name it. */
interface Source {
  by: 'person' | 'agent' | 'file' | 'prompt' | 'fact';
  sameSession: boolean;
  sessionName: string;
  timestamp: string;
}

export interface Sentence {
  text: string;
  source: Source;
  /** Larger is newer. */
  order: number;
  /** The memory's score, 0 to 1. */
  recall: number;
}

/** This model's own answers quote others; quoting them again would be hearsay. */
const OWN_ANSWER = /“|^I found nothing|offline model|^Noted/m;
const NEWER_THAN_MEMORY = 1e15;

/** Every sentence that may answer, from this session, the memory or the agent's prompt; duplicates only once. */
export function collectSentences(context: GenerateContext, messages: GenerateInput['messages']): Sentence[] {
  const here = messages.slice(0, -1).flatMap(({ role, text }, index) =>
    split(text, {
      source: { by: role === 'user' ? 'person' : 'agent', sameSession: true, sessionName: '', timestamp: '' },
      order: NEWER_THAN_MEMORY + index,
      recall: 0,
    }),
  );
  const question = messages.at(-1)?.text.trim();
  const remembered = context.memories
    .filter((memory) => memory.text.trim() !== question)
    .flatMap(({ kind, text, timestamp, sessionName, sameSession, score, words, corrected = false }) =>
      split(corrected ? text : (words ?? text), {
        // What the person wrote in place of a fact was never said in a session.
        source: { by: kind !== 'fact' ? kind : corrected ? 'fact' : 'person', sameSession, sessionName, timestamp },
        order: corrected ? Number.MAX_SAFE_INTEGER : Date.parse(timestamp) || 0,
        recall: Math.min(1, Math.max(0, score)),
      }),
    );
  const prompt: Source = { by: 'prompt', sameSession: false, sessionName: '', timestamp: '' };
  const instructions = split(context.prompt, { source: prompt, order: -1, recall: 0 });
  return onceEach(withoutOverruled([...here, ...remembered, ...instructions], context.overruled ?? []));
}

/** What the person has corrected or asked to forget answers nothing, wherever it was said. */
function withoutOverruled(sentences: Sentence[], overruled: readonly string[]): Sentence[] {
  if (overruled.length === 0) return sentences;
  return sentences.filter(({ text, source }) => {
    if (source.by === 'fact' || source.by === 'file') return true;
    const holds = sentenceFinder(text);
    return !overruled.some(holds);
  });
}

function split(text: string, rest: Omit<Sentence, 'text'>): Sentence[] {
  if (rest.source.by === 'agent' && OWN_ANSWER.test(text)) return [];
  const sentences = sentencesOf(text);
  return sentences.flatMap((sentence, index) => {
    if (rest.source.by !== 'prompt' && !isStatement(sentence)) return [];
    // “She carries an injector” says little without the sentence before it.
    const before = /^(?:he|she|they|it|his|her|their|its|this|that)\b/i.test(sentence)
      ? sentences[index - 1]
      : undefined;
    const whole = before !== undefined && isStatement(before) ? `${before} ${sentence}` : sentence;
    return [{ ...rest, text: whole }];
  });
}

/** A sentence in both session and memory keeps its place in the session and the memory's score. */
function onceEach(sentences: Sentence[]): Sentence[] {
  const seen = new Map<string, Sentence>();
  for (const sentence of sentences) {
    const earlier = seen.get(sentence.text.toLowerCase());
    if (earlier === undefined) seen.set(sentence.text.toLowerCase(), sentence);
    else earlier.recall = Math.max(earlier.recall, sentence.recall);
  }
  return [...seen.values()];
}

const QUOTE_MAX = 400;

/** A sentence with its source: “You told me in this session: “…””. */
export function cite({ text, source }: Sentence, now: Date): string {
  return `${origin(source, now)}: ${quote(text)}`;
}

/** In quotation marks on one line; Markdown or HTML stays plain text. */
export function quote(text: string): string {
  const points = Array.from(text.replace(/\s+/g, ' ').trim());
  const cut = points.length > QUOTE_MAX ? `${points.slice(0, QUOTE_MAX - 1).join('')}…` : points.join('');
  return `“${escapeMarkdown(cut)}”`;
}

export const escapeMarkdown = (text: string) => text.replace(/[\\`*[\]<>|~]|(?<!\w)_|_(?!\w)/g, (mark) => `\\${mark}`);

function origin({ by, sameSession, sessionName, timestamp }: Sentence['source'], now: Date): string {
  if (by === 'prompt') return 'My instructions say';
  if (by === 'fact') return 'From your corrected facts';
  if (by === 'file') return `From the file “${escapeMarkdown(sessionName)}”`;
  if (sameSession) return by === 'person' ? 'You told me in this session' : 'I answered in this session';
  const where = `From “${escapeMarkdown(sessionName)}”, ${dayOf(timestamp, now)}`;
  return by === 'person' ? where : `${where}, my own answer`;
}

function dayOf(timestamp: string, now: Date): string {
  const day = new Date(timestamp);
  if (Number.isNaN(day.getTime())) return 'earlier';
  const year = day.getUTCFullYear() === now.getUTCFullYear() ? undefined : 'numeric';
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year, timeZone: 'UTC' }).format(day);
}
