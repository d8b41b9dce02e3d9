import { expect, it } from 'vitest';
import { makeTexts } from '../../../../bench/made-texts.ts';
import { CUE } from './cues.ts';
import { spanTold } from './memory-dates.ts';
import { readWord, wordsOf } from './memory-text.ts';
import { slotOf, tellsChange } from './statements.ts';
import { TRAIT, traitsOf } from './traits.ts';

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

it('a text in which something is found has a word that says it may be', () => {
  const texts = [...SAYINGS, ...makeTexts(3_000).map((text) => text.replace(/\d+$/, ''))];
  const found = { time: 0, number: 0, told: 0, change: 0, slot: 0 };
  for (const text of texts) {
    const cues = wordsOf(text).reduce((bits, word) => bits | readWord(word).cues, 0);
    const holds = {
      time: (traitsOf(text) & TRAIT.time) !== 0,
      number: (traitsOf(text) & TRAIT.number) !== 0,
      told: spanTold(text, 20_000) !== undefined,
      change: tellsChange(text),
      slot: slotOf(text) !== undefined,
    };
    for (const kind of ['time', 'number', 'told', 'change', 'slot'] as const) {
      if (!holds[kind]) continue;
      found[kind] += 1;
      expect([text, kind, (cues & CUE[kind]) !== 0]).toEqual([text, kind, true]);
    }
  }
  for (const count of Object.values(found)) expect(count).toBeGreaterThan(5);
});
