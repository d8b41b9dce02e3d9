import { beforeEach, expect, it } from 'vitest';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { type Place, rememberingOf, textsOf } from '../../testing/remembering.ts';
import { forgetAgent } from './forget.service.ts';
import { createIndexClient } from './index/worker-client.ts';
import { recall, remember } from './memory.service.ts';

let ada: TestUser;
let bob: TestUser;

const app = await emptyApp();
const other = { db: app.deps.db, memoryIndex: await closing(createIndexClient()) };
beforeEach(async () => {
  [ada, bob] = [await app.signUpPro('Ada'), await app.signUpPro('Bob')];
});

const { query, now, openPlace, store, ask } = rememberingOf(
  () => app,
  () => ada,
);

const LISBON = 'Our holiday flat in Lisbon is on the Rua das Flores';

it('gives back what was said, with where and when', async () => {
  const place = await openPlace();
  await store(place, LISBON, { agent: 'A street with a view.' });
  await store(await openPlace(), 'I ordered new running shoes');
  const [first, ...rest] = await ask(place, 'Where is the flat in Lisbon?');
  expect(first).toMatchObject({ kind: 'person', text: LISBON, sessionId: place.sessionId });
  expect(first?.sessionName).toBe('Session: Field Notes');
  expect(first?.timestamp).toBe(new Date(now() - 2_000).toISOString());
  expect(first?.score).toBeGreaterThan(0);
  expect(first?.score).toBeLessThanOrEqual(1);
  expect(textsOf(rest)).not.toContain('I ordered new running shoes');
});

it('never gives one user’s or one agent’s memories to another, though the words are the same', async () => {
  const places = [await openPlace(ada), await openPlace(ada, 'Second'), await openPlace(bob)];
  for (const place of places) await store(place, LISBON);
  const rows = await query('select user_id, agent_id, id from memories');
  expect(rows).toHaveLength(3);
  for (const place of places) {
    const found = await ask(place, 'Lisbon flat');
    const own = rows.filter((row) => row.user_id === place.userId && row.agent_id === place.agentId);
    expect(found.map((memory) => memory.id)).toEqual(own.map((row) => row.id));
  }
  const [adas, , bobs] = places;
  if (adas === undefined || bobs === undefined) throw new Error('three places');
  expect(await ask({ ...bobs, agentId: adas.agentId }, 'Lisbon flat')).toEqual([]);
  expect(await ask({ ...bobs, sessionId: adas.sessionId }, 'Lisbon flat', { scope: 'session' })).toEqual([]);
});

it('starts empty for another agent, and for one that was made again under a deleted name', async () => {
  const place = await openPlace();
  await store(place, LISBON);
  expect(await ask(await openPlace(ada, 'Copy'), 'Lisbon flat')).toEqual([]);
  expect((await app.request('DELETE', '/api/agents/field-notes', { as: ada })).status).toBeLessThan(300);
  const again = await openPlace();
  expect(again.agentId).not.toBe(place.agentId);
  expect(await ask(again, 'Lisbon flat')).toEqual([]);
});

it('keeps to the session where only that may be read, and reaches all of the agent’s where more may', async () => {
  const [first, second] = [await openPlace(), await openPlace()];
  expect(second.agentId).toBe(first.agentId);
  await store(first, LISBON);
  await store(second, 'The flat needs a new boiler');
  expect(textsOf(await ask(second, 'the flat', { scope: 'session' }))).toEqual(['The flat needs a new boiler']);
  expect(textsOf(await ask(second, 'the flat')).sort()).toEqual([LISBON, 'The flat needs a new boiler']);
});

it('does not recall from a deleted session until it is restored', async () => {
  const [kept, deleted] = [await openPlace(), await openPlace()];
  await store(deleted, LISBON);
  expect(textsOf(await ask(kept, 'Lisbon flat'))).toEqual([LISBON]);
  expect((await app.request('DELETE', `/api/sessions/${deleted.sessionId}`, { as: ada })).status).toBeLessThan(300);
  expect(await ask(kept, 'Lisbon flat')).toEqual([]);
  await app.request('POST', `/api/sessions/${deleted.sessionId}/restore`, { as: ada });
  expect(textsOf(await ask(kept, 'Lisbon flat'))).toEqual([LISBON]);
});

