import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { fuseMeanings, Meanings } from '../server/src/features/memory/index/meaning.ts';
import { MemoryIndex } from '../server/src/features/memory/index/memory-index.ts';
import { bestOf, rank, scoreText } from '../server/src/features/memory/index/rank.ts';
import { toMemories } from '../server/src/features/memory/memory.service.ts';
import { quantise } from '../server/src/platform/models/embedder.ts';
import { madeEmbedding } from '../server/src/testing/made-embedding.ts';
import type { Conversation, DataSet, Question, Turn } from './conversations.ts';

export const CUTS = [5, 10, 20] as const;
const WIDEST = 20;

type Recall = Record<(typeof CUTS)[number], number>;

/** What is counted: the turns that answer a question, or the sessions they are from. */
export const UNITS = ['passage', 'session'] as const;
/** The share of a question's evidence among the first k passages, by k. */
export type Measured = Record<(typeof UNITS)[number], Recall>;

type Part = Turn & { session: string };

/** What of a question's evidence is among the rows of these parts that were found, best first. */
export function score({ evidence }: Question, parts: Part[], found: number[]): Measured {
  const sessionOf = new Map(parts.map(({ id, session }) => [id, session]));
  const sessions = evidence.map((any) => [...new Set(any.map((id) => sessionOf.get(id) ?? ''))].sort());
  const distinct = new Map(sessions.map((any) => [any.join(), any]));
  return {
    passage: shares(
      evidence,
      found.map((row) => parts[row]?.id),
    ),
    session: shares(
      [...distinct.values()],
      found.map((row) => parts[row]?.session),
    ),
  };
}

/** The share of `wanted`, of which any listed together will do, among the first of those found. */
function shares(wanted: string[][], found: (string | undefined)[]): Recall {
  const within = (k: number) => {
    const first = new Set(found.slice(0, k));
    return wanted.filter((any) => any.some((id) => first.has(id))).length / wanted.length;
  };
  return { 5: within(5), 10: within(10), 20: within(20) };
}

/** The turns as the product stores them: a long one in several parts. */
export const partsOf = (conversation: Conversation): Part[] =>
  conversation.sessions.flatMap((session) =>
    session.turns.flatMap((turn) =>
      toMemories(turn.kind, turn.text).map(({ text }) => ({ ...turn, text, session: session.id })),
    ),
  );

/** The textbook's settings, and those that suit short texts: a set is compared with the better one. */
const SETTINGS = [
  { k1: 1.2, b: 0.75 },
  { k1: 0.9, b: 0.4 },
];

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];

/** BM25 (Robertson & Zaragoza 2009) of whole words, nothing else: what memory has to beat. Ranks the texts, by number, for a query. */
function plainBm25(texts: string[], { k1, b }: (typeof SETTINGS)[number]): (query: string) => number[] {
  const bags = texts.map((text) => {
    const bag = new Map<string, number>();
    for (const word of wordsOf(text)) bag.set(word, (bag.get(word) ?? 0) + 1);
    return bag;
  });
  const lengths = bags.map((bag) => [...bag.values()].reduce((sum, times) => sum + times, 0));
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const held = new Map<string, number>();
  for (const bag of bags) for (const word of bag.keys()) held.set(word, (held.get(word) ?? 0) + 1);
  return (query) => {
    const asked = wordsOf(query);
    const score = (bag: Map<string, number>, at: number) => {
      let sum = 0;
      for (const word of asked) {
        const times = bag.get(word);
        if (times === undefined) continue;
        const rows = held.get(word) ?? 0;
        const idf = Math.log(1 + (texts.length - rows + 0.5) / (rows + 0.5));
        sum += (idf * times * (k1 + 1)) / (times + k1 * (1 - b + (b * (lengths[at] ?? 0)) / mean));
      }
      return sum;
    };
    return bags
      .map((bag, at) => ({ at, score: score(bag, at) }))
      .filter((one) => one.score > 0)
      .sort((x, y) => y.score - x.score || x.at - y.at)
      .map(({ at }) => at);
  };
}

/** The questions of a set to plain BM25, over the same parts, with the settings that suit it better. */
export function measurePlain({ conversations }: DataSet): Measured[] {
  const bySetting = SETTINGS.map((setting) =>
    conversations.flatMap((conversation) => {
      const parts = partsOf(conversation);
      const search = plainBm25(
        parts.map(({ text }) => text),
        setting,
      );
      return conversation.questions.map((question) => score(question, parts, search(question.text).slice(0, WIDEST)));
    }),
  );
  return bySetting.sort((one, other) => mean(other, 5) - mean(one, 5))[0] ?? [];
}

/** The mean over questions, in percent. */
export function mean(measured: Measured[], k: (typeof CUTS)[number], unit: (typeof UNITS)[number] = 'passage'): number {
  return (100 * measured.reduce((sum, one) => sum + one[unit][k], 0)) / Math.max(1, measured.length);
}

/** An embedding of a text, as the product keeps it. */
export type Embed = (text: string) => Int8Array;

const DIMENSIONS = 256;
export const madeEmbed: Embed = (text) => quantise(madeEmbedding(text, DIMENSIONS));

/** Embeddings recorded from a real model: base64 of signed bytes at unit length, by the SHA-256 of each text. */
const recorded = z.object({ model: z.string(), vectors: z.record(z.string(), z.string()) });

export const keyOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** Reads recorded embeddings; what it returns throws for a text that was not recorded. */
export function readRecorded(file: string): Embed {
  const { vectors } = recorded.parse(JSON.parse(readFileSync(file, 'utf8')));
  return (text) => {
    const vector = vectors[keyOf(text)];
    if (vector === undefined) throw new Error(`not recorded: ${text.slice(0, 60)}`);
    return new Int8Array(Buffer.from(vector, 'base64'));
  };
}

/** An index of a conversation; the id of each row is its number. */
export function indexOf(conversation: Conversation) {
  const index = new MemoryIndex();
  const starts = new Map(conversation.sessions.map(({ id, at }) => [id, at]));
  const parts = partsOf(conversation);
  for (const [row, { session, kind, speaker = null, text }] of parts.entries()) {
    const at = (starts.get(session) ?? 0) + row;
    index.add({ id: String(row), sessionId: session, kind, speaker, text, at });
  }
  return { index, parts };
}

interface Ranking {
  /** By meaning too. */
  embed?: Embed | undefined;
  /** Instead of the product's. */
  weights?: Float64Array;
}

/** Recall as the index worker ranks, directly on the index. */
export function measureRanking({ conversations }: DataSet, { embed, weights }: Ranking = {}): Measured[] {
  return conversations.flatMap((conversation) => {
    const { index, parts } = indexOf(conversation);
    const meanings = new Meanings();
    if (embed) for (const [row, { text }] of parts.entries()) meanings.set(String(row), embed(text));
    // As many as the product asks its index for.
    const limit = 2 * WIDEST;
    const rowsFor = (text: string): number[] => {
      if (weights === undefined) {
        const near = embed ? meanings.nearest(embed(text), limit) : [];
        return fuseMeanings(rank(index, text, limit), near, WIDEST).map(({ id }) => Number(id));
      }
      const signals = scoreText(index, text);
      return signals === undefined ? [] : bestOf(index, signals, WIDEST, { weights }).map(({ row }) => row);
    };
    return conversation.questions.map((question) => score(question, parts, rowsFor(question.text)));
  });
}
