import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPostgres } from './platform/database/postgres.ts';
import { silentLog } from './platform/log.ts';
import { eventually } from './testing/eventually.ts';
import { ORIGIN, PASSWORD, testApp } from './testing/harness.ts';
import { closing } from './testing/lifetimes.ts';
import { startOwnPostgres } from './testing/own-postgres.ts';

// A real PostgreSQL server goes away under the real app, and comes back.

const server = await closing(startOwnPostgres());
const database = await closing(openPostgres(server.url, silentLog));
const app = await closing(testApp({ database }));
const ada = await app.signUp();
const agent = await app.request('POST', '/api/agents', { as: ada, body: { name: 'Nora', prompt: 'Be kind.' } });
expect(agent.status).toBe(201);

const statusOf = async (path: string) => (await app.request('GET', path, { as: ada })).status;

describe('while the database is away', () => {
  beforeEach(() => server.halt());
  afterEach(async () => {
    await server.resume();
    await eventually(async () => expect(await statusOf('/readyz')).toBe(200));
  });

  it('answers 503 with a sentence and Retry-After, whatever is asked', async () => {
    const credentials = { email: ada.email, password: PASSWORD };
    const calls = [
      ['GET', '/readyz'],
      ['GET', '/api/me'],
      ['GET', '/api/agents'],
      ['POST', '/api/agents', { name: 'Other', prompt: 'Be kind.' }],
      ['DELETE', '/api/agents/nora'],
      ['GET', '/api/live'],
      ['GET', '/api/export'],
      ['GET', '/api/auth/get-session'],
      ['POST', '/api/auth/sign-in/email', credentials],
      ['POST', '/api/auth/sign-up/email', { ...credentials, name: 'Bob', email: 'bob@example.com' }],
      ['POST', '/api/auth/sign-out', {}],
    ] as const;
    for (const [method, path, body] of calls) {
      const answer = await app.request(method, path, { as: ada, body });
      expect([path, answer.status, answer.body.error?.code]).toEqual([path, 503, 'unavailable']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect(await statusOf('/healthz')).toBe(200);
  });
});

it('did none of what it refused: the agent is there, and so is the sign-in', async () => {
  const { body } = await app.request('GET', '/api/agents', { as: ada });
  expect(body.agents.map(({ name }: { name: string }) => name)).toEqual(['Nora']);
});

it('keeps an open stream, which tells of changes again once the database is back', async () => {
  const stream = await app.app.request(`${ORIGIN}/api/live`, { headers: { cookie: ada.cookie } });
  let heard = '';
  const reading = stream.body?.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write: (chunk) => {
        heard += chunk;
      },
    }),
  );
  const hellos = () => heard.split('event: hello').length - 1;
  // A second one, if the outage of the test before ends only now.
  await eventually(() => expect(hellos()).toBeGreaterThan(0));
  await server.halt();
  const before = hellos();
  await server.resume();
  await eventually(() => expect(hellos()).toBeGreaterThan(before));
  await app.request('PUT', '/api/agents/nora', { as: ada, body: { prompt: 'Be brief.' } });
  await eventually(() => expect(heard).toContain('"topic":"agents"'));
  await app.request('POST', '/api/auth/sign-out', { as: ada, body: {} });
  await reading;
});

it('takes up jobs again', async () => {
  const bob = await app.signUpPro('Bob');
  await server.terminateAll();
  await eventually(async () => {
    const asked = await app.request('POST', '/api/agents', { as: bob, body: { name: 'Finn', prompt: 'Be kind.' } });
    expect([201, 409]).toContain(asked.status);
  });
  const session = await app.request('POST', '/api/sessions', { as: bob, body: { agentId: 'finn' } });
  const path = `/api/sessions/${session.body.session.id}`;
  await app.request('POST', `${path}/tasks`, { as: bob, body: { agentId: 'finn', inputText: 'Nora likes peanuts.' } });
  // The job after the first exchange names the session.
  await eventually(async () => {
    const { body } = await app.request('GET', '/api/sessions', { as: bob });
    expect(body.sessions[0].name).not.toBe(session.body.session.name);
  });
});
