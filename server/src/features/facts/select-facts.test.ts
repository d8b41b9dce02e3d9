import { expect, it } from 'vitest';
import type { RecalledItem } from '../memory/memory.service.ts';
import type { FactsForRun } from './run-facts.service.ts';
import { selectFacts } from './select-facts.service.ts';

const known = (id: string, text: string, more: Partial<FactsForRun> = {}): FactsForRun => ({
  id,
  text,
  about: 'You',
  pinned: false,
  state: 'current',
  corrected: false,
  timestamp: '2026-01-01T00:00:00.000Z',
  sessionId: 's',
  sessionName: 'S',
  memoryId: `of ${id}`,
  exchange: `exchange of ${id}`,
  replacedBy: null,
  sentence: 0,
  said: null,
  ...more,
});
const recalled = (text: string, more: Partial<RecalledItem> = {}): RecalledItem => ({
  id: text,
  kind: 'person',
  text,
  timestamp: '2026-01-01T00:00:00.000Z',
  score: 0.5,
  sessionName: 'S',
  quotesOthers: false,
  exchange: null,
  ...more,
});
const give = (facts: FactsForRun[], passages: RecalledItem[], more: Partial<Parameters<typeof selectFacts>[2]> = {}) =>
  selectFacts(facts, passages, {
    question: 'Where do I live?',
    exchanges: new Set(),
    tokens: 4_000,
    without: [],
    ...more,
  });
const texts = ({ facts, passages }: ReturnType<typeof give>) => [...facts, ...passages].map(({ text }) => text);

it('gives pinned facts first, then those that fit, then the newest, and passages last', () => {
  const facts = [
    known('1', 'I play the cello'),
    known('2', 'I live in Porto'),
    known('3', 'My dog is called Biscuit', { pinned: true }),
  ];
  const given = give(facts, [recalled('The river is close.'), recalled('Pinned words.', { pinned: true })]);
  expect(texts(given)).toEqual([
    'My dog is called Biscuit',
    'I live in Porto',
    'I play the cello',
    'Pinned words.',
    'The river is close.',
  ]);
});

it('says nothing twice: passages lose what facts state, and facts that the conversation has are left out', () => {
  const facts = [known('1', 'I live in Porto'), known('2', 'I play the cello')];
  const passages = [
    recalled('I live in Porto. The river is close.'),
    recalled('Noted: “I live in Porto”', { kind: 'agent' }),
  ];
  expect(texts(give(facts, passages, { exchanges: new Set(['exchange of 2']) }))).toEqual([
    'I live in Porto',
    'The river is close.',
  ]);
});

it('keeps a sentence that states more than the facts do', () => {
  const facts = [known('1', 'I live in Porto'), known('2', 'I work as a nurse')];
  const passage = recalled('I live in Porto, and I work as a nurse.');
  expect(texts(give(facts, [passage]))).toEqual(['I live in Porto', 'I work as a nurse']);
  expect(texts(give(facts, [passage], { without: ['2'] }))).toEqual(['I live in Porto', passage.text]);
});

it('takes out what the person has corrected or refused, wherever it was said', () => {
  const said = 'Hello. My sister is allergic to peanuts.';
  const facts = [
    known('1', 'My sister is allergic to walnuts', { corrected: true, said, sentence: 1 }),
    known('2', '', { state: 'forgotten', said: 'I live in Porto.', sentence: 0 }),
  ];
  const passages = [
    recalled(said),
    recalled('Noted: “My sister is allergic to peanuts.”', { kind: 'agent' }),
    recalled('So you live in Porto, I see.', { kind: 'agent' }),
    recalled('I live in Porto!'),
  ];
  const given = give(facts, passages, { exchanges: new Set(['exchange of 1']) });
  expect(texts(given)).toEqual(['My sister is allergic to walnuts', 'Hello.']);
  expect(given.overruled).toEqual(['My sister is allergic to peanuts.', 'I live in Porto.']);
});

it('takes out a sentence over two lines by the number of either, as it was stored when a line ended one', () => {
  const said = 'Hello. I live in\nPorto. The river is close.';
  for (const sentence of [1, 2]) {
    const given = give([known('1', '', { state: 'forgotten', said, sentence })], [recalled(said)]);
    expect([given.overruled, texts(given)]).toEqual([['I live in Porto.'], ['Hello. The river is close.']]);
  }
});

it('finds a fact by what it replaced', () => {
  const facts = [
    ...Array.from({ length: 10 }, (_, i) => known(`new ${i}`, `I play instrument ${i}`)),
    known('porto', 'I moved to Porto'),
    known('lisbon', 'I live in Lisbon', { state: 'replaced', replacedBy: 'porto' }),
  ];
  const given = give(facts, []);
  expect(texts(given)[0]).toBe('I moved to Porto');
  expect(texts(given)).not.toContain('I live in Lisbon');
});

it('keeps to a quarter of the budget and to twelve', () => {
  const facts = Array.from({ length: 40 }, (_, i) => known(`${i}`, `I live in house number ${i}`));
  expect(give(facts, []).facts).toHaveLength(12);
  expect(give(facts, [], { tokens: 160 }).facts.length).toBeLessThanOrEqual(2);
});
