import { expect, test } from 'vitest';
import { createQueueKeys } from './queue-key.ts';

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    key: () => null,
    length: 0,
  };
}

function counter() {
  let n = 0;
  return () => `k${(n += 1)}`;
}

test('the same words keep their key until they are confirmed, also after a reload', () => {
  const kept = storage();
  const fresh = counter();
  expect(createQueueKeys(kept, fresh).begin('s1', 'hello')).toBe('k1');
  const reloaded = createQueueKeys(kept, fresh);
  expect(reloaded.unconfirmed('s1')).toBe('hello');
  expect(reloaded.begin('s1', 'hello')).toBe('k1');
  reloaded.confirm('s1');
  expect(reloaded.unconfirmed('s1')).toBeUndefined();
  expect(reloaded.begin('s1', 'hello')).toBe('k2');
});

test('other words, and another session, have another key', () => {
  const keys = createQueueKeys(null, counter());
  expect([keys.begin('s1', 'a'), keys.begin('s2', 'a'), keys.begin('s1', 'b')]).toEqual(['k1', 'k2', 'k3']);
});

test('what is damaged counts as nothing', () => {
  const kept = storage();
  kept.setItem('queueing:s1', '{');
  expect(createQueueKeys(kept, counter()).begin('s1', 'a')).toBe('k1');
});
