import { describe, expect, it } from 'vitest';
import type { Recalled } from '../../memory/memory.service.ts';
import type { Summary } from './context.queries.ts';
import { sizeOf } from './quotations.ts';
import { type PastParts, selectPast } from './select-memories.ts';

let count = 0;
function memory(kind: Recalled['kind'], text: string, more: Partial<Recalled> = {}): Recalled {
  count += 1;
  const place = { sessionId: 's1', sessionName: 'Trips', timestamp: '2026-05-01T10:00:00.000Z' };
  return { id: `m${count}`, kind, text, score: 0.5, quotesOthers: false, ...place, ...more };
}
const summaryOf = (text: string): Summary => ({ text, kind: 'extractive', exchanges: 4 });

const select = (recalled: Recalled[], more: Partial<PastParts> = {}) =>
  selectPast({
    held: ['You help me plan trips.'],
    inputText: 'What is Nora allergic to?',
    history: [],
    summary: undefined,
    limit: 8,
    tokens: 1_000,
    recalled,
    ...more,
  });
const textsOf = (recalled: Recalled[], more: Partial<PastParts> = {}) =>
  select(recalled, more).memories.map(({ text, inConversation }) => (inConversation ? `(${text})` : text));

const NORA = 'My sister Nora is allergic to peanuts.';
const FILLER = 'The weather was mild and the trains were late again. '.repeat(8);

describe('a sentence that the prompt holds', () => {
  it('in the history is not quoted, whatever its marks and case', () => {
    const history = [{ inputText: 'Hi', message: '- **My sister Nora** is allergic to _peanuts_!' }];
    expect(textsOf([memory('person', NORA)], { history })).toEqual([`(${NORA})`]);
    expect(textsOf([memory('person', `${NORA} She carries an injector.`)], { history })).toEqual([
      '… She carries an injector.',
    ]);
  });
  it('as a short message is not quoted either', () => {
    const history = [{ inputText: 'Peanuts', message: 'Noted.' }];
    expect(textsOf([memory('person', 'Peanuts')], { history })).toEqual(['(Peanuts)']);
  });
  it('in the summary is not quoted, and the summary repeats nothing of the history', () => {
    const summary = summaryOf(`${NORA}\nWe land in Lisbon on the ninth.`);
    const history = [{ inputText: 'We land in Lisbon on the ninth.', message: '' }];
    const past = select([memory('person', NORA)], { summary, history });
    expect(past.summary?.text).toBe(NORA);
    expect(past.memories).toMatchObject([{ text: NORA, inConversation: true }]);
  });
  it('in the prompt, in the message or in another block is left out altogether', () => {
    expect(textsOf([memory('person', NORA)], { held: ['p', 'About the person:', `- ${NORA}`] })).toEqual([]);
  });
  it('in two memories stands in the first', () => {
    expect(textsOf([memory('person', NORA), memory('person', `Hello! ${NORA} We fly on Monday.`)])).toEqual([
      NORA,
      'Hello! … We fly on Monday.',
    ]);
  });
  it('in a passage of a file is quoted once, and the file stays named', () => {
    const menu = memory('file', `${NORA} The menu lists twelve dishes.`, { sessionName: 'menu.txt, page 1' });
    expect(textsOf([menu, memory('person', NORA)])).toEqual([menu.text]);
    const history = [{ inputText: menu.text, message: '' }];
    expect(select([menu], { history }).memories).toMatchObject([{ kind: 'file', inConversation: true }]);
  });
  it('twice in one memory is quoted once', () => {
    expect(textsOf([memory('person', `${NORA} Really. ${NORA}`)])).toEqual([`${NORA} Really. …`]);
  });
});

describe('the person and the agent', () => {
  it('say the same: the person is quoted', () => {
    const answer = memory('agent', 'Noted: your sister Nora is allergic to peanuts. That is good to know.', {
      score: 0.9,
    });
    expect(textsOf([answer, memory('person', NORA)])).toEqual([NORA]);
  });
  it('differ in a number or a word: both are quoted', () => {
    const answer = memory('agent', 'Your sister Nora is allergic to walnuts.');
    expect(textsOf([answer, memory('person', NORA)])).toEqual([NORA, answer.text]);
  });
  it('with equal scores come in this order', () => {
    const [answer, told] = [memory('agent', 'Satay is made of peanuts.'), memory('person', NORA)];
    expect(textsOf([answer, told])).toEqual([told.text, answer.text]);
  });
  it('and an answer that could not help is not recalled', () => {
    expect(textsOf([memory('agent', 'I’m sorry, I don’t have any information about Nora. Ask her doctor.')])).toEqual(
      [],
    );
    const helps = 'I can’t book it for you, but the Azul has rooms.';
    expect(textsOf([memory('agent', helps)])).toEqual([helps]);
  });
});

describe('of a long message', () => {
  it('the sentences that matter are quoted, with what they need', () => {
    const long = `${FILLER}${NORA} She carries an injector in her bag. ${FILLER}`;
    expect(textsOf([memory('person', long)])).toEqual([`… ${NORA} She carries an injector in her bag. …`]);
  });
  it('and of an answer its heading too', () => {
    const long = `## What to cook\n\n${FILLER}\n\n- Nora is allergic to nuts of any kind.\n- Rice is fine.\n\n${FILLER}`;
    expect(textsOf([memory('agent', long)])).toEqual([
      '## What to cook …\n\n- Nora is allergic to nuts of any kind. …',
    ]);
  });
  it('a pinned one is quoted whole', () => {
    const long = `${NORA} The weather was mild. ${'x'.repeat(600)}`;
    expect(textsOf([memory('person', long, { pinned: true })])).toEqual([long]);
  });
});

it('keeps the budget and the limit, and prefers what was told to what was asked', () => {
  const told = Array.from({ length: 20 }, (_, i) =>
    memory('person', `On day ${i} Nora ate in restaurant number ${i}.`),
  );
  expect(textsOf(told)).toHaveLength(8);
  const { memories } = select(told, { tokens: 70 });
  expect(memories.length).toBeGreaterThan(0);
  expect(sizeOf(memories)).toBeLessThanOrEqual(70);
  const asked = memory('person', 'Is Nora allergic to anything?', { score: 0.9 });
  expect(textsOf([asked, memory('person', NORA)], { limit: 1 })).toEqual([NORA]);
});
