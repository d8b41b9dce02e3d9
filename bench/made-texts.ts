import { readConversations } from './conversations.ts';

const OWN = new URL('conversations/own.json', import.meta.url).pathname;

/** `count` questions about our own conversations. */
export function makeQuestions(count: number): string[] {
  const asked = readConversations(OWN).flatMap(({ questions }) => questions.map(({ text }) => text));
  return Array.from({ length: count }, (_, i) => asked[i % asked.length] ?? '');
}

/** `count` different texts from turns of our own conversations: half of one, half of another, and a number. */
export function makeTexts(count: number): string[] {
  const turns = readConversations(OWN).flatMap(({ sessions }) => sessions.flatMap((session) => session.turns));
  return Array.from({ length: count }, (_, i) => {
    const one = turns[i % turns.length]?.text ?? '';
    const two = turns[(i * 7 + Math.floor(i / turns.length)) % turns.length]?.text ?? '';
    return `${one.slice(0, 80)} ${two.slice(-60)} ${i}`;
  });
}
