// `npm run test:stress`: all checks once, the journeys again with late calls, answers and scripts, and the touchiest tests ten times, while eight
// other processes want the processors.
import { spawn } from 'node:child_process';
import { endOnSignals, endWithTotal, takeLanes, takeStep } from './check-run.ts';
import { journeys, onPostgres, vitest } from './check-steps.ts';

const BUSY = 8;
const ROUNDS = 10;

/** Files that start processes, break connections, or watch clocks and streams. */
const TOUCHY = [
  'features/files/files.crash.database',
  'features/live/live.database',
  'features/mcp/mcp.test',
  'features/mcp/mcp.bad-http',
  'features/runs/runs.clock',
  'features/runs/runs.follow.database',
  'features/runs/runs.recovery.database',
  'platform/sandbox/javascript',
];
/** Those that break a PostgreSQL of their own. */
const OUTAGES = ['app.outage', 'platform/jobs/jobs.outage'];

// They end by themselves when this process is gone, however it ends.
const spin = 'const parent = process.ppid; while (process.ppid === parent);';
const busy = Array.from({ length: BUSY }, () => spawn(process.execPath, ['-e', spin], { stdio: 'ignore' }));
process.once('exit', () => {
  for (const child of busy) child.kill('SIGKILL');
});

endOnSignals();
await takeLanes();
for (const TEST_LAG of ['calls:800,scripts:800', 'answers:800'])
  await takeStep(`journeys, ${TEST_LAG}`, () => journeys({ TEST_LAG }));
for (let round = 1; round <= ROUNDS; round += 1) {
  await takeStep(`touchy, round ${round}`, () => vitest('touchy', TOUCHY));
  await takeStep(`outages, round ${round}`, () => onPostgres(OUTAGES));
}
endWithTotal();
