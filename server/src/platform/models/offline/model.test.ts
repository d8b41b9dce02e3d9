import { describe, expect, it } from 'vitest';
import { askAll, readQuestions, standIn } from '../../../../../bench/questions/questions.ts';
import { readConfig } from '../../../config.ts';
import { createModels } from '../create-models.ts';
import type { GenerateContext, GenerateInput } from '../models.ts';
import { cleanTitle } from '../session-title.ts';
import { composeReply } from './reply.ts';

const NOW = new Date('2026-05-01T12:00:00Z');
type Memory = GenerateContext['memories'][number];

const memory = (text: string, change: Partial<Memory> = {}): Memory => ({
  id: text,
  kind: 'person',
  text,
  timestamp: '2026-03-12T09:00:00.000Z',
  sessionName: 'Session: Field Notes',
  sameSession: false,
  score: 0.8,
  ...change,
});

function reply(said: string | string[], memories: Memory[] = [], prompt = 'You help me plan trips.') {
  const messages = [said].flat().map((text) => ({ role: 'user' as const, text }));
  return composeReply({ context: { agentName: 'Field Notes', prompt, remembers: true, memories }, messages }, NOW);
}

describe('what the offline model quotes', () => {
  it('finds the peanuts among nine messages and says that they are from this session', () => {
    const said = [
      'My sister is allergic to peanuts',
      'We leave on Friday.',
      'The tent is green.',
      'I like long walks.',
      'My brother plays chess.',
      'Is it far?',
      'The car needs new tyres.',
      'We take the ferry at noon.',
      'Thanks!',
      'What should I avoid cooking for my sister?',
    ];
    expect(reply(said)).toContain('You told me in this session: “My sister is allergic to peanuts”');
  });

  it('names another session and its day', () => {
    expect(
      reply('What should I avoid cooking for my sister?', [memory('My sister is allergic to peanuts.')]),
    ).toContain('From “Session: Field Notes”, 12 March: “My sister is allergic to peanuts.”');
  });

  it('quotes a sentence whole that stands on two lines', () => {
    const mill = 'The tenant of the mill is a man who\nis named Casimir Dunbar and pays on Mondays.';
    expect(reply('Who is the tenant of the mill?', [memory(mill)])).toContain(mill.replace('\n', ' '));
    expect(reply([mill, 'On which day does Casimir Dunbar pay?'])).toContain('pays on Mondays');
  });

  it.each([
    ['我妹妹小雨对花生过敏。', '我妹妹小雨对什么过敏？', '我的猫叫什么？'],
    ['父は来月大阪に引っ越します。', '父はどこに引っ越しますか？', '母は何を食べますか？'],
  ])('finds %j by its own signs', (told, question, other) => {
    expect(reply(question, [memory(told)])).toContain(told);
    expect(reply(other, [memory(told)])).not.toContain(told);
  });

  it('knows nothing that it was not given', () => {
    const answer = reply('What should I avoid cooking for my sister?', [memory('The ferry leaves at noon.')]);
    expect(answer).toContain('I found nothing');
    expect(answer).not.toContain('ferry');
  });

  it('prefers the newer of two statements on the same matter and shows the older as such', () => {
    const older = memory('The stand-up starts at nine.', { timestamp: '2026-03-01T09:00:00.000Z' });
    const newer = memory('The stand-up starts at ten now.', { timestamp: '2026-04-01T09:00:00.000Z' });
    for (const memories of [
      [older, newer],
      [newer, older],
    ]) {
      const answer = reply('When does the stand-up start?', memories);
      expect(answer.indexOf('starts at ten')).toBeGreaterThan(0);
      expect(answer.indexOf('starts at ten')).toBeLessThan(answer.indexOf('starts at nine'));
    }
  });

  it('quotes the newer of two statements on one matter first, even where nothing says that it replaces the older', () => {
    const [green, blue] = ['My old tent is green.', 'My old tent is blue.'].map((text, at) =>
      memory(text, { timestamp: `2026-03-0${at + 1}T09:00:00.000Z`, score: 0.9 - at / 5 }),
    );
    if (green === undefined || blue === undefined) throw new Error('two memories');
    for (const memories of [
      [green, blue],
      [blue, green],
    ])
      expect(reply('What colour is my old tent?', memories)).toMatch(/blue[\s\S]*green/);
  });

  it('puts what is true today first, and what was true long ago last', () => {
    const [oslo, porto, rome] = ['I live in Oslo.', 'I moved to Porto.', 'I used to live in Rome.'].map((text, at) =>
      memory(text, { timestamp: `2026-03-0${at + 1}T09:00:00.000Z` }),
    );
    if (oslo === undefined || porto === undefined || rome === undefined) throw new Error('three memories');
    const orders = [
      [oslo, porto, rome],
      [rome, porto, oslo],
      [porto, rome, oslo],
    ];
    for (const memories of orders) {
      const answer = reply('Where do I live?', memories);
      const places = ['Porto', 'Oslo', 'Rome'].map((name) => answer.indexOf(name));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(answer).toMatch(/different: From .*I live in Oslo/);
    }
    expect(reply(['I live in Oslo.', 'I moved to Porto.', 'Where do I live?'])).toMatch(
      /Porto[\s\S]*different: .*Oslo/,
    );
  });

  it.each([
    ['Which jar does the sugar live in?', 'The sugar lives in the red jar.', 'The flour lives in the blue jar.'],
    ['Where does Nora live?', 'My sister Nora lives in Lisbon.', 'My brother Tom lives in Leeds.'],
    ['What does Nora play?', 'My sister Nora plays the cello.', 'My sister Nora lives in Lisbon.'],
  ])('sees no contradiction between different matters: %s', (question, answered, other) => {
    for (const told of [
      [answered, other],
      [other, answered],
    ]) {
      const memories = told.map((text, at) => memory(text, { timestamp: `2026-03-0${at + 1}T09:00:00.000Z` }));
      expect(reply(question, memories)).toMatch(new RegExp(`^[^“]*“[^”]*”[^“]*“${answered}`));
      expect(reply(question, memories)).not.toContain('different');
    }
  });

  it('does not show the message that states a fact as something different', () => {
    const answer = reply('What does my wife teach?', [
      memory('My wife teaches chemistry at a grammar school', { kind: 'fact' }),
      memory('My wife’s name is Priya and she teaches chemistry at a grammar school.'),
    ]);
    expect(answer).toContain('teaches chemistry');
    expect(answer).not.toContain('different');
  });

  it('never quotes questions, nor its own quotations', () => {
    const answer = reply('What is my sister allergic to?', [
      memory('What is my sister allergic to?', { score: 1 }),
      memory('You told me in this session: “My sister is allergic to bees”', { kind: 'agent', score: 1 }),
    ]);
    expect(answer).toContain('I found nothing');
  });

  it('keeps Markdown and HTML of what was told as plain text', () => {
    const answer = reply('What is the code of the gate?', [
      memory('The gate code is ![x](http://evil/) <img src=x> 7.'),
    ]);
    expect(answer).toContain('!\\[x\\]');
    expect(answer).not.toMatch(/(?<!\\)<img/);
  });
});

