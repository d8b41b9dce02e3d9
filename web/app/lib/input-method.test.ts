import { runInThisContext } from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';
import { inputMethodScript } from './input-method.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['Enter', { isComposing: false, keyCode: 13 }, true],
  ['Escape', { isComposing: false, keyCode: 27 }, true],
  ['Enter', { isComposing: true, keyCode: 229 }, false],
  ['Escape', { isComposing: true, keyCode: 27 }, false],
  // Safari's, after the composition.
  ['Enter', { isComposing: false, keyCode: 229 }, false],
])('%s with %j reaches the page: %s', (key, of, reaches) => {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  runInThisContext(inputMethodScript);
  const heard = vi.fn();
  page.addEventListener('keydown', heard, true);
  const event = Object.assign(new Event('keydown', { cancelable: true }), { key, ...of });
  page.dispatchEvent(event);
  expect(heard).toHaveBeenCalledTimes(reaches ? 1 : 0);
  expect(event.defaultPrevented, 'the input method has its key').toBe(false);
});
