import { beforeEach, expect, it } from 'vitest';
import { createBounds, PLACES, RATES } from './access.ts';
import type { LiveMessage } from './platform/live.ts';
import { eventually } from './testing/eventually.ts';
import { FILES, filesOf } from './testing/files.ts';
import { type Answer, emptyApp, ORIGIN, type TestUser } from './testing/harness.ts';

let ada: TestUser;
let bob: TestUser;
const app = await emptyApp({ env: { ACCOUNT_BOUNDS: '1' } });
beforeEach(async () => {
  [ada, bob] = await Promise.all([app.signUp('Ada'), app.signUp('Bob')]);
});

const times = <T>(count: number, ask: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => ask(i)));
const passed = (answers: Answer[]) => answers.filter(({ status }) => status < 400).length;

function expectRefused(answers: Answer[]) {
  const refused = answers.filter(({ status }) => status >= 400);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, body, headers } of refused) {
    expect([status, body.error.code]).toEqual([429, 'too_many_requests']);
    expect(body.error.message).toMatch(/Please try again in \d+ seconds?\./u);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
}

const agent = (i: number, more: object = {}) => ({ name: `Agent ${i}`, prompt: 'p'.repeat(20_000), ...more });
const importAgent = (i: number) => {
  const settings = { ...agent(i), model: 'gpt-4', tags: [], tools: [], temperature: 0.5, memoryEnabled: true };
  return app.request('POST', '/api/agents/import', {
    as: ada,
    body: { format: 'atelier.agent', version: 1, agent: settings },
  });
};

it('takes fifty agents that a person imports, and refuses the rest of a flood, for that account alone', async () => {
  expect(passed(await times(50, importAgent))).toBe(50);
  const flood = await times(70, (i) => app.request('POST', '/api/agents', { as: ada, body: agent(100 + i) }));
  expect(passed(flood)).toBeLessThan(20);
  expectRefused(flood);
  expect((await app.request('POST', '/api/agents', { as: bob, body: agent(1) })).status).toBe(201);
  expect((await app.request('GET', '/api/agents', { as: ada })).status).toBe(200);
});

it('bounds writes of every kind, by one account', async () => {
  const burst = RATES.writes.burst + 40;
  const answers = await times(burst, (i) =>
    app.request('PUT', '/api/agents/nothing', { as: ada, body: { name: `n ${i}` } }),
  );
  expect(answers.filter(({ status }) => status === 404).length).toBeGreaterThanOrEqual(RATES.writes.burst);
  expectRefused(answers.filter(({ status }) => status !== 404));
});

it('tells everybody of sixty favorites in few notices, the last among them', async () => {
  await times(12, (i) => app.request('POST', '/api/agents', { as: bob, body: agent(i) }));
  await app.grantPro(bob.uid);
  await times(12, (i) => app.request('PUT', `/api/agents/agent-${i}`, { as: bob, body: { isPublic: true } }));
  const heard: LiveMessage[] = [];
  const stop = app.deps.live.subscribe('somebody', (message) => heard.push(message));
  const path = (i: number) => `/api/favorites/${bob.uid}/agent-${i % 12}`;
  const answers = await times(60, (i) => app.request(i % 24 < 12 ? 'PUT' : 'DELETE', path(i), { as: ada }));
  expectRefused(answers);
  expect((await app.request('PUT', '/api/agents/agent-3', { as: bob, body: { prompt: 'last' } })).status).toBe(200);
  const ids = () =>
    heard.flatMap((message) =>
      message.event === 'changed' && message.data.topic === 'explore' ? [message.data.id] : [],
    );
  await eventually(() => expect(['', `${bob.uid}/agent-3`]).toContain(ids().at(-1)));
  stop();
  expect(ids().length).toBeLessThan(passed(answers));
});

it('holds twenty live streams for one account, and gives a place back when one ends', async () => {
  const open = async () => app.app.request('/api/live', { headers: { cookie: ada.cookie } });
  const streams = await times(PLACES.streams.each + 5, open);
  const living = streams.filter(({ status }) => status === 200);
  expect(living).toHaveLength(PLACES.streams.each);
  const refused = streams.find(({ status }) => status === 429);
  expect([refused?.headers.get('retry-after'), refused?.headers.get('content-type')]).toEqual([
    '5',
    'application/json',
  ]);
  const other = await app.app.request('/api/live', { headers: { cookie: bob.cookie } });
  expect(other.status).toBe(200);
  await Promise.all([...living.slice(0, 1), other].map((stream) => stream.body?.cancel()));
  await eventually(async () => {
    const again = await open();
    living.push(again);
    expect(again.status).toBe(200);
  });
  await Promise.all(living.map((stream) => (stream.status === 200 ? stream.body?.cancel() : undefined)));
});

