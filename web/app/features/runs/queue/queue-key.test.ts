import { expect, test } from 'vitest';
import { memoryStorage } from '../../../lib/typed/memory-storage.ts';
import { createWords } from '../../../lib/typed/words.ts';
import { createQueueKeys } from './queue-key.ts';

const words = () => createWords(memoryStorage(), () => 'ada');

function counter() {
  let n = 0;
  return () => `k${(n += 1)}`;
}

test('the same words keep their key until they are confirmed, also after a reload', () => {
  const kept = words();
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
  const keys = createQueueKeys(words(), counter());
  expect([keys.begin('s1', 'a'), keys.begin('s2', 'a'), keys.begin('s1', 'b')]).toEqual(['k1', 'k2', 'k3']);
});

test('what is damaged counts as nothing', () => {
  const kept = words();
  kept.write('queueing:s1', '{');
  expect(createQueueKeys(kept, counter()).begin('s1', 'a')).toBe('k1');
});
