import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Meanings } from '../server/src/features/memory/index/meaning.ts';
import { MemoryIndex } from '../server/src/features/memory/index/memory-index.ts';
import { bestOf, rank, reachFurther, scoreText } from '../server/src/features/memory/index/rank.ts';
import { quantise } from '../server/src/platform/models/embedder.ts';
import { madeEmbedding } from '../server/src/testing/made-embedding.ts';
import type { Conversation, DataSet } from './conversations.ts';
import { type Measured, partsOf, score, WIDEST } from './memory-recall.ts';

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
        return rank(index, text, limit, { near }).map(({ id }) => Number(id));
      }
      const signals = scoreText(index, text);
      const best = signals === undefined ? [] : bestOf(index, signals, limit, { weights });
      return reachFurther(best, ({ row }) => index.rows.session[row], limit).map(({ row }) => row);
    };
    return conversation.questions.map((question) => score(question, parts, rowsFor(question.text)));
  });
}