describe('how it behaves', () => {
  it.each(['Are you GPT-4?', 'are you chatgpt', 'Which model are you?', 'Who are you?'])('%s: honest', (question) => {
    const answer = reply(question);
    expect(answer).toContain('built-in offline model');
    expect(answer).toContain('can connect a real model');
    expect(answer).not.toContain('OPENAI_');
    expect(answer).toContain('not GPT');
  });

  it('notes a statement by quoting it', () => {
    expect(reply('My sister is allergic to peanuts')).toContain('Noted: “My sister is allergic to peanuts”');
  });

  it('refuses what needs a real model', () => {
    expect(reply('Please write me an essay about Lisbon.')).toContain('I can’t do that');
  });

  it('lists what it was told about somebody', () => {
    const memories = [memory('My sister is allergic to peanuts.'), memory('The tent is green.')];
    const answer = reply('What do you know about my sister?', memories);
    expect(answer).toContain('peanuts');
    expect(answer).not.toContain('tent');
  });

  it('is shaped by the prompt', () => {
    expect(reply('Hello')).toContain('I help you plan trips.');
    expect(reply('Hello', [], 'You read what is sent to you, then help everybody who asks you.')).toContain(
      'I read what is sent to me, then help everybody who asks me.',
    );
    expect(reply('Hello', [], 'You are a pirate. Be brief. Always sign as Long John.')).toMatch(
      /Ahoy[\s\S]*— Long John$/,
    );
    expect(reply('Who is coming?', [], 'Answer in bullet points.')).toContain('- I found nothing');
    expect(reply('Hello', [], 'You are a guide. Answer in German.')).toContain('German');
    expect(reply('Hello', [], 'Call me Captain. Start every answer with "Aye"')).toMatch(/^Aye[\s\S]*, Captain!/);
  });

  it.each(['', '   ', '?', '***', '"'.repeat(9_000), 'a'.repeat(32_000), '🧳🧳', 'שלום', '<b>', 'x. '.repeat(9_000)])(
    'answers %j with something',
    (text) => {
      expect(reply(text, [memory(text), memory('My sister is allergic to peanuts.')], text).trim()).not.toBe('');
    },
  );
});

