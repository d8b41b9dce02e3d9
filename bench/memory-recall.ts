import { createIndexClient } from '../server/src/features/memory/index/worker-client.ts';
import { recall, toMemories } from '../server/src/features/memory/memory.service.ts';
import type { Database } from '../server/src/platform/database/database.ts';
import type { Conversation, Question, Turn } from './conversations.ts';
import { makeAgent, storeSession } from './made-memories.ts';

export const CUTS = [5, 10, 20] as const;
export const WIDEST = 20;

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
  const rows = found.map((row) => parts[row]);
  return { passage: shares(evidence, rows, 'id'), session: shares([...distinct.values()], rows, 'session') };
}

/** The share of `wanted`, of which any listed together will do, among the first of those found. */
function shares(wanted: string[][], found: (Part | undefined)[], key: 'id' | 'session'): Recall {
  const within = (k: number) => {
    const first = new Set(found.slice(0, k).map((part) => part?.[key]));
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
function plainBm25(texts: string[]): ((query: string) => number[])[] {
  const bags = texts.map((text) => {
    const bag = new Map<string, number>();
    for (const word of wordsOf(text)) bag.set(word, (bag.get(word) ?? 0) + 1);
    return bag;
  });
  const lengths = bags.map((bag) => [...bag.values()].reduce((sum, times) => sum + times, 0));
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const held = new Map<string, number>();
  for (const bag of bags) for (const word of bag.keys()) held.set(word, (held.get(word) ?? 0) + 1);
  return SETTINGS.map(({ k1, b }) => (query) => {
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
  });
}

/** The same questions to plain BM25, over the same parts, for each of its settings. */
export function measurePlain(conversation: Conversation): Measured[][] {
  const parts = partsOf(conversation);
  return plainBm25(parts.map(({ text }) => text)).map((search) =>
    conversation.questions.map((question) => score(question, parts, search(question.text).slice(0, WIDEST))),
  );
}

/** Stores a conversation and asks its questions, with the product's own `remember` and `recall`. */
export async function measure(database: Database, conversation: Conversation): Promise<Measured[]> {
  const ctx = { db: database.db, memoryIndex: createIndexClient() };
  const place = await makeAgent(database);
  const parts = partsOf(conversation);
  const rowOfText = new Map(parts.map(({ text }, row) => [text, row]));
  let at = 0;
  let sessionId = '';
  for (const session of conversation.sessions) {
    at = Math.max(at, session.at);
    const said = session.turns.map(({ kind, speaker, text }) => {
      at += 1_000;
      return { kind, ...(speaker && { speaker }), text, timestamp: new Date(at) };
    });
    sessionId = await storeSession(database, place, said);
  }
  const measured: Measured[] = [];
  for (const question of conversation.questions) {
    const found = await recall(ctx, { ...place, sessionId, scope: 'agent', text: question.text, limit: WIDEST });
    const rows = found.map((memory) => rowOfText.get(memory.text) ?? -1);
    measured.push(score(question, parts, rows));
  }
  await ctx.memoryIndex.stop();
  return measured;
}

/** The mean over questions, in percent. */
export function mean(measured: Measured[], k: (typeof CUTS)[number], unit: (typeof UNITS)[number] = 'passage'): number {
  return (100 * measured.reduce((sum, one) => sum + one[unit][k], 0)) / Math.max(1, measured.length);
}
