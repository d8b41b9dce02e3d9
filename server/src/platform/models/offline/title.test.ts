import { describe, expect, it } from 'vitest';
import { offlineTitle } from './title.ts';

describe('a title says the matter', () => {
  it.each([
    ['Hi! Please remember that my daughter Nora is allergic to peanuts, she’s six', 'Nora, allergic to peanuts'],
    ['can you help me write a cover letter for a nursing job?', 'Cover letter for a nursing job'],
    ['Hi there! Can you tell me about the ferry to Skye?', 'Ferry to Skye'],
    ['My sister is allergic to peanuts.', 'Sister: allergic to peanuts'],
    ['My favourite colour is teal.', 'Favourite colour: teal'],
    ['What is 12.5 * 8?', 'What is 12.5 * 8'],
    ['Should I learn C++ or Rust first?', 'Should I learn C++ or Rust first'],
    ['Our AT&T bill is wrong, what can I do?', 'AT&T bill: wrong'],
    ['**Important**: _please_ fix my snake_case code', 'Important: please fix my snake_case code'],
    ['<b>**Plan**</b> [a trip](http://x)', 'Plan a trip'],
    ['Frame ![this map](http://x/y.png)', 'Frame this map'],
    ['Summarise https://en.wikipedia.org/wiki/Cat?x=1#y please', 'Summarise en.wikipedia.org'],
    ['https://www.example.com/some/long/path', 'example.com'],
    ['请总结https://www.example.com/long/path，重点是价格', '请总结example.com，重点是价格'],
    ['```python\ndef add(a, b):\n  return a + b\n```\nWhy does this function fail?', 'Why does this function fail'],
    ['```js\nconst x = 1;\n```', 'Const x = 1'],
    ['2+2=?', '2+2='],
    ['hello', 'Hello'],
    ['نیم\u200Cفاصله 👩\u200D🚀', 'نیم\u200Cفاصله 👩\u200D🚀'],
    ['party\u202E id\u{E0061}eas', 'Party ideas'],
    ['🎂 party ideas', '🎂 party ideas'],
    ['¿Puedes ayudarme a escribir una carta de presentación?', '¿Puedes ayudarme a escribir una carta'],
    [
      'Can someone help me fix this?\nThe pond pump of our garden\nleaks at night.',
      'Pond pump of our garden leaks at night',
    ],
    ['I met R.F. Kuang yesterday.', 'I met R.F. Kuang yesterday'],
  ])('%j becomes %j', (message, title) => {
    expect(offlineTitle(message)).toBe(title);
  });

  it.each(['', '   \n\n ', '?!', '👋', '**', 'x', ' '.repeat(32_000)])('%j has none of its own', (message) => {
    expect(offlineTitle(message)).toBe('New conversation');
  });
});

describe('a long message', () => {
  const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
  const LONG = [
    'word '.repeat(100),
    'a'.repeat(32_000),
    '🧳'.repeat(16_000),
    'I am trying to set up a small garden on our balcony, which faces north, and would like to know what grows there.',
    'Could you please explain how the new rules for part-time employees affect holidays and sick leave in our office?',
    '明日の東京の天気と、おすすめのレストランと、それから美術館の開館時間と入場料について詳しく教えていただけますか',
    'ข้อความภาษาไทยที่ยาวมากโดยไม่มีช่องว่างระหว่างคำและต้องถูกตัดที่ขอบของคำเท่านั้นไม่ใช่กลางคำ',
    `${'e\u0301'.repeat(100)} accents`,
    '(((((((('.repeat(4_000),
    `${'"quoted '.repeat(400)}`,
  ];

  it.each(LONG)('has a title of at most 40 characters: %.20s', (message) => {
    const title = offlineTitle(message);
    expect([...graphemes.segment(title)].length).toBeLessThanOrEqual(40);
    expect(title).not.toMatch(/[\s,;:(–—-]$|[\uD800-\uDBFF]$/);
    expect(title.trim()).not.toBe('');
  });

  it('is cut between words, and no particle is left at the end', () => {
    for (const message of LONG.slice(3, 5)) {
      const title = offlineTitle(message);
      expect(` ${message.toLowerCase()}`).toContain(` ${title.toLowerCase()}`);
      expect(message[message.toLowerCase().indexOf(title.toLowerCase()) + title.length]).toMatch(/[\s,.?]/);
      expect(title).not.toMatch(/ (?:a|an|the|of|to|in|for|and|or|with|on|our|my)$/);
    }
  });
});
