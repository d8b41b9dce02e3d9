import { expect, it } from 'vitest';
import { makeTexts } from '../../../../bench/made-texts.ts';
import { TRAIT, traitsOf } from '../../features/memory/index/traits.ts';
import { CUE } from './cues.ts';
import { findSpan } from './dates.ts';
import { tellsChange } from './facts/statement.ts';
import { slotOf } from './slots.ts';
import { readWords } from './words.ts';

const SAYINGS = [
  'I quit smoking',
  'We don’t eat meat any more',
  'I don’t drink any more',
  'The exam was called off',
  'In sept. we sail',
  'The other day I slept',
  'From now on I am vegan',
  'I got divorced',
  'we have lived in Rome',
  'it happened three weeks back',
  'On the 3rd',
  'My number is 5',
  'It went up',
  'They corrected it',
  'I gave up tea',
];

const cuesIn = (text: string) => readWords(text).reduce((bits, word) => bits | word.cues, 0);

it.each([
  ['We met in 2019', 'time', true],
  ['On the 3rd we sail', 'time', true],
  ['Next week it is', 'time', true],
  ['It cost 12345', 'time', false],
  ['All the weeks I waited', 'time', false],
  ['It cost 12345', 'number', true],
  ['Half of them came', 'number', true],
  ['Some of them came', 'number', false],
] as const)('“%s”: %s is told: %s', (text, kind, told) => {
  expect((traitsOf(text, cuesIn(text)) & TRAIT[kind]) !== 0).toBe(told);
});

it('a text in which something is found has a word that says it may be', () => {
  const texts = [...SAYINGS, ...makeTexts(3_000).map((text) => text.replace(/\d+$/, ''))];
  const found = { earlier: 0, change: 0, slot: 0 };
  for (const text of texts) {
    const cues = cuesIn(text);
    const holds = {
      earlier: findSpan(text, 20_000) !== undefined,
      change: tellsChange(text),
      slot: slotOf(text) !== undefined,
    };
    for (const kind of ['earlier', 'change', 'slot'] as const) {
      if (!holds[kind]) continue;
      found[kind] += 1;
      expect([text, kind, (cues & CUE[kind]) !== 0]).toEqual([text, kind, true]);
    }
  }
  for (const count of Object.values(found)) expect(count).toBeGreaterThan(5);
});
