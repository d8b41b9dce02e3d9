// What a server costs that nobody uses: processor time as a share of one core, and statements a minute, on both databases. The server is
// the real process on a fresh data folder; PostgreSQL's own processes are not counted.
//   npm run bench:idle -- [--seconds 60] [--json]
import { setTimeout } from 'node:timers/promises';
import { BOTH, measureOn, withServer } from './exchange/measured-process.ts';
import { readOptions, report } from './report.ts';

const { seconds, databases } = readOptions({ seconds: '60', databases: BOTH });
const SECONDS = Number(seconds);
/** After this time everything that follows a start is done, and so is the first round of what comes each minute. */
const WARM_UP_MS = 75_000;

const figures = await measureOn(databases, async (create) => {
  const { env } = await create(async () => {});
  const [before, after] = await withServer('counted', env, async (server) => {
    await setTimeout(WARM_UP_MS);
    const begun = await server.measure();
    await setTimeout(SECONDS * 1000);
    return [begun, await server.measure()] as const;
  });
  return [
    { what: 'processor', unit: '%', ours: (after.cpuMs - before.cpuMs) / (SECONDS * 10) },
    { what: 'statements', unit: '/min', ours: ((after.statements - before.statements) * 60) / SECONDS },
  ];
});
report(`an idle server, for ${SECONDS} s`, figures);
