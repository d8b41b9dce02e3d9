import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { fuseMeanings, Meanings } from '../server/src/features/memory/index/meaning.ts';
import { rank } from '../server/src/features/memory/index/rank.ts';
import { quantise } from '../server/src/platform/models/embedder.ts';
import { madeEmbedding } from '../server/src/testing/made-embedding.ts';
import type { DataSet } from './conversations.ts';
import { type Measured, score, WIDEST } from './memory-recall.ts';
import { indexOf } from './memory-signals.ts';

/** An embedding of a text, as the product keeps it. */
export type Embed = (text: string) => Int8Array;

const DIMENSIONS = 256;
export const madeEmbed: Embed = (text) => quantise(madeEmbedding(text, DIMENSIONS));

/** Embeddings recorded from a real model: base64 of signed bytes at unit length, by the SHA-256 of each text. */
const recorded = z.object({ model: z.string(), vectors: z.record(z.string(), z.string()) });

export const keyOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** Reads recorded embeddings; throws for a text that was not recorded. */
export function readRecorded(file: string): { model: string; embed: Embed } {
  const { model, vectors } = recorded.parse(JSON.parse(readFileSync(file, 'utf8')));
  const embed: Embed = (text) => {
    const vector = vectors[keyOf(text)];
    if (vector === undefined) throw new Error(`not recorded: ${text.slice(0, 60)}`);
    return new Int8Array(Buffer.from(vector, 'base64'));
  };
  return { model, embed };
}

/** Recall as the index worker ranks: by words and meaning together, or without `embed` by words alone. */
export function measureRanking({ conversations }: DataSet, embed?: Embed): Measured[] {
  return conversations.flatMap((conversation) => {
    const { index, parts } = indexOf(conversation);
    const meanings = new Meanings();
    if (embed) for (const [row, { text }] of parts.entries()) meanings.set(String(row), embed(text));
    return conversation.questions.map((question) => {
      // As many as the product asks its index for.
      const limit = 2 * WIDEST;
      const near = embed ? meanings.nearest(embed(question.text), limit) : [];
      const found = fuseMeanings(rank(index, question.text, limit), near, WIDEST);
      return score(
        question,
        found.map(({ id }) => parts[Number(id)]?.id),
      );
    });
  });
}
