import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { AppError } from '../errors.ts';
import { createLog } from '../log.ts';
import { MissingFile, openStored } from '../storage/storage.ts';
import { onError } from './on-error.ts';
import { knowsOrigin } from './request-origin.ts';

async function answerTo(fails: () => Promise<unknown>) {
  const lines: string[] = [];
  const app = new Hono().get('/x/:id', async (c) => c.json(await fails()));
  app.onError(onError(createLog((line) => lines.push(line))));
  const answer = await app.request('/x/1');
  return { status: answer.status, body: await answer.text(), logged: lines.map((line) => JSON.parse(line)) };
}

const storage = (get: () => Promise<never>) => ({ get }) as unknown as Parameters<typeof openStored>[0];

it('logs why a request was refused where something else caused it, and says only the sentence', async () => {
  const broken = Object.assign(new Error('Elm Street'), { name: 'NoSuchBucket', statusCode: 404 });
  const { status, body, logged } = await answerTo(() =>
    openStored(
      storage(() => Promise.reject(broken)),
      'k',
      'The file',
    ),
  );
  expect([status, body]).toEqual([503, expect.stringContaining('The file could not be opened. Please try again.')]);
  expect(logged).toMatchObject([
    {
      event: 'request.refused',
      path: '/x/:id',
      error: 'AppError code=unavailable status=503 < NoSuchBucket statusCode=404',
    },
  ]);
  expect(JSON.stringify([body, logged])).not.toContain('Elm Street');
});

it('says of a file whose bytes are gone that it is gone, not that it will come back', async () => {
  const { status, body, logged } = await answerTo(() =>
    openStored(
      storage(() => Promise.reject(new MissingFile('k'))),
      'k',
      'The file',
    ),
  );
  expect([status, body]).toEqual([404, expect.stringContaining('The file is no longer stored.')]);
  expect(logged).toHaveLength(1);
});

it('logs nothing of what the caller did', async () => {
  const { status, logged } = await answerTo(() => Promise.reject(new AppError('invalid_input', 'No.')));
  expect([status, logged]).toEqual([400, []]);
});

it('logs an outage once, however often it refuses', async () => {
  const cause = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
  const { logged } = await answerTo(() => Promise.reject(new AppError('unavailable', 'Later.', { cause })));
  expect(logged).toMatchObject([{ event: 'request.unavailable' }]);
});

it('gives each request an id of its own, which its lines and the sentence of an unexpected error name', async () => {
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line));
  const app = new Hono().use(knowsOrigin(() => '127.0.0.1')).get('/x', async () => {
    await Promise.resolve();
    log.info('seen');
    throw new Error('broken');
  });
  app.onError(onError(log));
  const answer = await app.request('/x', { headers: { 'x-request-id': 'mine' } });
  const id = answer.headers.get('x-request-id');
  expect([answer.status, id]).toEqual([500, expect.stringMatching(/^[\da-f-]{36}$/u)]);
  expect(await answer.text()).toContain(`(${id})`);
  log.info('later');
  expect(lines.map((line) => JSON.parse(line)).map(({ event, request }) => [event, request])).toEqual([
    ['seen', id],
    ['request.failed', id],
    ['later', undefined],
  ]);
});
