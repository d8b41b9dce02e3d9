import { fuse } from '../server/src/features/memory/index/fuse.ts';
import { MemoryIndex } from '../server/src/features/memory/index/memory-index.ts';
import { bestOfEach, scoreText } from '../server/src/features/memory/index/rank.ts';
import { WIDTH } from '../server/src/features/memory/index/signals.ts';
import type { Sums } from '../server/src/features/memory/index/sums.ts';
import type { Conversation, DataSet } from './conversations.ts';
import { type Measured, partsOf, score, WIDEST } from './memory-recall.ts';

/** A question with its candidates' signals, for learning. */
export interface Sample {
  /** `WIDTH` numbers for each candidate. */
  values: Float32Array;
  /** The places of its evidence among the candidates; any of those listed together will do. */
  evidence: number[][];
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
  return { index, parts, ids: parts.map(({ id }) => id) };
}

/** Every question of a set with the signals of its candidates, where any of them is evidence. */
export const samplesOf = ({ conversations }: DataSet): Sample[] => conversations.flatMap(samplesOfOne);

function samplesOfOne(conversation: Conversation): Sample[] {
  const { index, ids } = indexOf(conversation);
  return conversation.questions.flatMap((question) => {
    const signals = scoreText(index, question.text);
    if (signals === undefined) return [];
    const { sums } = signals.gathered;
    const evidence = question.evidence
      .map((any) => placesOf(sums, (row) => any.includes(ids[row] ?? '')))
      .filter((places) => places.length > 0);
    return evidence.length === 0 ? [] : [{ values: signals.values.slice(0, sums.chosen * WIDTH), evidence }];
  });
}

function placesOf({ candidates, chosen }: Sums, told: (row: number) => boolean): number[] {
  const places: number[] = [];
  for (let place = 0; place < chosen; place += 1) if (told(candidates[place] ?? 0)) places.push(place);
  return places;
}

/** Recall as the product ranks, directly on the index, with these weights. */
export const measureWeights = ({ conversations }: DataSet, vector: Float64Array): Measured[] =>
  conversations.flatMap((conversation) => {
    const { index, ids } = indexOf(conversation);
    return conversation.questions.map((question) => {
      const signals = scoreText(index, question.text);
      const rows = signals === undefined ? [] : fuse(index, signals.gathered, signals.values, { vector });
      return score(
        question,
        bestOfEach(index, rows, WIDEST).map(({ row }) => ids[row]),
      );
    });
  });
