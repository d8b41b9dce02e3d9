import { expect, test } from 'vitest';
import { imageAddress, isWritten, linkAddress } from './safe-address.ts';

test.each(['https://example.com/a?b=c', 'http://example.com/', 'mailto:a@example.com'])('%s is a link', (href) => {
  expect(linkAddress(href)).toBe(href);
});

test.each([
  'javascript:alert(1)',
  ' java\nscript:alert(1)',
  'data:text/html,<script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://example.com/1',
  '/billing',
  '#here',
  '',
])('%j is no link', (href) => {
  expect(linkAddress(href)).toBeNull();
});

test('an address is written where all of it stands in the words', () => {
  const words = 'See https://example.com/a?b=c, (https://other.example/) and mailto:a@example.com.';
  for (const address of ['https://example.com/a?b=c', 'https://other.example/', 'mailto:a@example.com']) {
    expect(isWritten(address, words)).toBe(true);
  }
  for (const address of [
    'https://example.com/',
    'https://example.com/a?b=cd',
    'https://other.example/x',
    'https://c/',
  ]) {
    expect(isWritten(address, words)).toBe(false);
  }
});

test('only pictures of sessions are shown', () => {
  const origin = 'https://atelier.example';
  for (const path of ['/api/sessions/s-1/attachments/a-1', '/api/sessions/s-1/tasks/t-1/media/m-1']) {
    expect(imageAddress(path, origin)).toBe(`${origin}${path}`);
  }
  for (const path of [
    '/api/export',
    '/api/sessions/s-1/export',
    '/api/sessions/s-1/attachments/../export',
    '/api/sessions/s-1/attachments/%2e%2e/export',
    '/api/sessions/s-1/attachments/a-1?x=words',
    '/api/sessions/s-1/attachments/a/b',
    '/files/a.png',
  ]) {
    expect(imageAddress(path, origin), path).toBeNull();
  }
  expect(imageAddress('https://atelier.example.evil.com/a.png', origin)).toBeNull();
  expect(imageAddress('//evil.com/a.png', origin)).toBeNull();
  expect(imageAddress('data:image/svg+xml,<svg/>', origin)).toBeNull();
  expect(imageAddress('blob:https://atelier.example/1', origin)).toBeNull();
  expect(imageAddress(undefined, origin)).toBeNull();
});
