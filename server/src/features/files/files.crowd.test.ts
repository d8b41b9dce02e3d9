import { expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { FILES, sendFile } from '../../testing/files.ts';
import { type TestUser, testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';

const app = await closing(testApp());

async function person(name: string): Promise<TestUser> {
  const user = await app.signUpPro(name);
  await app.request('POST', '/api/agents', { as: user, body: { name: 'Reader', prompt: 'You read.' } });
  return user;
}

async function upload(as: TestUser, name: string): Promise<void> {
  // A short text would be read before the next one comes.
  expect((await sendFile(app, as, FILES, [`${name}.csv`, `what,hours\n${name},12`])).status).toBe(201);
}

const unread = async (as: TestUser): Promise<number> => {
  const { body } = await app.request('GET', '/api/agents/reader/files?limit=200', { as });
  return body.files.filter(({ state }: { state: string }) => state !== 'ready').length;
};

it('one person’s hundred files don’t delay another’s', async () => {
  const [many, one] = [await person('Many'), await person('One')];
  for (let i = 0; i < 100; i += 1) await upload(many, `kiln-${i}`);
  const before = await unread(many);
  await upload(one, 'oven');
  await eventually(async () => expect(await unread(one)).toBe(0));
  const after = await unread(many);
  // Read while nearly all of the others still wait.
  expect(before - after).toBeLessThan(10);
  expect(after).toBeGreaterThan(0);
});
