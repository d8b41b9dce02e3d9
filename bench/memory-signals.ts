import { type Fusing, fuse } from '../server/src/features/memory/index/fuse.ts';
import { MemoryIndex } from '../server/src/features/memory/index/memory-index.ts';
import { scoreText } from '../server/src/features/memory/index/rank.ts';
import { WIDTH } from '../server/src/features/memory/index/signals.ts';
import { type Found, mergeRecalled } from '../server/src/features/memory/merge-recalled.ts';
import type { Conversation } from './conversations.ts';
import { CUTS, type Measured } from './memory-recall.ts';

/** A question with its candidates' signals, for learning. */
export interface Sample {
  conversation: string;
  /** `WIDTH` numbers for each turn. */
  values: Float32Array;
  /** The places of its evidence among these turns. */
  evidence: number[];
}

function indexOf(conversation: Conversation): { index: MemoryIndex; found: Map<string, Found> } {
  const index = new MemoryIndex();
  const found = new Map<string, Found>();
  for (const session of conversation.sessions) {
    for (const [place, { id, speaker, text }] of session.turns.entries()) {
      const at = session.at + place * 1_000;
      index.add({ id, sessionId: session.id, kind: 'person', speaker, text, at });
      found.set(id, { id, kind: 'person', speaker, text, timestamp: new Date(at).toISOString(), score: 0 });
    }
  }
  return { index, found };
}

/** Every question of a conversation with the signals of its candidates. */
export function samplesOf(conversation: Conversation): Sample[] {
  const { index } = indexOf(conversation);
  return conversation.questions.flatMap((question) => {
    const signals = scoreText(index, question.text);
    if (signals === undefined) return [];
    const { sums } = signals.gathered;
    const places = new Map(
      Array.from(sums.candidates.subarray(0, sums.chosen), (row, place) => [index.rows.ids[row] ?? '', place]),
    );
    const evidence = question.evidence.flatMap((id) => places.get(id) ?? []);
    return [{ conversation: conversation.id, values: signals.values.slice(0, sums.chosen * WIDTH), evidence }];
  });
}

/** Recall as the product ranks, directly on the index, for each vector of weights: quick enough to leave out each signal in turn. */
export function measureVectors(conversation: Conversation, vectors: Float64Array[]): Measured[][] {
  const { index, found } = indexOf(conversation);
  const limit = Math.max(...CUTS);
  const measured: Measured[][] = vectors.map(() => []);
  for (const question of conversation.questions) {
    const signals = scoreText(index, question.text);
    for (const [v, vector] of vectors.entries()) {
      const fusing: Fusing = { limit: limit * 3, vector };
      const rows = signals === undefined ? [] : fuse(index, signals.gathered, signals.values, fusing);
      const best = rows.flatMap(({ row, score }) => {
        const turn = found.get(index.rows.ids[row] ?? '');
        return turn === undefined ? [] : [{ ...turn, score }];
      });
      const ids = mergeRecalled(best, [], limit).map(({ id }) => id);
      const share = (k: number) =>
        question.evidence.filter((id) => ids.slice(0, k).includes(id)).length / question.evidence.length;
      measured[v]?.push({ category: question.category, recall: { 5: share(5), 10: share(10), 20: share(20) } });
    }
  }
  return measured;
}
