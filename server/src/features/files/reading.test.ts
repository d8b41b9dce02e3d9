import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { filesOf } from '../../testing/files.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { pictureOf } from '../../testing/pictures.ts';
import { letGo, takeNextFile } from './reading.service.ts';

const people: Record<string, TestUser> = {};
const { upload } = filesOf(
  () => app,
  () => person('Ada'),
);
const person = (name: string): TestUser => {
  const found = people[name];
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
};

const app = await emptyApp();
// Nothing is read by itself: the tests take the turns.
await app.deps.jobs.stop();
beforeEach(async () => {
  await rm(join(app.deps.config.DATA_DIR, 'files'), { recursive: true, force: true });
  for (const name of ['Ada', 'Bob', 'Cleo']) {
    people[name] = await app.signUpPro(name);
    await app.request('POST', '/api/agents', { as: person(name), body: { name: 'Reader', prompt: 'You read.' } });
  }
});

const give = async (name: string, files: string[]) => {
  for (const file of files) expect((await upload(`${file}.txt`, 'x', person(name))).status).toBe(201);
};
const take = async () => {
  const file = await takeNextFile(app.deps, []);
  return { name: file?.name, end: async () => void (file && (await letGo(app.deps, file))) };
};
/** Ends a turn for good, as a reader does. */
const finish = (name: string | undefined) =>
  app.deps.database.executeSql(`update agent_files set state = 'ready', reading_until = null where name = '${name}'`);

it('one account has at most one file read at a time, however many readers are free', async () => {
  await give('Ada', ['a1', 'a2', 'a3', 'a4']);
  await give('Bob', ['b1']);
  expect([(await take()).name, (await take()).name, (await take()).name]).toEqual(['a1.txt', 'b1.txt', undefined]);
});

it('two readers that come at once take the files of two accounts', async () => {
  await give('Ada', ['a1', 'a2']);
  await give('Bob', ['b1']);
  const names = await Promise.all([take(), take(), take()]);
  expect(names.map(({ name }) => name).toSorted()).toEqual(['a1.txt', 'b1.txt', undefined]);
});

it('the account that was served longest ago is next, though others have waited longer', async () => {
  await give('Ada', ['a1', 'a2', 'a3']);
  await give('Bob', ['b1', 'b2']);
  const order: (string | undefined)[] = [];
  for (let i = 0; i < 6; i += 1) {
    // Cleo comes late, while the two others still have files waiting.
    if (i === 2) await give('Cleo', ['c1']);
    const { name } = await take();
    order.push(name);
    await finish(name);
  }
  expect(order).toEqual(['a1.txt', 'b1.txt', 'c1.txt', 'a2.txt', 'b2.txt', 'a3.txt']);
});

it('a file that was let go waits for its next turn, unless it was tried already', async () => {
  await give('Ada', ['a1']);
  const file = await takeNextFile(app.deps, []);
  if (file === undefined) throw new Error('there is a file');
  await letGo(app.deps, file);
  expect(await takeNextFile(app.deps, [file.id])).toBeUndefined();
  expect((await takeNextFile(app.deps, []))?.id).toBe(file.id);
});

it('pictures of text have a lane of their own, so that no text waits for their recognition', async () => {
  const name = async (lane: 'texts' | 'pictures') => (await takeNextFile(app.deps, [], lane))?.name;
  const picture = pictureOf('png', 8, 8);
  for (const file of ['p1.png', 'p2.png']) expect((await upload(file, picture, person('Ada'))).status).toBe(201);
  await give('Ada', ['a1']);
  expect([await name('pictures'), await name('pictures')]).toEqual(['p1.png', undefined]);
  expect([await name('texts'), await name('texts')]).toEqual(['a1.txt', undefined]);
});
