import { expect, test } from 'vitest';
import { withoutServerParts } from '../../without-server-parts.ts';

test('a call for the web keeps its method, its path, the schema of its answer, and that it is public', () => {
  const said = `const thingCalls = calls('/api/things', {
  show: get('/:thingId', 'showThing', 'One thing.', { query: q, ...MORE, answer: one, fails: ['conflict'] }),
  drop: remove('/:thingId', 'dropThing', \`Drops \${it}.\`),
  make: post('', 'makeThing', 'Makes a thing.', { body: b }),
  rules: get('/rules', 'getRules', 'Rules.', { who: 'public', answer: rules, rate: 'writes' }),
  pro: get('/pro', 'getPro', 'For Pro.', { who: 'pro', answer: one }),
});
const openCalls = calls(under('/api/open', { who: 'public', failure }), {
  look: get('', 'look', 'Looks.', { answer: one }),
});
const proCalls = calls(under('/api/pro', { who: 'pro' }), { look: get('', 'lookPro', 'Looks.', { answer: one }) });
const other = map.get('a', 'b');`;
  expect(withoutServerParts(said)).toBe(`const thingCalls = calls('/api/things', {
  show: get('/:thingId', '', '', { answer: one }),
  drop: remove('/:thingId', '', ''),
  make: post('', '', '', {}),
  rules: get('/rules', '', '', { who: 'public', answer: rules }),
  pro: get('/pro', '', '', { answer: one }),
});
const openCalls = calls(under('/api/open', { who: 'public' }), {
  look: get('', '', '', { answer: one }),
});
const proCalls = calls(under('/api/pro', {}), { look: get('', '', '', { answer: one }) });
const other = map.get('a', 'b');`);
});
