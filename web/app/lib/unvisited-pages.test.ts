import { expect, it } from 'vitest';
import { pageOf } from './unvisited-pages.tsx';

it('knows which addresses are of one page', () => {
  expect(['/', '/runtime', '/runtime/'].map(pageOf)).toEqual(['', 'runtime', 'runtime']);
  expect(pageOf('/explore/ann/chef')).toBe(pageOf('/explore/bob/tutor'));
  expect(pageOf('/explore/ann/chef')).not.toBe(pageOf('/explore'));
});
