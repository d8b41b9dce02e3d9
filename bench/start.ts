// How long `npm start` takes until it listens, how much memory the server needs (at rest, after exchanges, and a minute later), and what it
// costs when nobody uses it: processor time as a share of one core, and statements a minute; PostgreSQL's own processes are not counted. The
// floor is a Node process that does nothing.
//   npm run bench:start -- [--databases embedded,postgres] [--starts 5] [--exchanges 1000] [--json]
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeAccounts } from './exchange/accounts.ts';
import { exchange } from './exchange/client.ts';
import { BOTH, type CreateDatabase, measureOn, startProvider, withServer } from './exchange/measured-process.ts';
import { makeQuestions } from './made-texts.ts';
import { type Figure, median, readOptions, report, timesOf } from './report.ts';

const values = readOptions({ databases: BOTH, starts: '5', exchanges: '1000' });
const root = join(import.meta.dirname, '..');
const [REST_MS, LATER_MS] = [20_000, 60_000];
/** After this time everything that follows a start is done, and so is the first round of what comes each minute. */
const IDLE_AFTER_MS = 75_000;
const CROWD = 10;
const questions = makeQuestions(100);
const provider = await startProvider();

/** Makes the next start bundle and compile again. */
function forget(): void {
  rmSync(join(root, 'server', 'build', 'built-from'), { force: true });
  // Other programs of ours may write to it meanwhile.
  const compiled = join(root, 'node_modules', '.cache', 'atelier', 'compiled');
  rmSync(compiled, { recursive: true, force: true, maxRetries: 5 });
}

async function measure(create: CreateDatabase): Promise<Figure[]> {
  const fresh = await create(async () => {});
  const crowd = await create((db) => makeAccounts(db, Array<undefined>(CROWD).fill(undefined)));
  const [floor] = await timesOf(() => execFileSync(process.execPath, ['--eval', '0']), { rounds: 1, warmUp: 1 });
  forget();
  const times: number[] = [];
  // The second start fills the compile cache.
  for (let i = 0; i < 2 + Number(values.starts); i += 1) {
    times.push(await withServer('command', { ...provider.env, ...fresh.env }, async ({ startMs }) => startMs));
  }
  const idle = await withServer('counted', fresh.env, async (server) => {
    await pause(IDLE_AFTER_MS);
    const before = await server.measure();
    await pause(LATER_MS);
    const { cpuMs, statements } = await server.measure();
    return [
      { what: 'processor of an idle server', unit: '%', ours: (100 * (cpuMs - before.cpuMs)) / LATER_MS },
      { what: 'statements of an idle server', unit: '/min', ours: statements - before.statements },
    ];
  });
  return withServer('command', { ...provider.env, ...crowd.env }, async (server) => {
    const rssMb = async () => (await server.measure()).rssMb;
    await pause(REST_MS);
    const rest = await rssMb();
    const talk = async (account: (typeof crowd.filled)[number]) => {
      for (let i = 0; i < Number(values.exchanges) / CROWD; i += 1)
        await exchange(server, account, questions.at(i % questions.length) ?? '');
    };
    await Promise.all(crowd.filled.map(talk));
    const busy = await rssMb();
    await pause(LATER_MS);
    return [
      { what: 'first start, which bundles', unit: 'ms', floor, ours: times[0] ?? Number.NaN },
      { what: 'later start, median', unit: 'ms', floor, ours: median(times.slice(2)) },
      { what: `memory ${REST_MS / 1000} s after the start`, unit: 'MB', ours: rest },
      { what: `after ${values.exchanges} exchanges`, unit: 'MB', ours: busy },
      { what: 'a minute later', unit: 'MB', ours: await rssMb() },
      ...idle,
    ];
  });
}

try {
  const figures = await measureOn(values.databases, measure);
  report('npm start, from the command until it listens, and what the server takes then', figures);
} finally {
  await provider.stop();
}
