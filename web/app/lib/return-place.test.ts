import { describe, expect, it } from 'vitest';
import { returnPlace } from './return-place.ts';

const origin = 'http://localhost:3000';

describe('where signing in leads', () => {
  it.each([
    ['/library', '/library'],
    ['/runtime?sessionId=1#end', '/runtime?sessionId=1#end'],
    ['/a/../billing', '/billing'],
  ])('to the remembered place %s', (from, place) => {
    expect(returnPlace({ from }, origin)).toBe(place);
  });

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    'runtime',
    '',
    '/login',
    '/signup/',
    '/login?x=1',
  ])('never to %j', (from) => {
    expect(returnPlace({ from }, origin)).toBe('/runtime');
  });

  it.each([null, undefined, 'x', 5, {}, { from: 5 }, { from: null }])(
    'to the runtime where nothing is kept: %j',
    (s) => {
      expect(returnPlace(s, origin)).toBe('/runtime');
    },
  );
});
