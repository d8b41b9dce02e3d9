import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { nameLook } from '../agents/agents.table.ts';

let ada: TestUser;
let eve: TestUser;
const app = await emptyApp();
beforeEach(async () => {
  [ada, eve] = [await app.signUpPro('Ada'), await app.signUpPro('Eve')];
});

const publish = async (as: TestUser, name: string): Promise<string> =>
  (await app.call(as, 'POST', '/api/agents', { name, prompt: 'A workbook.', isPublic: true })).agent.id;
const change = (as: TestUser, id: string, body: object) =>
  app.call(as, 'PUT', `/api/agents/${encodeURIComponent(id)}`, body);
/** Whom the agent of an author is mistaken for. */
const imitates = async (as: TestUser, id: string) =>
  (await app.call(ada, 'GET', `/api/explore/${as.uid}/${encodeURIComponent(id)}`)).agent.imitates;
const first = () => ({ creatorId: ada.uid, agentId: 'field-notes', name: 'Field Notes' });

test.each([
  ['the same name', 'Field Notes'],
  ['other cases and blanks', ' FIELD  notes'],
  ['signs between words', 'Field-Notes!'],
  ['letters of other scripts', 'Fіеld Nоtеs'],
  ['marks on letters', 'Fíeld Nötes'],
  ['letters of full width', 'Ｆｉｅｌｄ　Ｎｏｔｅｓ'],
  ['mathematical letters', '𝐅𝐢𝐞𝐥𝐝 𝐍𝐨𝐭𝐞𝐬'],
  ['signs for letters', 'F1eId N0tes'],
])('an agent with %s is marked, wherever it is shown', async (_what, name) => {
  await publish(ada, 'Field Notes');
  const id = await publish(eve, name);
  expect(await imitates(eve, id)).toEqual(first());
  expect(await imitates(ada, 'field-notes')).toBeNull();
  const listed = (await app.call(ada, 'GET', '/api/explore')).agents;
  expect(listed.map((agent: { imitates: object }) => agent.imitates)).toContainEqual(first());
  const found = (await app.call(ada, 'GET', '/api/search?q=workbook')).publicAgents;
  expect(found.map((agent: { imitates: object }) => agent.imitates)).toContainEqual(first());
  await app.call(ada, 'PUT', `/api/favorites/${eve.uid}/${encodeURIComponent(id)}`);
  expect((await app.call(ada, 'GET', '/api/favorites')).favorites[0].agent.imitates).toEqual(first());
});

test.each(['Field Note', 'Fields Notes', 'Feldnotizen', 'C#', 'C++', '王小明', '🦊', '?!'])(
  '%s is like no other',
  async (name) => {
    for (const other of ['Field Notes', 'C', '王小', '🐻', '?']) await publish(ada, other);
    expect(await imitates(eve, await publish(eve, name))).toBeNull();
  },
);

test('who had the name first is not marked, also where another is older', async () => {
  const older = await publish(eve, 'Sketches');
  await publish(ada, 'Field Notes');
  await change(eve, older, { name: 'Field notes' });
  expect([await imitates(eve, older), await imitates(ada, 'field-notes')]).toEqual([first(), null]);
  await change(ada, 'field-notes', { name: 'Field notes.', prompt: 'better' });
  expect(await imitates(ada, 'field-notes')).toBeNull();
  await change(ada, 'field-notes', { isPublic: false });
  expect(await imitates(eve, older)).toBeNull();
  await change(ada, 'field-notes', { isPublic: true });
  expect(await imitates(ada, 'field-notes')).toMatchObject({ creatorId: eve.uid });
});

test('one’s own agents may look alike, and an author who is disabled counts no more', async () => {
  await publish(ada, 'Field Notes');
  const second = await publish(ada, 'Field. Notes');
  const third = await publish(eve, 'Field Notes');
  expect(await imitates(ada, second)).toBeNull();
  await app.deps.db.execute(sql`update "user" set banned = true where id = ${ada.uid}`);
  const { agent } = await app.call(eve, 'GET', `/api/explore/${eve.uid}/${third}`);
  expect(agent.imitates).toBeNull();
});

test('an index finds the first of a name', async () => {
  const plan = await app.deps.db.transaction(async (tx) => {
    // An almost empty table is sorted as soon as it is read in order.
    for (const way of ['seqscan', 'sort']) await tx.execute(sql.raw(`set local enable_${way} = off`));
    return tx.execute(sql`explain select * from agents where is_public and deleted_at is null
      and ${nameLook(sql`name`)} = 'x' order by coalesce(published_at, created_at), id limit 1`);
  });
  const lines = z.object({ rows: z.array(z.record(z.string(), z.string())) }).parse(plan).rows;
  expect(JSON.stringify(lines)).toContain('agents_look');
  expect(JSON.stringify(lines)).not.toContain('Sort');
});
