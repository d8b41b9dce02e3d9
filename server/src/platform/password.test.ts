import { expect, test } from 'vitest';
import { hashPassword, OWASP_COST, verifyPassword } from './password.ts';

test('a password fits its own hash alone, and two hashes of it differ', async () => {
  const [hash, other] = await Promise.all([
    hashPassword('correct horse', OWASP_COST),
    hashPassword('correct horse', OWASP_COST),
  ]);
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(hash).not.toBe(other);
  expect(await verifyPassword({ hash, password: 'correct horse' })).toBe(true);
  expect(await verifyPassword({ hash, password: 'correct horsE' })).toBe(false);
});

test('what is not one of our hashes fits nothing', async () => {
  for (const hash of [
    '',
    'plain',
    'salt:scrypt',
    '$argon2id$v=19$m=99999999999,t=2,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA',
  ]) {
    expect(await verifyPassword({ hash, password: '' }), hash).toBe(false);
  }
});