it('recalls once what was said often, from the session that is left', async () => {
  const [kept, deleted] = [await openPlace(), await openPlace()];
  await store(kept, LISBON);
  for (let i = 0; i < 9; i += 1) await store(deleted, LISBON);
  expect(textsOf(await ask(kept, 'Lisbon flat'))).toEqual([LISBON]);
  expect((await app.request('DELETE', `/api/sessions/${deleted.sessionId}`, { as: ada })).status).toBeLessThan(300);
  expect(await ask(kept, 'Lisbon flat')).toMatchObject([{ text: LISBON, sessionId: kept.sessionId }]);
});

it('does not recall what was forgotten, here or in another process, and keeps the rest', async () => {
  const place = await openPlace();
  await store(place, LISBON, 'The flat in Porto was smaller');
  for (const ctx of [app.deps, other]) {
    expect(await recall(ctx, { ...place, scope: 'agent', text: 'the flat', limit: 5 })).toHaveLength(2);
  }
  await query('update agents set memory_version = memory_version + 1 where id = $1', place.agentId);
  await query(
    `update memories set forgotten_at = now(), text = '', version = (select memory_version from agents where id = $1)
     where text = $2`,
    place.agentId,
    LISBON,
  );
  for (const ctx of [app.deps, other]) {
    const found = await recall(ctx, { ...place, scope: 'agent', text: 'the flat', limit: 5 });
    expect(textsOf(found)).toEqual(['The flat in Porto was smaller']);
  }
});

it('injects nothing for an index entry whose row is gone', async () => {
  const place = await openPlace();
  await store(place, LISBON, 'The flat in Porto was smaller');
  expect(await ask(place, 'the flat')).toHaveLength(2);
  await query('delete from memories where text = $1', LISBON);
  expect(textsOf(await ask(place, 'the flat'))).toEqual(['The flat in Porto was smaller']);
});

it('finds what is left though better matches by the dozen went with their session', async () => {
  const [kept, purged] = [await openPlace(), await openPlace()];
  await store(kept, 'A flat in Lisbon would be nice some day');
  await store(purged, ...Array.from({ length: 60 }, (_, i) => `Lisbon flat ${i}`));
  expect(textsOf(await ask(kept, 'Lisbon flat'))[0]).toContain('Lisbon flat');
  await query('delete from chat_sessions where id = $1', purged.sessionId);
  expect(textsOf(await ask(kept, 'Lisbon flat'))).toEqual(['A flat in Lisbon would be nice some day']);
});

it('forgets a whole agent', async () => {
  const place = await openPlace();
  await store(place, LISBON);
  expect(await ask(place, 'Lisbon flat')).toHaveLength(1);
  await forgetAgent(app.deps, place);
  expect(await ask(place, 'Lisbon flat')).toEqual([]);
  expect(await query('select 1 from memories')).toEqual([]);
});

it('shows another process at its next recall what this one stored', async () => {
  const place = await openPlace();
  const fromOther = (text: string) => recall(other, { ...place, scope: 'agent', text, limit: 5 });
  expect(await fromOther('Lisbon flat')).toEqual([]);
  await store(place, LISBON);
  expect(textsOf(await fromOther('Lisbon flat'))).toEqual([LISBON]);
  await store(place, 'The Lisbon flat has two balconies');
  expect(textsOf(await fromOther('balconies of the flat'))[0]).toBe('The Lisbon flat has two balconies');
});

