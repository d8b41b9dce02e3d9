import { MemoryIndex } from '../../server/src/features/memory/index/memory-index.ts';
import { rank } from '../../server/src/features/memory/index/rank.ts';
import type { GenerateContext, GenerateInput } from '../../server/src/platform/models/models.ts';
import { composeReply } from '../../server/src/platform/models/offline/reply.ts';
import type { Teller } from './questions.ts';

const RECALLED = 8;
type Memory = GenerateContext['memories'][number];

/** The offline model over the product's index of memories, without a database: quick. */
export function standIn(): Teller {
  const minds = new Map<string, { index: MemoryIndex; memories: Memory[] }>();
  const histories = new Map<string, GenerateInput['messages']>();
  let at = Date.parse('2026-03-01T08:00:00Z');
  return {
    async tell({ name: agentName, prompt }, sessionName, text) {
      const mind = minds.get(agentName) ?? { index: new MemoryIndex(), memories: [] };
      minds.set(agentName, mind);
      const memories = rank(mind.index, text, RECALLED).flatMap(({ id, score }) => {
        const memory = mind.memories[Number(id)];
        return memory === undefined ? [] : [{ ...memory, score, sameSession: memory.sessionName === sessionName }];
      });
      const key = `${agentName}/${sessionName}`;
      const messages = [...(histories.get(key) ?? []), { role: 'user' as const, text }];
      const answer = composeReply({ context: { agentName, prompt, remembers: true, memories }, messages });
      histories.set(key, [...messages, { role: 'assistant', text: answer }]);
      at += 60_000;
      for (const [kind, said] of [['person', text] as const, ['agent', answer] as const]) {
        const id = String(mind.memories.length);
        const timestamp = new Date(at).toISOString();
        mind.index.add({ id, sessionId: sessionName, kind, speaker: null, text: said, at });
        mind.memories.push({ id, kind, text: said, timestamp, sessionName, sameSession: false, score: 0 });
      }
      return answer;
    },
  };
}
