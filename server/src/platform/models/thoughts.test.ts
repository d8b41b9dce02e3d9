import { expect, it } from 'vitest';
import { ThoughtReader } from './thoughts.ts';

/** Reads a text in pieces of a length. */
function read(text: string, size: number) {
  const reader = new ThoughtReader();
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  );
  const said = { thought: '', delta: '' };
  for (const piece of [...pieces.flatMap((part) => reader.read(part)), ...reader.end()]) said[piece.type] += piece.text;
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
];

it.each(TEXTS)('tells thinking from answer in %j, however it is cut', (text, thought, delta) => {
  for (const size of [1, 2, 3, 5, 1_000]) expect(read(text, size)).toEqual({ thought, delta });
});
