import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import { effort } from '../../testing/effort.ts';
import { runJavaScript, SANDBOX } from './javascript.ts';

/** Ideas of how a program could harm its host, one a line. */
const [loops = [], memory = [], escapes = [], errors = []] = readFileSync(
  new URL('../../testing/hostile-programs.txt', import.meta.url),
  'utf8',
)
  .split(/^# .*\n/mu)
  .slice(1)
  .map((part) => part.trimEnd().split('\n'));

/** Each hostile idea once, and a loop of each kind, for each costs its whole second; at night 200 programs. */
function hostilePrograms() {
  const many = (list: string[], times: number) => Array.from({ length: times }, (_, i) => list[i % list.length] ?? '');
  return {
    loops: many(loops, effort(5, loops.length)),
    memory: many(memory, effort(memory.length, 48)),
    escapes: many(escapes, effort(escapes.length, 80)),
    errors: many(errors, effort(errors.length, 60)),
  };
}

const never = new AbortController().signal;
const run = (code: string) => runJavaScript(code, never);

it('answers the last value and what was written to the console', async () => {
  expect(await run('console.log("hi", {a: 1}, [2n]); [1, 2].map((x) => x * 2)')).toEqual({
    value: '[2,4]',
    console: 'hi {"a":1} ["2n"]',
    error: null,
  });
  expect(await run('(async () => { await 1; return 7 })()')).toMatchObject({ value: '7' });
  expect(await run('throw new TypeError("no")')).toMatchObject({ value: null, error: 'TypeError: no' });
  expect(await run('const x = 1')).toMatchObject({ value: null, error: null });
});

it.each([
  ['null[0]', 'TypeError: cannot read property of null'],
  ['throw new Error("aborted by user")', 'Error: aborted by user'],
  ['throw new Error("the download was interrupted")', 'Error: the download was interrupted'],
])('answers the program’s own error as it is: %s', async (code, error) => {
  expect(await run(code)).toMatchObject({ value: null, error });
});

it('stops when the caller does', async () => {
  const controller = new AbortController();
  const running = runJavaScript('while (true) {}', controller.signal);
  controller.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
});

const EVERY_MS = 5;

/** Milliseconds that this process's first thread was ready to run and had no processor; null where the system doesn't tell. */
function waitedForProcessor(): number | null {
  try {
    const [, waited] = readFileSync('/proc/self/schedstat', 'utf8').split(' ');
    return Number(waited) / 1e6;
  } catch {
    return null;
  }
}

function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

interface LoopLag {
  /**
   * The longest time between two turns of the event loop beyond what was asked for, in milliseconds, without the time in which other programs had
   * the processors: what this program itself kept the loop from turning.
   */
  own: number;
  /** The longest time of one turn for which this thread itself had a processor: no other program can add to it. */
  busy: number;
  /** How much of the time it waited for a processor, from 0 to 1. */
  waiting: number;
}

/** Measures how long the event loop of this process's first thread stands still, until it is asked. */
function measureLoopLag(): () => LoopLag {
  let own = 0;
  let busy = 0;
  const begun = performance.now();
  const waitedBefore = waitedForProcessor();
  let last = begun;
  let used = processorTime();
  let waited = waitedForProcessor();
  const turn = () => {
    const now = performance.now();
    const waitedNow = waitedForProcessor();
    const lag = Math.max(0, now - last - EVERY_MS);
    own = Math.max(own, lag - ((waitedNow ?? 0) - (waited ?? 0)));
    const usedNow = processorTime();
    busy = Math.max(busy, usedNow - used);
    last = now;
    used = usedNow;
    waited = waitedNow;
  };
  const timer = setInterval(turn, EVERY_MS);
  return () => {
    clearInterval(timer);
    turn();
    return { own, busy, waiting: ((waited ?? 0) - (waitedBefore ?? 0)) / (last - begun) };
  };
}

const STOPPED = /longer than 1 second|more memory|stack overflow|too long|invalid array|can’t be shown/;
it('would be seen to hold up the event loop', async () => {
  const stop = measureLoopLag();
  await new Promise((done) => setTimeout(done, 20));
  const begun = process.cpuUsage().user;
  while (process.cpuUsage().user - begun < 2 * LAG_MAX_MS * 1_000);
  await new Promise((done) => setTimeout(done, 20));
  const { own, busy } = stop();
  expect([own > LAG_MAX_MS, busy > LAG_MAX_MS]).toEqual([true, true]);
});

const PORTION = 20;
const LAG_MAX_MS = 100;
/** What stands still by the sandbox's doing does so each time; what stands still by the machine's does not. */
const ATTEMPTS = 4;
/** Where this thread waits for a processor for more of its time, locks are held by threads that wait as well, and only its own work is judged. */
const WAITING_MAX = 0.2;

type Ran = { code: string; result: Awaited<ReturnType<typeof run>> };

it('holds against hostile programs, and the event loop goes on meanwhile', async () => {
  const { loops, memory, escapes, errors } = hostilePrograms();
  const lags: LoopLag[] = [];
  const runAll = async (programs: string[]): Promise<Ran[]> => {
    const stop = measureLoopLag();
    const ran = await Promise.all(programs.map(async (code) => ({ code, result: await run(code) })));
    lags.push(stop());
    return ran;
  };
  let count = 0;
  const take = async (programs: string[]) => {
    const results: Ran[] = [];
    for (let at = 0; at < programs.length; at += PORTION) {
      const portion = programs.slice(at, at + PORTION);
      count += portion.length;
      results.push(...(await runAll(portion)));
      const first = lags.length - 1;
      for (let i = 1; i < ATTEMPTS && (lags.at(-1)?.own ?? 0) >= LAG_MAX_MS; i += 1) await runAll(portion);
      lags.splice(
        first,
        lags.length,
        lags.slice(first).reduce((a, b) => (b.own < a.own ? b : a)),
      );
    }
    return results;
  };
  for (const { code, result } of await take(loops)) {
    expect(result.error, code).toMatch(STOPPED);
    expect(result.console.length, code).toBeLessThanOrEqual(SANDBOX.outputMax + 2);
  }
  for (const { code, result } of await take(memory)) expect(result.error ?? '', code).toMatch(STOPPED);
  for (const { code, result } of await take(escapes)) {
    expect(result.value ?? result.error, code).toMatch(/undefined|false|number|not defined|^1$/);
  }
  // Some changed prototypes: theirs alone, neither those of this process nor those of the next programs in both threads.
  const looked = await Promise.all([1, 2].map(() => run("[typeof ({}).polluted, 'ab'.slice(1)]")));
  expect(looked.map(({ value }) => value)).toEqual(['["undefined","b"]', '["undefined","b"]']);
  expect([Object.hasOwn(Object.prototype, 'polluted'), 'ab'.slice(1)]).toEqual([false, 'b']);
  for (const { code, result } of await take(errors)) expect(result.error, code).toEqual(expect.any(String));
  const most = (of: keyof LoopLag) => Math.max(...lags.map((lag) => lag[of])).toFixed(1);
  console.log(
    `sandbox: ${count} hostile programs; the event loop stood still for at most ${most('own')} ms, at work for ${most('busy')} ms of them`,
  );
  expect(count).toBe(effort(43, 200));
  for (const { own, busy, waiting } of lags) {
    expect(busy).toBeLessThan(LAG_MAX_MS);
    if (waiting < WAITING_MAX) expect(own).toBeLessThan(LAG_MAX_MS);
  }
});

it('refuses too long a program and too many at once', async () => {
  expect((await run('x'.repeat(SANDBOX.codeMax + 1))).error).toMatch(/at most 50000 characters/);
  const many = await Promise.all(Array.from({ length: 26 }, () => run('1')));
  expect(many.filter(({ error }) => error?.includes('Too many programs')).length).toBe(4);
  expect(many.filter(({ value }) => value === '1').length).toBe(22);
});
