import type { Attachment } from '@atelier/contract/attachments/attachments';
import { expect, test } from 'vitest';
import { memoryStorage } from '../../../lib/typed/memory-storage.ts';
import { createWords } from '../../../lib/typed/words.ts';
import { createPending } from './pending.ts';

const stored: Attachment = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'prices.csv',
  type: 'text/csv',
  size: 12,
  kind: 'file',
  state: 'ready',
  url: '/api/attachments/1',
};

test('after a reload what is uploaded is there, what was on its way goes on, and what failed is gone', () => {
  const words = createWords(memoryStorage(), () => 'ada');
  const pending = createPending(words);
  pending.add('s1', [
    { id: 'a', name: 'prices.csv', kind: 'file', share: 1, stored },
    { id: 'b', name: 'kiln.png', kind: 'picture', share: 0.4 },
    { id: 'c', name: 'empty.txt', kind: 'file', share: 0, error: 'It is empty.' },
  ]);
  const reloaded = createPending(words).read('s1');
  expect(reloaded).toMatchObject([
    { id: 'a', share: 1, stored },
    { id: 'b', name: 'kiln.png', kind: 'picture', share: 0 },
  ]);
  expect(reloaded[1]?.stored).toBeUndefined();
  expect(createPending(words).read('s2')).toEqual([]);
  pending.remove('s1', 'a');
  pending.remove('s1', 'b');
  pending.remove('s1', 'c');
  expect(words.names()).toEqual([]);
});
