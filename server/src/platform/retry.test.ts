import { expect, test } from 'vitest';
import { loadOnce } from './retry.ts';

test('what could not be loaded is loaded at the next call; what was loaded is kept', async () => {
  let loads = 0;
  const get = loadOnce(async () => {
    loads += 1;
    if (loads === 1) throw new Error('no file handle is free');
    return 'loaded';
  });
  expect(get.begun()).toBeUndefined();
  await expect(get()).rejects.toThrow('no file handle is free');
  expect(await Promise.all([get(), get()])).toEqual(['loaded', 'loaded']);
  expect(loads).toBe(2);
});
