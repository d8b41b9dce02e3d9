import { beforeEach, expect, test, vi } from 'vitest';
import { FOREIGN_CONTENT } from '../../../platform/http/headers.ts';
import { eventually } from '../../../testing/eventually.ts';
import { emptyApp, ORIGIN, PASSWORD, type TestUser } from '../../../testing/harness.ts';
import { jobsEnd, passUndo } from '../../../testing/jobs-end.ts';
import { hugePng, notedPicture, pictureOf } from '../../../testing/pictures.ts';
import { setPhoto } from './photos.service.ts';

let owner: TestUser;
const app = await emptyApp();
beforeEach(async () => {
  owner = await app.signUpByRequest();
});

const send = (bytes: Buffer | string, type = 'image/png', as: TestUser | null = owner) =>
  app.app.request(`${ORIGIN}/api/me/photo`, {
    method: 'PUT',
    headers: { origin: ORIGIN, 'content-type': type, ...(as === null ? {} : { cookie: as.cookie }) },
    body: bytes,
  });
const photoOf = async (as: TestUser): Promise<string | null> =>
  (await app.request('GET', '/api/me', { as })).body.user.photoURL;
const get = (path: string, as: TestUser) => app.app.request(`${ORIGIN}${path}`, { headers: { cookie: as.cookie } });
const stored = async () => (await app.deps.storage.has(`userFiles/${owner.uid}/photo/${await fileOf()}`)) === true;
const fileOf = async () => (await photoOf(owner))?.split('/').at(-1) ?? 'none';

test('a photo is stored, shown to its owner alone with safe headers, replaced and removed', async () => {
  const png = pictureOf('png', 256, 256);
  const set = await send(png);
  expect(set.status).toBe(200);
  const { photoURL } = JSON.parse(await set.text());
  expect(await photoOf(owner)).toBe(photoURL);
  const shown = await get(photoURL, owner);
  expect(Buffer.from(await shown.arrayBuffer()).equals(png)).toBe(true);
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': FOREIGN_CONTENT,
    'cross-origin-resource-policy': 'same-origin',
  });
  const other = await app.signUpByRequest('Eve');
  expect((await get(photoURL, other)).status).toBe(404);
  expect((await app.app.request(`${ORIGIN}${photoURL}`)).status).toBe(401);
  expect((await send(notedPicture('photo.webp'), 'image/webp')).status).toBe(200);
  const bare = Buffer.from(await (await get((await photoOf(owner)) ?? '', owner)).arrayBuffer());
  expect(
    ['Elm Street', 'GPS'].filter((note) => bare.includes(note)),
    'without its place',
  ).toEqual([]);
  expect((await get(photoURL, owner)).status, 'replaced').toBe(404);
  const before = photoURL.split('/').at(-1);
  await eventually(async () =>
    expect(await app.deps.storage.has(`userFiles/${owner.uid}/photo/${before}`)).toBe(false),
  );
  expect((await app.request('DELETE', '/api/me/photo', { as: owner })).status).toBe(204);
  expect((await app.request('DELETE', '/api/me/photo', { as: owner })).status, 'twice').toBe(204);
  expect(await photoOf(owner)).toBeNull();
});

test('what a file is called or claims to be says nothing: its bytes and sides decide', async () => {
  const html = '<html><script>alert(1)</script></html>';
  const bad: [Buffer | string, string, number][] = [
    [html, 'image/png', 400],
    [Buffer.concat([pictureOf('png', 4, 4).subarray(0, 20), Buffer.from(html)]), 'image/png', 400],
    ['<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'image/svg+xml', 400],
    [Buffer.from('GIF89a\u0001\u0000\u0001\u0000'), 'image/gif', 400],
    ['', 'image/png', 400],
    [pictureOf('png', 1025, 10), 'image/png', 400],
    [hugePng(0, 10), 'image/png', 400],
    [Buffer.alloc(600 * 1024, pictureOf('png', 8, 8)), 'image/png', 413],
    ['{}', 'application/json', 415],
    [pictureOf('png', 8, 8), 'text/html', 415],
  ];
  for (const [bytes, type, status] of bad) {
    const answer = await send(bytes, type);
    expect([type, answer.status, /"message":"[^"]{10,}/u.test(await answer.text())]).toEqual([type, status, true]);
  }
  expect((await send(pictureOf('png', 8, 8), 'image/png', null)).status).toBe(401);
  expect(await photoOf(owner)).toBeNull();
  // A PNG that says WebP is kept as the PNG that it is.
  expect((await send(pictureOf('png', 8, 8), 'image/webp')).status).toBe(200);
  expect((await get((await photoOf(owner)) ?? '', owner)).headers.get('content-type')).toBe('image/png');
  for (const file of ['%2e%2e%2fx.png', 'x.png', '..%2F..%2Fother.txt']) {
    expect((await get(`/api/me/photo/${file}`, owner)).status, file).toBe(404);
  }
});

test('a photo whose server ends before it is anybody’s is removed later, and the one before stays', async () => {
  await send(pictureOf('png', 8, 8));
  const { move } = app.deps.storage;
  const keys: string[] = [];
  vi.spyOn(app.deps.storage, 'move').mockImplementationOnce(async (...file) => {
    keys.push(file[0]);
    await move(...file);
    throw new Error('killed');
  });
  await expect(setPhoto(app.deps, owner, pictureOf('png', 16, 16))).rejects.toThrow('killed');
  const [lost = ''] = keys;
  expect(await app.deps.storage.has(lost)).toBe(true);
  await passUndo(app);
  await eventually(async () => expect(await app.deps.storage.has(lost)).toBe(false));
  await jobsEnd(app);
  expect(await stored()).toBe(true);
});

test('two at once leave one photo; the export has it, and the account takes it along', async () => {
  const both = await Promise.all([send(pictureOf('png', 16, 16)), send(pictureOf('jpeg'), 'image/jpeg')]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(await stored()).toBe(true);
  const archive = Buffer.from(await (await get('/api/export', owner)).arrayBuffer());
  expect(archive.includes(`photo-${await fileOf()}`)).toBe(true);
  const key = `userFiles/${owner.uid}/photo/${await fileOf()}`;
  await app.request('DELETE', '/api/me', { as: owner, body: { password: PASSWORD } });
  await eventually(async () => expect(await app.deps.storage.has(key)).toBe(false));
});
