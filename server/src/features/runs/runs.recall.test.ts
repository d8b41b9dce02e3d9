import { beforeEach, expect, it } from 'vitest';
import type { GenerateInput } from '../../platform/models/models.ts';
import { openTalk, type Talk } from '../../testing/branching.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { scriptedModels } from '../../testing/scripted-models.ts';

const script = scriptedModels();
let ada: TestUser;
let talk: Talk;
const app = await emptyApp({ models: script.models, env: { MODEL_CONTEXT_TOKENS: '4000' } });
beforeEach(async () => {
  ada = await app.signUpPro('Ada');
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Reader', prompt: 'You help me plan trips.' } });
  await startSession();
});

async function startSession() {
  talk = await openTalk({ app, person: ada, agentId: 'reader', script });
}

/** Sends a message, answers it, and gives what the model was told and the receipt. */
async function exchange(inputText: string, answer?: string) {
  const exchanged = await talk.exchange(inputText, answer);
  return { ...exchanged, memories: memoriesIn(exchanged.input) };
}

/** The quotations of the memory block, as they were before they were quoted. */
const memoriesIn = ({ instructions }: GenerateInput): string[] => quotedIn(instructions, 'memory');

function quotedIn(instructions: string, tag: string): string[] {
  const [, block = ''] = new RegExp(`<${tag}>\n([\\s\\S]*)\n</${tag}>`, 'u').exec(instructions) ?? [];
  return (block.match(/"(?:[^"\\]|\\.)*"/gu) ?? []).map((text) => JSON.parse(text));
}

const LONG_ANSWER = [
  '## Three days in Lisbon',
  'Lisbon is built on seven hills, so bring good shoes. My sister is allergic to peanuts, you said.',
  '- On the first day take tram 28 up to the castle and walk down through Alfama.',
  '- On the second day see the monastery in Belém, and eat the custard tarts while they are warm.',
  '- On the third day the train to Sintra leaves every half hour from Rossio station.',
  'The museum of tiles is closed on Mondays. It is in an old convent, and its café has a quiet garden.',
  'Restaurants open late, and a table on Saturday needs to be booked some days ahead.',
  'If you want a view for nothing, go up to the Graça terrace before the sun sets over the river.',
].join('\n\n');
const PEANUTS = 'My sister is allergic to peanuts.';

it('quotes no exchange that goes along anyway, in any prompt of a long conversation over several sessions', async () => {
  const prompts: Awaited<ReturnType<typeof exchange>>[] = [];
  const say = async (text: string, answer?: string) => prompts.push(await exchange(text, answer));
  await say(`${PEANUTS} We leave for Lisbon on the ninth of May.`, `Noted: “${PEANUTS}” That is important to know.`);
  await say('Plan three days in Lisbon for us.', LONG_ANSWER);
  for (let day = 1; day <= 12; day += 1) {
    await say(
      `On day ${day} we walked ${day} miles through Lisbon and slept badly in room ${day}.`,
      `Day ${day} sounds tiring, so rest well before the walk of day ${day + 1}. ${'Rest. '.repeat(40)}`,
    );
  }
  await startSession();
  await say('What do you know of my sister and of Lisbon?', 'She is allergic, and Lisbon has hills.');
  await say('When is the museum of tiles in Lisbon closed?', 'On Mondays.');
  for (const { memories, input } of prompts) {
    const talk = input.messages.map(({ text }) => text).join('\n');
    expect(memories.filter((text) => talk.includes(text))).toEqual([]);
  }
  expect(prompts.map(({ memories }) => memories.length)).toContainEqual(expect.toSatisfy((count: number) => count > 2));
});

it('quotes nothing that the conversation holds; the receipt says where it is', async () => {
  await exchange(PEANUTS, LONG_ANSWER);
  const { memories, receipt } = await exchange('What is my sister allergic to?');
  expect(memories).toEqual([]);
  expect(receipt.map(({ kind, text, inConversation }) => ({ kind, text, inConversation }))).toEqual([
    { kind: 'person', text: PEANUTS, inConversation: true },
  ]);
  expect(receipt[0]?.taskId).toBeDefined();
});

it('quotes of a long answer the paragraphs that matter, which are the receipt', async () => {
  await exchange('Plan three days in Lisbon for us.', LONG_ANSWER);
  await startSession();
  const { memories, receipt } = await exchange('Where does the train to Sintra leave from?');
  const [item] = receipt.filter(({ kind }) => kind === 'agent');
  expect(item?.text).toContain('- On the third day the train to Sintra leaves every half hour from Rossio station.');
  expect(item?.text).not.toContain('Graça');
  expect(item?.text.length).toBeLessThan(LONG_ANSWER.length / 2);
  expect(memories).toEqual(receipt.map(({ text }) => text));
});

it('quotes what the person has edited, although the exchange goes along', async () => {
  const { receipt } = await exchange(PEANUTS, 'Good to know.').then(() => exchange('What is my sister allergic to?'));
  const text = 'My sister is allergic to walnuts.';
  await app.request('PATCH', `/api/memories/${receipt[0]?.id}`, { as: ada, body: { text } });
  const edited = await exchange('And what is my sister allergic to?');
  expect(edited.memories).toContain(text);
});

it('quotes a sentence whole that stands on two lines', async () => {
  const mill = 'The tenant of the mill is a man who\nis named Casimir Dunbar and pays on Mondays.';
  await exchange(`${mill}\n\n${'The weather was mild and the trains were late again. '.repeat(7)}`);
  await startSession();
  const { memories } = await exchange('Who is the tenant of the mill?');
  expect(memories).toEqual([`${mill}\n\n…`]);
});

it('does not recall an answer that could not help', async () => {
  await exchange(
    'Book a table at Duarte for Saturday.',
    'I’m sorry, I can’t do that. I have no access to the table at Duarte.',
  );
  await startSession();
  const { receipt } = await exchange('Did you book the table at Duarte?');
  expect(receipt.map(({ kind }) => kind)).not.toContain('agent');
});
