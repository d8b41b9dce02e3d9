import { expect, test } from 'vitest';
import { linksIn, namedBy } from './named-addresses.ts';

test.each([
  ['See https://example.com/a?b=c.', 'https://example.com/a?b=c', 'exact'],
  ['See (https://example.com/a_(b)) now', 'https://example.com/a_(b)', 'exact'],
  ['See example.com/trains, please', 'https://example.com/trains', 'exact'],
  ['See example.com', 'http://example.com/', 'exact'],
  ['See www.example.com', 'https://example.com/', 'exact'],
  ['See http://example.com/', 'https://www.example.com/#part', 'exact'],
  ['“https://example.com/x”!', 'https://example.com/x', 'exact'],
  ['[here](https://example.com/x)', 'https://example.com/x', null],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/', 'exact'],
  ['http://127.0.0.1:8080/x', 'http://127.0.0.1:8080/x', 'exact'],
  ['What does example.com say?', 'https://example.com/search?q=x', 'host'],
  ['EXAMPLE.com', 'https://example.com/a', 'host'],
  ['请看https://example.com/x。然后', 'https://example.com/x', 'exact'],
  ['「https://example.com/x」と', 'https://example.com/x', 'exact'],
  ['انظر https://example.com/x؟', 'https://example.com/x', 'exact'],
  ['https://example.com:8443/', 'https://example.com:8443/a', 'host'],
  // Nobody named these.
  ['https://good.com', 'https://evil.com/?x=good.com', null],
  ['https://good.com', 'https://good.com.evil.com/', null],
  ['https://good.com', 'https://good.com@evil.com/', null],
  ['https://good.com', 'https://secret.good.com/', null],
  ['https://sub.good.com', 'https://good.com/', null],
  ['https://good.com/?next=https://evil.com/', 'https://evil.com/', null],
  ['good.com/evil.com', 'https://evil.com/', null],
  ['Write to bob@evil.com', 'https://evil.com/', null],
  ['https://user@evil.com/', 'https://evil.com/', null],
  ['https://good.com', 'https://good.com:8443/', null],
  ['https://good.com', 'http://good.com/', null],
  ['http://good.com:8080/', 'https://good.com:8080/', null],
  ['https://example.com', 'https://ехample.com/', null],
  ['evil dot com', 'https://evil.com/', null],
  ['', 'https://evil.com/', null],
])('%j names %s: %s', (message, address, named) => {
  expect(namedBy(message, new URL(address))).toBe(named);
});

test.each([
  ['More at https://example.com/a#top.', 'https://example.com/a'],
  ['[here](HTTP://Example.com:80/x)', 'http://example.com/x'],
  ['{"url":"https://example.com/?q=1&r=2","text":"a"}', 'https://example.com/?q=1&r=2'],
  [JSON.stringify('a\nhttps://example.com/a\nb'), 'https://example.com/a'],
  ['fetch url=https://example.com/a;', 'https://example.com/a'],
  ['见https://example.com/a。更多', 'https://example.com/a'],
])('%j has the link %s', (answer, link) => {
  expect(linksIn(answer)).toContain(link);
});

test.each(['example.com/a', '/a', 'ftp://example.com/a', 'https://', ''])('%j has no complete address', (answer) => {
  expect(linksIn(answer)).toEqual([]);
});

test('a message of one long run is read, whatever it repeats', () => {
  for (const piece of ['a.', '(', '.', 'a', '(.', 'https://', '.)', 'a-']) {
    for (const end of ['', 'x', ' x', '\n']) {
      const text = piece.repeat(32_000 / piece.length) + end;
      expect(namedBy(text, new URL('https://example.com/'))).toBeNull();
      expect(linksIn(text).length).toBeLessThan(10);
    }
  }
});
