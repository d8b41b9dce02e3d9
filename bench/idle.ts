// What a server costs that nobody uses: processor time as a share of one core, and statements a minute, on both databases. The server is
// the real process on a fresh data folder; PostgreSQL's own processes are not counted.
//   npm run bench:idle -- [--seconds 60] [--json]
import { setTimeout } from 'node:timers/promises';
import { AUTH_SECRET } from './exchange/accounts.ts';
import { KINDS, startDatabaseServer } from './exchange/database-server.ts';
import { startMeasuredServer } from './exchange/measured-process.ts';
import { type Figure, readOptions, report } from './report.ts';

const SECONDS = Number(readOptions({ seconds: '60' }).seconds);
/** After this time everything that follows a start is done, and so is the first round of what comes each minute. */
const WARM_UP_MS = 75_000;

const figures: Figure[] = [];
for (const on of KINDS) {
  const database = await startDatabaseServer(on);
  const { env } = await database.create(async () => {});
  const server = await startMeasuredServer('counted', { AUTH_SECRET, ...env });
  try {
    await setTimeout(WARM_UP_MS);
    const before = await server.measure();
    await setTimeout(SECONDS * 1000);
    const after = await server.measure();
    figures.push(
      { what: 'processor', on, unit: '%', ours: (after.cpuMs - before.cpuMs) / (SECONDS * 10) },
      { what: 'statements', on, unit: '/min', ours: ((after.statements - before.statements) * 60) / SECONDS },
    );
  } finally {
    await server.stop();
    await database.stop();
  }
}
report(`an idle server, for ${SECONDS} s`, figures);
