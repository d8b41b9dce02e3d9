import { readConversations } from './conversations.ts';

const own = () => readConversations(new URL('conversations/own.json', import.meta.url).pathname);
const turnsOfOwn = () =>
  own().flatMap(({ sessions }) => sessions.flatMap(({ turns }) => turns.map(({ text }) => text)));
const CODE = '\n\n```ts\nexport const answer = (question: string) => question.length;\n```\n';

/** `count` questions about our own conversations. */
export function makeQuestions(count: number): string[] {
  const asked = own().flatMap(({ questions }) => questions.map(({ text }) => text));
  return Array.from({ length: count }, (_, i) => asked[i % asked.length] ?? '');
}

/** `count` different texts from turns of our own conversations: half of one, half of another, and a number. */
export function makeTexts(count: number): string[] {
  const turns = turnsOfOwn();
  return Array.from({ length: count }, (_, i) => {
    const one = turns[i % turns.length] ?? '';
    const two = turns[(i * 7 + Math.floor(i / turns.length)) % turns.length] ?? '';
    return `${one.slice(0, 80)} ${two.slice(-60)} ${i}`;
  });
}

/** Turns of our own conversations, what was said and what is answered; formatted, every fifth answer has a list and every tenth code. */
export function pairsOfTurns(formatted = false): [asked: string, answered: string][] {
  const turns = turnsOfOwn();
  return turns.map((asked, i) => {
    const words = turns[(i * 7 + 3) % turns.length] ?? '';
    const list = formatted && i % 5 === 0 ? `\n\n- ${words.split(/[.!?] /u).join('\n- ')}` : '';
    return [asked, `${words}${list}${formatted && i % 10 === 0 ? CODE : ''}`];
  });
}
