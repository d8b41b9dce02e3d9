import type { Conversation } from './conversations.ts';
import { learn } from './learning.ts';
import type { Measured } from './memory-recall.ts';
import { measureVectors, samplesOf } from './memory-signals.ts';

/** Measures each conversation with weights learned from the others only. `without` lists signals, by number, to leave out. */
export function leaveOneOut(
  conversations: Conversation[],
  without?: ReadonlySet<number>,
): { id: string; measured: Measured[] }[] {
  const samples = conversations.flatMap(samplesOf);
  return conversations.map((conversation) => {
    const others = samples.filter((sample) => sample.conversation !== conversation.id);
    return { id: conversation.id, measured: measureVectors(conversation, [learn(others, without)])[0] ?? [] };
  });
}
