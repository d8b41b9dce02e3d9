import { afterEach, expect, it, vi } from 'vitest';
import { copyText } from './copy-button.tsx';

afterEach(() => vi.unstubAllGlobals());

it('copies a text', async () => {
  const writeText = vi.fn(async () => {});
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  expect(await copyText('a b')).toBe(true);
  expect(writeText).toHaveBeenCalledWith('a b');
});

it('doesn’t copy where the browser refuses', async () => {
  vi.stubGlobal('navigator', { clipboard: { writeText: () => Promise.reject(new Error('denied')) } });
  expect(await copyText('a b')).toBe(false);
});

it.each([true, false])(
  'copies from a field of the open dialog where there is no clipboard (allowed: %s)',
  async (allowed) => {
    const done: string[] = [];
    const dialog = { append: () => done.push('append') };
    const focused = { closest: () => dialog, focus: () => done.push('focus back') };
    const field = {
      value: '',
      focus() {},
      select: () => done.push(`select ${field.value}`),
      remove: () => done.push('remove'),
    };
    const execCommand = (command: string) => {
      done.push(command);
      return allowed;
    };
    vi.stubGlobal('navigator', {});
    vi.stubGlobal('document', { activeElement: focused, createElement: () => field, execCommand });
    expect(await copyText('a b')).toBe(allowed);
    expect(done).toEqual(['append', 'select a b', 'copy', 'focus back', 'remove']);
  },
);