it.each([
  ['offline.json', 35, 10],
  ['held-out.json', 11, 4],
  ['unseen.json', 11, 5],
])(
  'answers %s at least %i times with a quotation and its source, and admits %i times that it found nothing',
  async (file, quoted, honest) => {
    const results = await askAll(readQuestions(file), standIn());
    const right = (known: boolean) => results.filter((one) => (one.line !== null) === known && one.right).length;
    expect(right(true)).toBeGreaterThanOrEqual(quoted);
    expect(right(false)).toBeGreaterThanOrEqual(honest);
  },
);

describe('the offline model through the AI SDK', () => {
  const models = createModels(readConfig({ OFFLINE_PAUSE_MS: '0' }));
  const input = (signal: AbortSignal): GenerateInput => ({
    model: 'gpt-4',
    instructions: 'You help me plan trips.',
    messages: [{ role: 'user', text: 'My sister is allergic to peanuts' }],
    temperature: 0.5,
    signal,
    context: { agentName: 'Field Notes', prompt: 'You help me plan trips.', remembers: true, memories: [] },
  });

  it('streams word by word and ends with an estimate', async () => {
    const events = [];
    for await (const event of models.stream(input(new AbortController().signal))) events.push(event);
    const deltas = events.flatMap((event) => (event.type === 'delta' ? [event.text] : []));
    expect(deltas.length).toBeGreaterThan(10);
    expect(deltas.join('')).toContain('Noted: “My sister is allergic to peanuts”');
    expect(events.at(-1)).toMatchObject({ type: 'end', usage: { estimated: true } });
  });

  it('stops with the caller’s reason', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const running = async () => {
      for await (const event of createModels(readConfig({ OFFLINE_PAUSE_MS: '50' })).stream(input(controller.signal))) {
        if (event.type === 'delta') controller.abort(reason);
      }
    };
    await expect(running()).rejects.toBe(reason);
  });

  it('calls itself what it is', () => {
    expect(models.kind).toBe('offline');
    expect(models.label).toBe('Built-in offline model');
    expect(models.list().map(({ id }) => id)).toEqual(['gpt-3.5-turbo', 'gpt-4']);
  });
});

describe('titles', () => {
  it('that a model wrote as a speech are none', () => {
    expect(cleanTitle('I cannot help with that.')).toBeNull();
  });

  it.each([
    'Title: “Ferry to Skye.”',
    '```json\n{"title": "Ferry to Skye"}\n```',
    '{"titre": "Ferry to Skye"}',
    'Here is a title:\n\n**Ferry to Skye**',
    'Sure! Here’s a title for this conversation: Ferry to Skye',
    'Titre : Ferry to Skye',
    '标题：Ferry to Skye',
    '```\nFerry to Skye\n```',
    '<think>They want a title:\na ferry.</think>\nFerry to Skye',
    'They want a title.\n</think>\n\nFerry to Skye',
  ])('are read from %j', (answer) => expect(cleanTitle(answer)).toBe('Ferry to Skye'));

  it('that never ended a thought, or lack a word, are none', () => {
    for (const text of ['<think>They want', '```json\n```', 'Here is a title:', '{"title": ""}', '{"a": 1}'])
      expect(cleanTitle(text)).toBeNull();
  });
});
