import { expect, it } from 'vitest';
import { type Piece, ThoughtReader } from './thoughts.ts';

/** Reads a text in pieces of a length. */
function read(text: string, size: number, reader = new ThoughtReader()) {
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  );
  const said = { thought: '', delta: '' };
  for (const piece of [...pieces.flatMap((part): Piece[] => reader.read(part)), ...reader.end()]) {
    if (piece.type !== 'rethought') said[piece.type] += piece.text;
    else {
      const at = said.delta.length - piece.chars;
      Object.assign(said, { thought: said.thought + said.delta.slice(at), delta: said.delta.slice(0, at) });
    }
  }
  return said;
}

const TEXTS: [text: string, thought: string, answer: string][] = [
  ['Hello.', '', 'Hello.'],
  ['<think>Hm, a < b.</think>\n\nHello.', 'Hm, a < b.', 'Hello.'],
  ['\n <THINK></th</think>Hello </think> you.', '</th', 'Hello </think> you.'],
  ['<think></think>Hello.', '', 'Hello.'],
  ['<thin ice>', '', '<thin ice>'],
  ['<thi', '', '<thi'],
  ['A <think>x</think> in the middle.', '', 'A <think>x</think> in the middle.'],
  ['<think>It never ends', 'It never ends', ''],
  ['<think>Only this</think>  ', 'Only this', ''],
  // Other tags, and several thoughts before the answer.
  ['<Thinking>Hm.</THINKING>Hello.', 'Hm.', 'Hello.'],
  ['<reasoning>Hm </think>.</reasoning> Hello.', 'Hm </think>.', 'Hello.'],
  ['<thought>Hm.</thought>Hello.', 'Hm.', 'Hello.'],
  ['[THINK]Hm.[/THINK]Hello.', 'Hm.', 'Hello.'],
  ['◁think▷Hm.◁/think▷Hello.', 'Hm.', 'Hello.'],
  ['<think>One.</think>\n<think>Two.</think>\nHello.', 'One.Two.', 'Hello.'],
  // Only the end: the template has opened the thought.
  ['Hm, a < b.\n</think>\n\nHello.', 'Hm, a < b.\n', 'Hello.'],
  ['Hm.</Thinking>Hello </think> you.', 'Hm.', 'Hello </think> you.'],
  ['</think>\n\nHello.', '', 'Hello.'],
  ['Hello.</think>\n', '', 'Hello.'],
  // Code stays code.
  ['Write `</think>` at its end.', '', 'Write `</think>` at its end.'],
  ['So:\n```html\nx</think>y\n```\nDone.', '', 'So:\n```html\nx</think>y\n```\nDone.'],
  ['`<think>` opens, </think> closes.', '', '`<think>` opens, </think> closes.'],
  ['Hm, `code`\n```\nx\n```\n</think>Hello.', 'Hm, `code`\n```\nx\n```\n', 'Hello.'],
];

it.each(TEXTS)('tells thinking from answer in %j, however it is cut', (text, thought, delta) => {
  for (const size of [1, 2, 3, 5, 1_000]) expect(read(text, size)).toEqual({ thought, delta });
});

it('knows a model that begins inside of a thought from its second answer on, until it begins otherwise', () => {
  const habit = { beginsInside: false };
  const first = (text: string) => new ThoughtReader(habit).read(text).map(({ type }) => type);
  expect(first('Hm.</think>Hello.')).toEqual(['delta', 'rethought', 'delta']);
  expect(first('Hm.</think>Hello.')).toEqual(['thought', 'delta']);
  expect(read('Hello.', 2, new ThoughtReader(habit))).toEqual({ thought: 'Hello.', delta: 'Hello.' });
  expect(first('Hello.')).toEqual(['delta']);
});

it('takes an end within an answer for words where the provider tells thinking apart', () => {
  const reader = new ThoughtReader();
  reader.toldApart();
  expect(read('</think>Hello </think> you.', 3, reader)).toEqual({ thought: '', delta: 'Hello </think> you.' });
  const other = new ThoughtReader();
  other.toldApart();
  expect(read('Hello </think> you.', 3, other)).toEqual({ thought: '', delta: 'Hello </think> you.' });
});