it('stores nothing where the transaction is rolled back', async () => {
  const place = await openPlace();
  const failed = app.deps.db.transaction(async (tx) => {
    await remember(tx, [{ ...place, kind: 'person', text: LISBON, timestamp: new Date(now()) }]);
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  expect(await ask(place, 'Lisbon flat')).toEqual([]);
});

it('puts what the person told before the answers that quote it', async () => {
  const place = await openPlace();
  const told = 'My sister is allergic to peanuts';
  await store(place, told, { agent: 'I will keep in mind that your sister is allergic to peanuts.' });
  const exchanges: [string, string][] = [
    ['What is a quick dinner for two?', 'A stir-fry, but without peanuts, because your sister is allergic to peanuts.'],
    ['My sister visits on Friday', 'How nice. For your sister I would cook without peanuts.'],
    ['The oven is broken', 'Then a salad or something from the stove.'],
    ['I bought a wok yesterday', 'A wok is good for cooking many things.'],
    ['What should I cook on Sunday?', 'You should avoid cooking with peanuts for your sister, she is allergic.'],
    ['My brother eats everything', 'Then cooking for your brother is easy.'],
    ['Is satay sauce hard to make?', 'No, but avoid it for your sister: it has peanuts in it.'],
    ['I am trying to eat less sugar', 'Then avoid cooking desserts.'],
  ];
  for (const [asked, answered] of exchanges) await store(place, asked, { agent: answered });
  const found = await ask(place, 'What should I avoid cooking for my sister?');
  expect(found[0]).toMatchObject({ kind: 'person', text: told });
});

it.each(['hello', 'Hello there, thank you!', 'xqzvj wkkpf brrglt', '?!…', '   ', '', '🦊🦊🦊'])(
  'answers %j with nothing rather than noise',
  async (text) => {
    const place = await openPlace();
    await store(place, LISBON, { agent: 'Hello! How can I help you today?' }, 'Hello, I am back', 'We had pasta');
    expect(await ask(place, 'Lisbon flat')).not.toEqual([]);
    expect(await ask(place, text)).toEqual([]);
  },
);

it('recalls a text that was said again and again once, and fills up with others', async () => {
  const place = await openPlace();
  for (let i = 0; i < 3; i += 1) await store(place, LISBON);
  await store(place, 'The Lisbon flat costs 90 euros a night');
  const found = textsOf(await ask(place, 'the flat in Lisbon', { limit: 2 }));
  expect(found.sort()).toEqual([LISBON, 'The Lisbon flat costs 90 euros a night']);
});

it('splits a long text into memories that are found each by itself', async () => {
  const place = await openPlace();
  const filler = 'The morning was slow and nobody wanted to talk about much at all. '.repeat(40);
  await store(place, `${filler}\n\nThe boat is moored at pier seven.\n\n${filler}`);
  const rows = await query('select text from memories');
  expect(rows.length).toBeGreaterThan(5);
  for (const row of rows) expect(String(row.text).length).toBeLessThanOrEqual(1_000);
  const [first] = await ask(place, 'Where is the boat moored?');
  expect(first?.text).toContain('pier seven');
});

it('stores nothing for a blank text', async () => {
  const place = await openPlace();
  await store(place, '', ' \n\t ', LISBON);
  expect(await query('select text from memories')).toEqual([{ text: LISBON }]);
});

it('refuses entries of two agents at once, and of an agent that is not there', async () => {
  const [one, two] = [await openPlace(), await openPlace(bob)];
  const entry = { kind: 'person' as const, text: LISBON, timestamp: new Date(now()) };
  const storeAll = (...places: Place[]) =>
    app.deps.db.transaction((tx) =>
      remember(
        tx,
        places.map((place) => ({ ...place, ...entry })),
      ),
    );
  await expect(storeAll(one, two)).rejects.toThrow('one agent at a time');
  await expect(storeAll({ ...one, userId: bob.uid })).rejects.toMatchObject({
    cause: { message: expect.stringContaining('no agent') },
  });
  expect(await query('select 1 from memories')).toEqual([]);
});

it.each([
  ['a megabyte of one word', 'a'.repeat(1_000_000)],
  ['emoji', '👩‍👩‍👧‍👦🏳️‍🌈'.repeat(500)],
  ['right-to-left text', 'האחות שלי אלרגית לבוטנים \u202Eabc\u202C '.repeat(100)],
  [
    'control characters',
    Array.from({ length: 31 }, (_, i) => String.fromCharCode(i + 1))
      .join('x ')
      .repeat(50),
  ],
  ['lone surrogates', '\uD83D \uDE00 x'.repeat(300)],
  ['marks without letters', `e${'\u0301'.repeat(20_000)}`],
])('survives %s, told and asked', async (_name, text) => {
  const place = await openPlace();
  await store(place, text, LISBON);
  await expect(ask(place, text.slice(0, 20_000))).resolves.toBeInstanceOf(Array);
  expect(textsOf(await ask(place, 'Lisbon flat'))).toContain(LISBON);
});

it('finds its way through a question of 20,000 characters', async () => {
  const place = await openPlace();
  await store(place, LISBON, 'I ordered new running shoes');
  const found = await ask(place, 'Where is the flat in Lisbon, in which street? '.repeat(450).slice(0, 20_000));
  expect(found[0]?.text).toBe(LISBON);
});

it('finds text in scripts without English words', async () => {
  const place = await openPlace();
  await store(place, 'Моя сестра живёт в Казани', 'Der Schlüssel hängt im Flur', '私の妹は京都に住んでいます');
  expect(textsOf(await ask(place, 'Где живёт сестра?'))[0]).toBe('Моя сестра живёт в Казани');
  expect(textsOf(await ask(place, 'Wo ist der Schlüssel?'))[0]).toBe('Der Schlüssel hängt im Flur');
  expect(textsOf(await ask(place, '京都に住んでいます'))[0]).toBe('私の妹は京都に住んでいます');
});
