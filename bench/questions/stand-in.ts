import type { GenerateContext, GenerateInput } from '../../server/src/platform/models/models.ts';
import { composeReply } from '../../server/src/platform/models/offline/reply.ts';
import { likeness, stemsOf } from '../../server/src/platform/models/offline/words.ts';
import type { QuestionAgent, Teller } from './questions.ts';

const RECALLED = 8;
/** The agent's own words count less, as in the product. */
const AGENT_SHARE = 0.6;
type Memory = GenerateContext['memories'][number];

/** The offline model alone, with a memory that only counts common words: quick, and worse than the product's. */
export function standIn(): Teller {
  const memories = new Map<string, Memory[]>();
  const histories = new Map<string, GenerateInput['messages']>();
  let minute = Date.parse('2026-03-01T08:00:00Z');
  return {
    async tell(agent: QuestionAgent, sessionName: string, text: string) {
      const kept = memories.get(agent.name) ?? [];
      const key = `${agent.name}/${sessionName}`;
      const history = histories.get(key) ?? [];
      const messages = [...history, { role: 'user' as const, text }];
      const context = {
        agentName: agent.name,
        prompt: agent.prompt,
        remembers: true,
        memories: recall(kept, text).map((memory) => ({ ...memory, sameSession: memory.sessionName === sessionName })),
      };
      const answer = composeReply({ context, messages });
      histories.set(key, [...messages, { role: 'assistant', text: answer }]);
      minute += 60_000;
      const timestamp = new Date(minute).toISOString();
      const entry = (kind: Memory['kind'], said: string) => ({
        id: `${kind}-${minute}`,
        kind,
        text: said,
        timestamp,
        sessionName,
        sameSession: false,
        score: 0,
      });
      memories.set(agent.name, [...kept, entry('person', text), entry('agent', answer)]);
      return answer;
    },
  };
}

function recall(memories: Memory[], text: string): Memory[] {
  const asked = stemsOf(text);
  const scored = memories.map((memory) => {
    const told = stemsOf(memory.text);
    const met = asked.reduce((sum, word) => sum + Math.max(0, ...told.map((other) => likeness(word, other))), 0);
    return { ...memory, score: (met / Math.max(1, asked.length)) * (memory.kind === 'agent' ? AGENT_SHARE : 1) };
  });
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, RECALLED);
}
