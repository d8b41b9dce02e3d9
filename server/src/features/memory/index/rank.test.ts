import { expect, it } from 'vitest';
import { type Entry, MemoryIndex } from './memory-index.ts';
import { rank, scoreText } from './rank.ts';

type Line = [text: string, more?: Partial<Entry>];
/** An index of lines in one session, each under its own text as id. */
function indexOf(...lines: Line[]) {
  const index = new MemoryIndex();
  for (const [text, more] of lines) {
    index.add({ id: text, sessionId: 's', kind: 'person', speaker: null, text, at: Date.UTC(2026, 0, 1), ...more });
  }
  return index;
}
const found = (index: MemoryIndex, text: string, limit = 5) => rank(index, text, limit).map((r) => r.id);
const agent = { kind: 'agent' } as const;

const FILLER: Line[] = [['We had pasta'], ['The tram was late'], ['My shoes are wet'], ['It rained on the garden']];

it('answers nothing from nothing, and nothing to nothing', () => {
  expect(found(new MemoryIndex(), 'boat')).toEqual([]);
  expect(found(indexOf(['The boat is red']), '')).toEqual([]);
  expect(found(indexOf(['The boat is red']), 'hello')).toEqual([]);
  expect(found(indexOf(['The boat is red']), 'bicycle')).toEqual([]);
});

