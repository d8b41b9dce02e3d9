// How long the event loop is blocked while 200 hostile programs run in the sandbox, compared with its floor in the same run: the same loop
// with nothing to do. And the time of a harmless program, compared with running it without a sandbox.
//   node scripts/run.mjs bench/sandbox.ts [--json]
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { runInNewContext } from 'node:vm';
import { runJavaScript } from '../server/src/platform/sandbox/javascript.ts';
import { hostilePrograms } from '../server/src/testing/hostile-programs.ts';
import { measureLoopLag } from '../server/src/testing/loop-lag.ts';

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
const PORTION = 20;
const ROUNDS = 50;
const HARMLESS = '[1, 2, 3].map((x) => x * 2).join()';
const never = new AbortController().signal;

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

async function timed(run: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i += 1) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return median(times);
}

const programs = Object.values(hostilePrograms()).flat();
const stop = measureLoopLag();
const begun = performance.now();
for (let at = 0; at < programs.length; at += PORTION) {
  await Promise.all(programs.slice(at, at + PORTION).map((code) => runJavaScript(code, never)));
}
const took = performance.now() - begun;
const hostile = stop();

const stopIdle = measureLoopLag();
await new Promise((done) => setTimeout(done, took));
const idle = stopIdle();

const sandboxed = await timed(() => runJavaScript(HARMLESS, never));
const direct = await timed(() => runInNewContext(HARMLESS));

const row = (measured: string, floor: number, ours: number) => ({
  measured,
  floor: `${floor.toFixed(1)} ms`,
  sandbox: `${ours.toFixed(1)} ms`,
});
console.log(
  `${programs.length} hostile programs in ${(took / 1000).toFixed(1)} s; the loop may stand still for 100 ms`,
);
console.table([
  row('event loop, longest stand still of its own', idle.own, hostile.own),
  row('of these, at work', idle.busy, hostile.busy),
  row('the same with what other programs took', idle.worst, hostile.worst),
  row(`a harmless program, median of ${ROUNDS}`, direct, sandboxed),
]);
if (values.json) console.log(JSON.stringify({ hostile, idle, sandboxed, direct }));
