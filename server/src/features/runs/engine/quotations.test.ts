import { expect, it } from 'vitest';
import type { RecalledItem } from '../../memory/memory.service.ts';
import { fitMemories, sizeOf } from './quotations.ts';

let count = 0;
function memory(kind: RecalledItem['kind'], text: string, more: Partial<RecalledItem> = {}): RecalledItem {
  count += 1;
  const place = { sessionId: 's1', sessionName: 'Trips', timestamp: '2026-05-01T10:00:00.000Z' };
  return { id: `m${count}`, kind, text, score: 0.5, quotesOthers: false, exchange: null, ...place, ...more };
}
const ROOM = { message: 'What is Nora allergic to?', exchanges: new Set(['here']), limit: 8, tokens: 1_000 };
const fit = (recalled: RecalledItem[], more: Partial<typeof ROOM> = {}) =>
  fitMemories(recalled, { ...ROOM, ...more }).map(({ text, inConversation }) => (inConversation ? `(${text})` : text));
const NORA = 'My sister Nora is allergic to peanuts.';
const here = { exchange: 'here' };

it('marks what an exchange of the conversation holds, and quotes the same words from elsewhere', () => {
  expect(fit([memory('person', NORA, here), memory('person', NORA, { exchange: 'there' })])).toEqual([
    NORA,
    `(${NORA})`,
  ]);
});
it('leaves out questions and answers that the conversation holds, and the message itself', () => {
  const held = [memory('person', 'Is Nora allergic?', here), memory('agent', 'Satay is made of peanuts.', here)];
  expect(fit([...held, memory('person', ROOM.message)])).toEqual([]);
});
it('prefers the person at equal scores', () => {
  const [answer, told] = [memory('agent', 'Satay is made of peanuts.'), memory('person', NORA)];
  expect(fit([answer, told])).toEqual([told.text, answer.text]);
});
it('quotes of a long answer the paragraphs that share a word with the message, and what introduces them', () => {
  const filler = 'The weather was mild and the trains were late again. '.repeat(4).trim();
  const [cook, nora, rice] = [
    '## What to cook',
    'For guests:',
    '- Nora is allergic to nuts of any kind.\n- Rice is fine.',
  ];
  expect(fit([memory('agent', [filler, cook, nora, rice, filler, filler].join('\n\n'))])).toEqual([
    ['…', cook, nora, rice, '…'].join('\n\n'),
  ]);
  const whole = ['Nora is here.', filler, filler].join('\n\n');
  expect(fit([memory('person', whole, { pinned: true }), memory('file', whole)])).toEqual([whole, whole]);
});
it('leaves out answers that say nothing', () => {
  expect(fit([memory('agent', 'I’m sorry, I don’t have any information about Nora. Ask her doctor.')])).toEqual([]);
  expect(fit([memory('agent', `*Trips: I help.*\n\nNoted: “${NORA}”\n\nAsk me about it later.`)])).toEqual([]);
  const inner =
    'Noted, Ada: “She said “no peanuts” twice.”\n\nMy memory is off, so I can quote it to you in this session only.';
  expect(fit([memory('agent', inner)])).toEqual([]);
  const more = 'Noted: “We leave on the ninth.” Your train to Porto leaves at 9:40 from platform 3.';
  expect(fit([memory('agent', more)])).toEqual([more]);
  const helps = 'I can’t book it for you, but the Azul has rooms.';
  expect(fit([memory('agent', helps)])).toEqual([helps]);
});
it('keeps the budget and the limit, pinned memories aside, and prefers what was told to what was asked', () => {
  const told = Array.from({ length: 20 }, (_, i) => memory('person', `On day ${i} Nora ate in restaurant ${i}.`));
  expect(fit(told)).toHaveLength(8);
  expect(fit([...told, memory('person', NORA, { pinned: true })])).toHaveLength(9);
  const pins = Array.from({ length: 4 }, (_, i) => memory('person', `Pin ${i}.`, { pinned: true, ...here }));
  expect(fit([...told, ...pins]).filter((text) => !text.startsWith('('))).toHaveLength(8);
  const long =
    `${'The weather was mild and the trains were late. '.repeat(18)}${NORA} ${'It rained. '.repeat(20)}`.trim();
  expect(fit([memory('person', long)], { tokens: 80 })).toEqual([`… ${NORA} …`]);
  const fitting = fitMemories(told, { ...ROOM, tokens: 70 });
  expect(fitting.length).toBeGreaterThan(0);
  expect(sizeOf(fitting)).toBeLessThanOrEqual(70);
  const asked = memory('person', 'Is Nora allergic to anything?', { score: 0.9 });
  expect(fit([asked, memory('person', NORA)], { limit: 1 })).toEqual([NORA]);
});
