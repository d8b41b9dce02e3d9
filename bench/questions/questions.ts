import { readFileSync } from 'node:fs';

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
