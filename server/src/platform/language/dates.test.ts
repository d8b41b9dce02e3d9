import { describe, expect, it } from 'vitest';
import { datesNamed, dayOf, findSpan, spansOf } from './dates.ts';

const day = (text: string) => dayOf(Date.parse(`${text}T12:00:00Z`));
const span = (from: string, to = from) => ({ from: day(from), to: day(to) });
// A Friday.
const SAID = day('2026-05-08');

describe('the days that a text tells of', () => {
  it.each([
    ['I saw her yesterday', span('2026-05-07')],
    ['We leave tomorrow', span('2026-05-09')],
    ['It broke last Tuesday', span('2026-05-05')],
    ['It broke last Friday', span('2026-05-01')],
    ['The exam is next Monday', span('2026-05-11')],
    ['I moved in two weeks ago', span('2026-04-21', '2026-04-27')],
    ['On 3 June we fly', span('2026-06-03')],
    ['The 28th of December was cold', span('2025-12-28')],
    ['It was on May 4th, 2024', span('2024-05-04')],
    ['We met in March', span('2026-03-01', '2026-03-31')],
  ])('%s', (text, told) => expect(findSpan(text, SAID)).toEqual(told));
  it.each(['The boat is red', 'I may come', 'March on!', '', '99/99/99'])('are none in %j', (text) =>
    expect(findSpan(text, SAID)).toBeUndefined(),
  );
});

describe('the dates that a question names', () => {
  it('are days where it names a day, else months', () => {
    expect(datesNamed('What did I buy on 7 July, 2025?')).toEqual([{ year: 2025, month: 6, day: 7 }]);
    expect(datesNamed('What happened in September 2025 and in May?')).toEqual([
      { year: 2025, month: 8, day: undefined },
    ]);
    expect(datesNamed('What may I do?')).toEqual([]);
  });
  it('stand for every year in which something was said, where none is named', () => {
    const named = { year: undefined, month: 1, day: undefined };
    expect(spansOf(named, span('2024-02-01', '2025-06-01'))).toEqual([
      span('2024-02-01', '2024-02-29'),
      span('2025-02-01', '2025-02-28'),
    ]);
    expect(spansOf({ ...named, year: 2020 }, span('2024-02-01'))).toEqual([span('2020-02-01', '2020-02-29')]);
  });
});
