import { startTimelineServer } from './timeline-server.ts';

// How soon a session of 5,000 exchanges opens, with and without branches, and what choosing another branch takes.
// Usage: npm run bench:branches

const SIZE = 5_000;
const ROUNDS = 60;

const server = await startTimelineServer();

async function call(method: string, path: string): Promise<number> {
  const begin = performance.now();
  const headers = { cookie: server.cookie, origin: server.url };
  const answer = await fetch(`${server.url}${path}`, { method, headers });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return performance.now() - begin;
}

const middle = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

const [few, straight, branched] = [await server.fill(20), await server.fill(SIZE), await server.fill(SIZE)];
const fork = await server.branch(branched.sessionId, SIZE / 2);
const sessions = {
  'a session of 20': few,
  'a session of 5,000': straight,
  '5,000 with 1,000 siblings and a fork': branched,
};
const times = new Map(Object.keys(sessions).map((name) => [name, [] as number[]]));
for (let round = -5; round < ROUNDS; round += 1) {
  for (const [name, { sessionId }] of Object.entries(sessions)) {
    const ms = await call('GET', `/api/sessions/${sessionId}/tasks?limit=50`);
    if (round >= 0) times.get(name)?.push(ms);
  }
}
for (const [name, list] of times) console.log(`${name}: opens in ${middle(list).toFixed(1)} ms (median of ${ROUNDS})`);

const tasks = `/api/sessions/${branched.sessionId}/tasks`;
for (const id of [fork, branched.lastId, fork, branched.lastId]) {
  console.log(`choosing a branch of ${SIZE / 2}: ${(await call('PUT', `${tasks}/${id}/choose`)).toFixed(0)} ms`);
}
console.log(
  `continuing ${SIZE} in a new session: ${(await call('POST', `${tasks}/${branched.lastId}/continue`)).toFixed(0)} ms`,
);
await server.stop();
