import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import { runJavaScript, SANDBOX } from './javascript.ts';

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

it('stops when the caller does', async () => {
  const controller = new AbortController();
  const running = runJavaScript('while (true) {}', controller.signal);
  controller.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
});

const STOPPED = /longer than 1 second|more memory|stack overflow|too long|invalid array|can’t be shown/;
const LOOPS = [
  'while (true) {}',
  'try { while (true) {} } catch { } "caught"',
  'for (;;) { try { for (;;) {} } finally { continue } }',
  '(async () => { while (true) await 0 })()',
  'const p = () => Promise.resolve().then(p); p()',
  '/(a+)+$/.test("a".repeat(50) + "b")',
  '/(?:(?:x*)*)*y/.test("x".repeat(60))',
  'new Proxy({}, { get() { for (;;); } }).x',
  '({ toString() { for (;;); } }) + ""',
  'for (;;) console.log("flood".repeat(1000))',
  'Array.from({ length: 1e9 }, (_, i) => i).sort()',
  '[..."x".repeat(1e6)].sort(() => { for (;;); })',
];
const MEMORY = [
  'const a = []; while (true) a.push(new Array(1e6).fill(1))',
  'let s = "x"; while (true) s += s',
  '"x".repeat(2 ** 29)',
  'new ArrayBuffer(2 ** 31)',
  'new Uint8Array(1e9).fill(1)',
  'const m = new Map(); for (let i = 0; ; i++) m.set(i, "x".repeat(1e5) + i)',
  'f = () => f() + 1; f()',
  'let o = {}; for (;;) o = { o, p: [o, o] }',
  'JSON.stringify(Array(1e7).fill("abcdefgh"))',
  'let d = "["; d = d.repeat(5e6); JSON.parse(d)',
];
/** Each answers “safe” where it found no way out. */
const ESCAPES = [
  'this.constructor.constructor("return typeof process")()',
  '(() => {}).constructor("return typeof require")()',
  'Object.getPrototypeOf(async () => {}).constructor("return typeof process")().then((x) => x)',
  '[].constructor.constructor("return typeof globalThis.process")()',
  'console.log.constructor("return typeof process")()',
  'typeof console.log.constructor.constructor("return this")().process',
  'typeof require',
  'typeof process',
  'typeof fetch',
  'typeof setTimeout',
  'typeof XMLHttpRequest',
  'typeof WebAssembly',
  'typeof Atomics === "object" && typeof Worker',
  'typeof Deno',
  'typeof __write',
  'typeof std',
  'typeof os',
  'typeof Object.getOwnPropertyNames(globalThis).find((k) => /process|require|fetch|module|global$/.test(k))',
  'Object.prototype.polluted = 1; typeof Object.polluted2',
  'String.prototype.slice = () => { throw 1 }; typeof undefinedThing',
];
const ERRORS = [
  'Object.defineProperty(globalThis, "x", { get() { throw new Error("g") } }); x',
  'throw { toString() { throw 1 } }',
  'throw Object.create(null)',
  'throw new Proxy({}, { get() { throw 1 } })',
  'import("node:fs")',
  'import fs from "fs"',
  'Error.prepareStackTrace = (e, s) => s; new Error().stack.x.y',
  'null.x',
];

/** 200 programs: each hostile idea several times over, loops seldom, for each costs its whole second. */
function hostilePrograms() {
  const many = (list: string[], times: number) => Array.from({ length: times }, (_, i) => list[i % list.length] ?? '');
  return {
    loops: many(LOOPS, 12),
    memory: many(MEMORY, 48),
    escapes: many(ESCAPES, 80),
    errors: many(ERRORS, 60),
  };
}

it('holds against 200 hostile programs, and the event loop goes on meanwhile', { timeout: 240_000 }, async () => {
  const { loops, memory, escapes, errors } = hostilePrograms();
  const lag = monitorEventLoopDelay({ resolution: 5 });
  lag.enable();
  const take = async (programs: string[]) => {
    const results: { code: string; result: Awaited<ReturnType<typeof run>> }[] = [];
    for (let at = 0; at < programs.length; at += 20) {
      const some = programs.slice(at, at + 20).map((code) => run(code).then((result) => ({ code, result })));
      results.push(...(await Promise.all(some)));
    }
    return results;
  };
  const all = await take(loops);
  for (const { code, result } of all) {
    expect(result.error, code).toMatch(STOPPED);
    expect(result.console.length, code).toBeLessThanOrEqual(SANDBOX.outputMax + 2);
  }
  for (const { code, result } of await take(memory)) expect(result.error ?? '', code).toMatch(STOPPED);
  for (const { code, result } of await take(escapes)) {
    expect(result.value ?? result.error, code).toMatch(/undefined|false|number|not defined|^1$/);
  }
  for (const { code, result } of await take(errors)) expect(result.error, code).toEqual(expect.any(String));
  lag.disable();
  const worst = lag.max / 1e6;
  console.log(`sandbox: 200 hostile programs, event loop delayed by at most ${worst.toFixed(1)} ms`);
  // A program's whole second in this thread would be seen; what a busy machine adds is not judged.
  expect(worst).toBeLessThan(900);
});

it('refuses too long a program and too many at once', async () => {
  expect((await run('x'.repeat(SANDBOX.codeMax + 1))).error).toMatch(/at most 50000 characters/);
  const many = await Promise.all(Array.from({ length: 26 }, () => run('1')));
  expect(many.filter(({ error }) => error?.includes('Too many programs')).length).toBe(4);
  expect(many.filter(({ value }) => value === '1').length).toBe(22);
});
