import { effort } from './effort.ts';

/** Ideas of how a program could harm its host. Of the loops first one of each kind: plain, caught, of promises, of patterns, native. */
const LOOPS = [
  'while (true) {}',
  'for (;;) { try { for (;;) {} } finally { continue } }',
  'const p = () => Promise.resolve().then(p); p()',
  '/(a+)+$/.test("a".repeat(50) + "b")',
  'for (;;) console.log("flood".repeat(1000))',
  'try { while (true) {} } catch { } "caught"',
  '(async () => { while (true) await 0 })()',
  '/(?:(?:x*)*)*y/.test("x".repeat(60))',
  'new Proxy({}, { get() { for (;;); } }).x',
  '({ toString() { for (;;); } }) + ""',
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

/** Each hostile idea once, and a loop of each kind, for each costs its whole second; at night 200 programs. */
export function hostilePrograms() {
  const many = (list: string[], times: number) => Array.from({ length: times }, (_, i) => list[i % list.length] ?? '');
  return {
    loops: many(LOOPS, effort(5, LOOPS.length)),
    memory: many(MEMORY, effort(MEMORY.length, 48)),
    escapes: many(ESCAPES, effort(ESCAPES.length, 80)),
    errors: many(ERRORS, effort(ERRORS.length, 60)),
  };
}
