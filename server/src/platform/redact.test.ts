import { expect, it } from 'vitest';
import { redact } from './redact.ts';

it.each([
  ['Error: Cannot find module /home/ada/node_modules/sqlite3/build/Release/node_sqlite3'],
  ['at require (/srv/atelier/data/mcp/sqlite/node_modules/bindings/bindings.js:112:48)'],
])('keeps what a program says of its files: %s', (line) => {
  expect(redact(line)).toBe(line);
});

it.each([
  ['key 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b', 'key [redacted]'],
  ['key wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY1', 'key [redacted]'],
  ['key /9j4AAQSkZJRgABAQAAAQABAADb+2wBDAAgGBg==', 'key [redacted]'],
  ['at /hooks/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b', 'at [redacted]'],
  ['in //hooks/T01234567/B01234567/abcdefghijkl', 'in [redacted]'],
])('blanks what looks like a secret: %s', (line, shown) => {
  expect(redact(line)).toBe(shown);
});