it('scores from 0 to 1, best first, and gives no more than was asked for', () => {
  const lines = Array.from({ length: 20 }, (_, i): Line => [`boat ${'sail '.repeat(i)} number ${i}`]);
  const ranked = rank(indexOf(...lines), 'boat sail', 7);
  expect(ranked).toHaveLength(7);
  const scores = ranked.map((r) => r.score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  expect(Math.max(...scores)).toBeLessThanOrEqual(1);
  expect(Math.min(...scores)).toBeGreaterThan(0);
});

it('finds another ending and a misspelling', () => {
  const index = indexOf(...FILLER, ['I painted the veranda'], ['Our neighbour is a photographer']);
  expect(found(index, 'What did I say about painting?')[0]).toBe('I painted the veranda');
  expect(found(index, 'Who is a fotographer?')[0]).toBe('Our neighbour is a photographer');
});

it('finds an answer that repeats no word of the question, by the question before it', () => {
  const asked: Line = ['Is your sister allergic to anything?', agent];
  const index = indexOf(
    ...FILLER,
    asked,
    ['Walnuts, badly'],
    ['Noted.', agent],
    ...FILLER.map(([t]): Line => [`${t} again`]),
  );
  expect(found(index, 'What is my sister allergic to?')[0]).toBe('Walnuts, badly');
});

it('does not take what follows the agent’s statement for part of it', () => {
  const index = indexOf(...FILLER, ['Peanuts are bad for your sister.', agent], ['Thank you very much, lovely']);
  expect(found(index, 'my sister and peanuts')).not.toContain('Thank you very much, lovely');
});

it('puts what the person told before the agent’s echo and the person’s own question', () => {
  const told = 'The key is under the blue pot';
  const index = indexOf(
    ['Good morning'],
    ['Where is the key, under the blue pot?'],
    ['The key is under the blue pot, you said.', agent],
    ...FILLER,
    [told],
  );
  expect(found(index, 'Where is the key?')[0]).toBe(told);
});

it('prefers what tells a time where the query asks when', () => {
  const lines: Line[] = [['The exam is hard'], ...FILLER, ['The exam is Thursday'], ...FILLER];
  expect(
    found(indexOf(...lines.map(([text], i): Line => [text, { id: `${i} ${text}` }])), 'When is the exam?')[0],
  ).toBe('5 The exam is Thursday');
});

it('gives the latest of equal ones once, with some of the others', () => {
  const index = indexOf(
    ['The boat is red', { id: 'old', sessionId: 'a' }],
    ['The boat is red', { id: 'new', sessionId: 'b' }],
    ['The boat is not red', { id: 'other', sessionId: 'b' }],
  );
  expect(found(index, 'boat').toSorted()).toEqual(['new', 'other']);
  expect(rank(index, 'boat', 8).find(({ id }) => id === 'new')?.repeats).toEqual(['old']);
});

it('keeps to one session where it is told to, and knows no other', () => {
  const index = indexOf(['The boat is red', { sessionId: 'a' }], ['The boat is blue', { sessionId: 'b' }]);
  expect(rank(index, 'boat', 5, { sessionId: 'a' }).map((r) => r.id)).toEqual(['The boat is red']);
  expect(rank(index, 'boat', 5, { sessionId: 'c' })).toEqual([]);
});

it('never answers what was forgotten, also when it is added again', () => {
  const index = indexOf(['The boat is red'], ['The boat is blue']);
  index.forget(['The boat is red', 'never known']);
  index.forget(['The boat is red']);
  index.add({ id: 'The boat is red', sessionId: 's', kind: 'person', speaker: null, text: 'The boat is red', at: 0 });
  expect(found(index, 'boat')).toEqual(['The boat is blue']);
});

it('grows in bytes with what it holds', () => {
  const [small, large] = [indexOf(['boat']), indexOf(['boat'], ...FILLER)];
  expect(small.bytes).toBeGreaterThanOrEqual(new MemoryIndex().bytes);
  expect(large.bytes).toBeGreaterThan(small.bytes);
});

it('takes the words of what was forgotten out of the weighing', () => {
  const lines: Line[] = [['The boat is red'], ['The tram is red'], ...FILLER];
  const [fresh, used] = [indexOf(...lines), indexOf(...lines, ['The boat left', { id: 'x' }], ['A boat', { id: 'y' }])];
  used.forget(['x', 'y']);
  expect(rank(used, 'the red boat', 5)).toEqual(rank(fresh, 'the red boat', 5));
  expect(used.holes).toBe(2);
});

it('joins what stood around a forgotten turn', () => {
  const index = indexOf(
    ...FILLER,
    ['Is your sister allergic to anything?', agent],
    ['Hm', { id: 'hm' }],
    ['Walnuts, badly'],
  );
  index.forget(['hm']);
  expect(found(index, 'What is my sister allergic to?')[0]).toBe('Walnuts, badly');
});

it('finds what a question names by its matter', () => {
  const index = indexOf(...FILLER, ['Our dachshund is old, but the dog next door is older'], ['My salary went up']);
  expect(found(index, 'Which pets are there?')[0]).toContain('dog');
  expect(found(index, 'Which bicycle is it?')).toEqual([]);
});

it('prefers what was said on a day that the question names', () => {
  const on = (text: string, date: string): Line => [text, { sessionId: date, at: Date.parse(`${date}T10:00:00Z`) }];
  const index = indexOf(
    on('I bought a lamp at the market', '2026-03-03'),
    on('I bought a chair at the market', '2026-04-04'),
    on('I bought a table at the market', '2026-05-05'),
  );
  expect(found(index, 'What did I buy on 4 April 2026?')[0]).toContain('chair');
  expect(found(index, 'What did I buy in May?')[0]).toContain('table');
});

it('names later statements that may replace one, of the same person only', () => {
  const index = indexOf(
    ['I live in Porto', { id: 'porto' }],
    ...FILLER,
    ['I am based in Lisbon now', { id: 'lisbon' }],
    ['I live in Rome', { id: 'agent', kind: 'agent' }],
    ['Do I live in Oslo?', { id: 'asked' }],
  );
  const [porto] = rank(index, 'Porto', 1);
  expect(porto).toMatchObject({ id: 'porto', rivals: ['lisbon'] });
  index.forget(['lisbon']);
  expect(rank(index, 'Porto', 1)[0]?.rivals).toEqual([]);
});

it('looks closely at a bounded number of rows, and still finds the one that holds it all', () => {
  const index = new MemoryIndex();
  for (let i = 0; i < 5_000; i += 1) {
    const text = i === 2_500 ? 'The red boat sails to Naxos with a green sail' : `The boat number ${i} is red`;
    index.add({ id: String(i), sessionId: `s${i % 50}`, kind: 'person', speaker: null, text, at: 0 });
  }
  expect(rank(index, 'Where does the red boat with the green sail go?', 3)[0]?.id).toBe('2500');
  expect(scoreText(index, 'the red boat')?.gathered.sums.chosen).toBeLessThan(5_000);
});

it('gives a long message once, by its best part', () => {
  const part = (text: string, id: string): Line => [
    `${text} ${'We talked about many other things. '.repeat(12)}`,
    { ...agent, id },
  ];
  const index = indexOf(
    ['Tell me about boats'],
    part('The mast carries the sail.', 'mast'),
    part('The keel of a boat keeps the boat upright.', 'keel'),
    ['The rudder steers the boat.', { ...agent, id: 'rudder' }],
    ['And the boat next door?'],
    ['A boat with two hulls', { ...agent, id: 'other' }],
  );
  const ids = found(index, 'Which part keeps a boat upright?');
  expect(ids.filter((id) => ['mast', 'keel', 'rudder'].includes(id))).toEqual(['keel']);
  expect(ids).toContain('other');
});

it('finds what the agent said where the question asks for that, and else what the person said', () => {
  const lines: Line[] = [
    ...FILLER,
    ['I like the tall oak table', { sessionId: 'a' }],
    ['Good.', { ...agent, sessionId: 'a' }],
    ['What would suit a small room?', { sessionId: 'b' }],
    ['A round walnut table suits a small room well.', { ...agent, sessionId: 'b' }],
  ];
  const index = indexOf(...lines);
  expect(found(index, 'Which table do I like?')[0]).toBe('I like the tall oak table');
  expect(found(index, 'Which table did you recommend for a small room?')[0]).toBe(
    'A round walnut table suits a small room well.',
  );
});

it('reads a long request by its rarest words, so that what it continues is found', () => {
  const chatter = Array.from(
    { length: 120 },
    (_, i): Line => [`common word${i % 40} ${i} boat`, { sessionId: `c${i}` }],
  );
  const index = indexOf(...chatter, ['The regatta starts in Naxos', { sessionId: 'regatta' }]);
  const request = `${Array.from({ length: 40 }, (_, i) => `word${i}`).join(' ')} common boat: go on with the regatta in Naxos`;
  expect(found(index, request)).toContain('The regatta starts in Naxos');
});

it('scores sessions by what the agent said there, where the query goes on with a talk, and by words that stand side by side', () => {
  const index = indexOf(
    ['Any ideas?', { sessionId: 'a' }],
    ['A pilot program in spring', { ...agent, sessionId: 'a' }],
    ['The pilot was late. Our program is on paper', { sessionId: 'b' }],
    ['The pilot', { sessionId: 'c' }],
    ['My program', { sessionId: 'c' }],
  );
  const sessionsOf = (text: string) => [...(scoreText(index, text)?.gathered.sessions ?? [])];
  const [asked = 0, person = 0, apart = 0] = sessionsOf('When is the pilot program?');
  expect(asked).toBe(0);
  expect(person).toBeGreaterThan(apart);
  expect(sessionsOf('The pilot program sounds good to me.')[0]).toBeGreaterThan(0);
});

it('looks into several sessions for a message that goes on with a talk, and less so for a question', () => {
  const index = indexOf(
    ...FILLER,
    ['The pilot program starts in spring', { sessionId: 'a' }],
    ['The pilot program needs two people', { sessionId: 'a' }],
    ['Two people want the spring pilot program', { sessionId: 'a' }],
    ['Two people know the spring pilot', { sessionId: 'b' }],
  );
  const placeOf = (text: string) => found(index, text).indexOf('Two people know the spring pilot');
  expect(placeOf('The spring pilot program for two people sounds good.')).toBe(2);
  expect(placeOf('Which two people want the spring pilot program?')).toBe(3);
});

it('gives places after the best to sessions that have none yet, and no higher score than the one before', () => {
  const index = indexOf(
    ...FILLER,
    ...Array.from({ length: 12 }, (_, i): Line => [`The pilot program of spring needs hand ${i}`, { sessionId: 'a' }]),
    ['Hand in the program', { sessionId: 'b' }],
    ['A pilot in spring', { sessionId: 'c' }],
  );
  const ranked = rank(index, 'Which hands does the pilot program of spring need?', 12);
  const sessions = ranked.map(({ id }) => index.rows.session[index.rows.ids.indexOf(id)]);
  expect(new Set(sessions.slice(0, 7)).size).toBe(1);
  expect(new Set(sessions.slice(7, 9)).size).toBe(2);
  expect(sessions.slice(9)).not.toContain(sessions[7]);
  const scores = ranked.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
});
