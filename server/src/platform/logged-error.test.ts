import { DrizzleQueryError } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { createLog, takeConsole } from './log.ts';
import { logged, withoutWords } from './logged-error.ts';

const CANARY = 'my sister is allergic to peanuts';
const lines: string[] = [];
const log = createLog((line) => lines.push(line));
const original = { ...console };
afterEach(() => {
  Object.assign(console, original);
  lines.length = 0;
});

const databaseError = Object.assign(new Error(`duplicate key: ${CANARY}`), {
  code: '23505',
  detail: `Key (name)=(${CANARY}) already exists.`,
  constraint: 'agents_slug',
  where: CANARY,
});
const failed = new DrizzleQueryError('insert into memories (text) values ($1)', [CANARY], databaseError);

test('of a failed statement the log keeps classes, codes, names of the schema and where it happened', () => {
  log.error('request.failed', failed, { path: '/api/agents' });
  const { error, stack, path } = JSON.parse(lines.join(''));
  expect([error, path]).toEqual(['Error < Error code=23505 constraint=agents_slug', '/api/agents']);
  expect(stack[0]).toMatch(/^at .*logged-error\.test\.ts(?:\?vitest=\d+)?:\d+:\d+/u);
  expect(lines.join('')).not.toContain('peanuts');
});

test.each<[string, object, string]>([
  [
    'a file that is missing',
    { code: 'ENOENT', syscall: 'open', path: '/etc/atelier/models.json' },
    'code=ENOENT syscall=open path=/etc/atelier/models.json',
  ],
  [
    'a stored file, without its name',
    { code: 'ENOENT', syscall: 'open', path: '/data/files/userFiles/u1/17_peanuts.txt' },
    'code=ENOENT syscall=open path=/data/files/userFiles/u1/…',
  ],
  ['no other path', { path: '/login?token=peanuts' }, ''],
  [
    'who failed, and what they answered',
    { provider: '127.0.0.1:80', model: 'a/b:free', status: 429, code: 'insufficient_quota', type: 'tokens' },
    'provider=127.0.0.1:80 model=a/b:free code=insufficient_quota status=429 type=tokens',
  ],
])('the log says which: %s', (_what, fields, said) => {
  expect(logged(Object.assign(new Error('x'), fields)).error).toBe(`Error ${said}`.trim());
  expect(logged(fields).error).toBe(`a thrown object ${said}`.trim());
});

test.each<[string, unknown]>([
  ['a message with lines like those of a stack', new Error(`x\n    at home ${CANARY} (file.ts:1:1)\n    at ${CANARY}`)],
  ['a message that was put there later', Object.assign(new Error(`a ${CANARY}`), { message: 'other' })],
  ['a name of several words', Object.assign(new Error('x'), { name: CANARY, code: CANARY })],
  ['causes', new Error('x', { cause: new Error(CANARY, { cause: failed }) })],
  ['a text that was thrown', CANARY],
  ['an object that was thrown', { message: CANARY, stack: CANARY }],
  ['several errors at once', new AggregateError([new Error(CANARY)], CANARY)],
])('no word of %s is logged, stored or printed', (_what, error) => {
  expect(JSON.stringify(logged(error))).not.toContain('peanuts');
  const safe = withoutWords(error);
  expect(`${safe.stack}${safe.message}${Object.keys(safe).join()}`).not.toContain('peanuts');
  takeConsole(log);
  console.error(error);
  console.warn('it failed', error);
  Object.assign(console, original);
  expect(lines).toHaveLength(2);
  expect(lines.join('')).not.toContain('peanuts');
});
