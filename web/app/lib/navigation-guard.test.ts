import { expect, it } from 'vitest';
import { pageOf, pagesAt, showsSameForms } from './navigation-guard.tsx';

it('knows which addresses are of one page', () => {
  expect(['/', '/runtime', '/runtime/'].map(pageOf)).toEqual(['', 'runtime', 'runtime']);
  expect(pageOf('/explore/ann/chef')).toBe(pageOf('/explore/bob/tutor'));
  expect(pageOf('/explore/ann/chef')).not.toBe(pageOf('/explore'));
});

it('knows which pages an address shows', () => {
  expect(pagesAt('/explore/ann/chef')).toContain(pageOf('/explore'));
  expect(pagesAt('/explore')).toEqual([pageOf('/explore')]);
  expect(pagesAt('/login/forgot')).toEqual([pageOf('/login/forgot')]);
});

it('knows which navigation takes a form away', () => {
  const at = (address: string) => new URL(address, 'http://localhost');
  expect(showsSameForms(at('/memory?q=a'), at('/memory?q=ab'))).toBe(true);
  expect(showsSameForms(at('/runtime?sessionId=1'), at('/runtime?sessionId=1&taskId=2'))).toBe(true);
  expect(showsSameForms(at('/runtime?sessionId=1'), at('/runtime?sessionId=2'))).toBe(false);
  expect(showsSameForms(at('/library'), at('/explore'))).toBe(false);
});