it('keeps nothing open for HEAD, whose body nobody takes', async () => {
  for (let i = 0; i <= PLACES.streams.each; i += 1) {
    expect((await app.request('HEAD', '/api/live', { as: ada })).status).toBe(200);
  }
  await eventually(async () => expect(app.deps.live.hasListeners(ada.uid)).toBe(false));
});

it('sends six files at a time to an account, and the next once one was read or given up', async () => {
  await app.grantPro(ada.uid);
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Reader', prompt: 'You read.' } });
  const { body } = await filesOf(
    () => app,
    () => ada,
  ).upload('a.txt', 'word '.repeat(60_000));
  const headers = { cookie: ada.cookie };
  const get = async () => app.app.request(`${ORIGIN}${FILES}/${body.file.id}`, { headers });
  const open = await times(PLACES.downloads.each, get);
  expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
  expect((await get()).status).toBe(429);
  await open[0]?.body?.cancel();
  const next = await get();
  expect((await next.text()).length).toBe(300_000);
  await Promise.all(open.map((one) => one.text().catch(() => '')));
});

it('makes one archive at a time for an account, and the next once it was read or given up', async () => {
  const open = (as: TestUser) => app.app.request('/api/export', { headers: { cookie: as.cookie } });
  const first = await open(ada);
  expect([first.status, (await open(ada)).status]).toEqual([200, 429]);
  const others = await open(bob);
  expect((await others.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
  await first.body?.cancel();
  const second = await open(ada);
  expect((await second.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
  expect((await open(ada)).status).toBe(200);
});

it('makes a stranger’s archive while ten accounts hold theirs and take nothing', async () => {
  const open = (as: TestUser) => app.app.request('/api/export', { headers: { cookie: as.cookie } });
  const holders = await times(10, (i) => app.signUp(`Holder ${i}`));
  const held = await Promise.all(holders.map(open));
  expect(held.map(({ status }) => status)).toEqual(held.map(() => 200));
  const stranger = await open(ada);
  expect(stranger.status).toBe(200);
  expect((await stranger.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
  await Promise.all(held.map(({ body }) => body?.cancel()));
});

it('opens one download of an account after another, so that six of each of ten don’t stand before a stranger’s', async () => {
  const bounds = createBounds(1);
  const opened: string[] = [];
  const answers = ['ada', 'ada', 'bob', 'ada', 'bob'].map((who) =>
    bounds.hold(who, 'downloads', async () => {
      opened.push(who);
      return new Response(who);
    }),
  );
  expect(opened).toEqual([]);
  const texts = await Promise.all(answers.map(async (answer) => (await answer).text()));
  expect([opened.slice(0, 4), texts]).toEqual([
    ['ada', 'bob', 'ada', 'bob'],
    ['ada', 'ada', 'bob', 'ada', 'bob'],
  ]);
});

it('makes a small archive before ten large ones that asked earlier, and ends it before they go on', async () => {
  const bounds = createBounds(1);
  const begun: string[] = [];
  const pieces = (who: string) =>
    ReadableStream.from(
      (async function* () {
        for (const part of [1, 2]) {
          begun.push(`${who} ${part}`);
          yield new Uint8Array(300_000);
        }
      })(),
    );
  const open = (who: string, bytes: number) =>
    bounds
      .hold(
        who,
        'exports',
        async () => new Response(pieces(who)),
        async () => bytes,
      )
      .then((answer) => answer.arrayBuffer());
  const large = times(10, (i) => open(`large ${i}`, 8_000_000));
  await open('small', 700_000);
  expect(begun.indexOf('small 2')).toBeLessThan(6);
  await large;
});

it('gives one account a fiftieth of the process’s places at most', () => {
  const more = Object.entries(PLACES).filter(([, { each, all }]) => each * 50 > all);
  expect(more).toEqual([]);
});
