import { expect, test } from 'vitest';
import { createGate, hashPassword, OWASP_COST, verifyPassword } from './password.ts';

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

test('so much goes on at once, the rest in order, and what is beyond is refused with a time to wait', async () => {
  const gate = createGate({ atOnce: 2, waiting: 3 });
  const ends: (() => void)[] = [];
  const order: number[] = [];
  const works = [0, 1, 2, 3, 4].map((i) =>
    gate.run(async () => {
      order.push(i);
      await new Promise<void>((end) => ends.push(end));
      return i;
    }),
  );
  await expect(gate.run(async () => 5)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
  expect([order, gate.begun]).toEqual([[0, 1], 2]);
  while (ends.length > 0 || order.length < 5) {
    ends.shift()?.();
    await Promise.resolve();
  }
  for (const end of ends) end();
  expect(await Promise.all(works)).toEqual([0, 1, 2, 3, 4]);
  expect(order).toEqual([0, 1, 2, 3, 4]);
});

test('work that fails gives its place back', async () => {
  const gate = createGate({ atOnce: 1, waiting: 1 });
  const fails = gate.run(() => Promise.reject(new Error('no')));
  const next = gate.run(async () => 'yes');
  await expect(fails).rejects.toThrow('no');
  expect(await next).toBe('yes');
  expect(await gate.run(async () => 'again')).toBe('again');
});
