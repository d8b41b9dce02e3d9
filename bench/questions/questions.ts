import { readFileSync } from 'node:fs';
import { MemoryIndex } from '../../server/src/features/memory/index/memory-index.ts';
import { rank } from '../../server/src/features/memory/index/rank.ts';
import type { GenerateContext, GenerateInput } from '../../server/src/platform/models/models.ts';
import { composeReply } from '../../server/src/platform/models/offline/reply.ts';

export interface Question {
  ask: string;
  /** The sentence that the answer must quote; null when nothing answers the question. */
  line: string | null;
}

export interface QuestionAgent {
  name: string;
  prompt: string;
  sessions: { name: string; turns: string[] }[];
  questions: Question[];
}

/** Somebody who makes statements and asks questions: the product itself, or a stand-in for its memory. */
export interface Teller {
  tell(agent: QuestionAgent, sessionName: string, text: string): Promise<string>;
}

export interface Result extends Question {
  agent: string;
  answer: string;
  right: boolean;
}

/** A file of the question set beside this one. */
export function readQuestions(file = 'offline.json'): QuestionAgent[] {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')).agents;
}

/** Makes all statements, then asks all questions in one new session per agent, where earlier questions are memories too. */
export async function askAll(agents: QuestionAgent[], teller: Teller): Promise<Result[]> {
  const results: Result[] = [];
  for (const agent of agents) {
    for (const session of agent.sessions) {
      for (const turn of session.turns) await teller.tell(agent, session.name, turn);
    }
    for (const question of agent.questions) {
      const answer = await teller.tell(agent, 'Questions', question.ask);
      results.push({ ...question, agent: agent.name, answer, right: isRight(question, answer) });
    }
  }
  return results;
}

/** The sentence must be the first quotation, right after its source; or there must be no quotation at all. */
function isRight({ line }: Question, answer: string): boolean {
  const quotes = [...answer.matchAll(/(You told me in this session|From “[^”]+”, [^:]+): “([^”]*)”/g)];
  if (line === null) return quotes.length === 0 && answer.includes('I found nothing');
  return quotes[0]?.[2]?.includes(line) ?? false;
}

/** `N/40 quoted with source, M/10 honest`. */
export function summary(results: Result[]): string {
  const known = results.filter(({ line }) => line !== null);
  const unknown = results.filter(({ line }) => line === null);
  const right = (list: Result[]) => `${list.filter((result) => result.right).length}/${list.length}`;
  return `${right(known)} quoted with source, ${right(unknown)} honest`;
}

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
