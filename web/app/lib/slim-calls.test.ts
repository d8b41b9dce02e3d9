import { expect, test } from 'vitest';
import { withoutServerParts } from '../../without-server-parts.ts';

test('a call for the web keeps its method, its path and the schema of its answer', () => {
  const said = `const thingCalls = calls('/api/things', {
  show: get('/:thingId', 'showThing', 'One thing.', { query: q, ...MORE, answer: one, fails: ['conflict'] }),
  drop: remove('/:thingId', 'dropThing', \`Drops \${it}.\`),
  make: post('', 'makeThing', 'Makes a thing.', { body: b }),
});
const other = map.get('a', 'b');`;
  expect(withoutServerParts(said)).toBe(`const thingCalls = calls('/api/things', {
  show: get('/:thingId', '', '', { answer: one }),
  drop: remove('/:thingId', '', ''),
  make: post('', '', '', {}),
});
const other = map.get('a', 'b');`);
});
