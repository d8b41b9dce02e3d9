import { afterEach, expect, it, vi } from 'vitest';
import { copyText } from './copy-button.tsx';

afterEach(() => vi.unstubAllGlobals());

it('copies a text', async () => {
  const writeText = vi.fn(async () => {});
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  expect(await copyText('a b')).toBe(true);
  expect(writeText).toHaveBeenCalledWith('a b');
});

it.each([
  { where: 'without https', clipboard: undefined },
  { where: 'where the browser refuses', clipboard: { writeText: () => Promise.reject(new Error('denied')) } },
])('doesn’t copy $where, and says so', async ({ clipboard }) => {
  vi.stubGlobal('navigator', { clipboard });
  expect(await copyText('a b')).toBe(false);
});
