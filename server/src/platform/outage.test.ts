import { DrizzleQueryError } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { outageOf } from './outage.ts';

const withCode = (code: string) => Object.assign(new Error('no'), { code });

test.each(['08006', '57P01', '57P03', '53300', '25006', 'ECONNREFUSED', 'EAI_AGAIN', 'EROFS'])(
  '%s means that the database or the storage is away',
  (code) => expect(outageOf(withCode(code))).toBe('away'),
);

test.each(['53100', 'ENOSPC', 'EDQUOT'])('%s means that the disk is full', (code) =>
  expect(outageOf(withCode(code))).toBe('full'),
);

test.each([
  'Connection terminated unexpectedly',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
])('so does “%s”, which has no code', (message) => expect(outageOf(new Error(message))).toBe('away'));

test('it is found beneath what wraps it', () => {
  const wrapped = new DrizzleQueryError('select 1', [], withCode('57P01'));
  expect(outageOf(new Error('could not start', { cause: wrapped }))).toBe('away');
});

test.each(['23505', '22021', '40001', '0A000', '57014', 'ENOENT', 'EACCES'])('%s is no outage', (code) =>
  expect(outageOf(withCode(code))).toBeNull(),
);

test('what is no error is none', () => {
  for (const value of [undefined, null, 'ECONNREFUSED', { code: 'ENOSPC' }]) expect(outageOf(value)).toBeNull();
});
