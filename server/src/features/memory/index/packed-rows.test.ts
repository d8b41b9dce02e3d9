import { expect, it } from 'vitest';
import { FIELD_END, lastPosition, ROW_END, unpackRows } from './packed-rows.ts';

const [FIELD, ROW] = [FIELD_END, ROW_END].map((code) => String.fromCharCode(code));
const pack = (...rows: (string | number)[][]) => rows.map((row) => row.join(FIELD)).join(ROW);

const vector = new Int8Array([-127, 0, 5]);
const PACKED = pack(
  [
    'a',
    3,
    's',
    'person',
    'Ada',
    1_767_225_600_000,
    'false',
    Buffer.from(vector).toString('base64'),
    'Größe 猫 🦊\n“x”',
  ],
  ['b', 12, 's', 'agent', '', 0, 'true', '', ''],
);

it('reads rows as they were packed', () => {
  const { vector: read, ...first } = unpackRows(PACKED)[0] ?? {};
  expect(first).toEqual({
    id: 'a',
    sessionId: 's',
    kind: 'person',
    speaker: 'Ada',
    at: 1_767_225_600_000,
    forgotten: false,
    text: 'Größe 猫 🦊\n“x”',
  });
  expect(read).toEqual(vector);
  expect(unpackRows(PACKED)[1]).toEqual({
    id: 'b',
    sessionId: 's',
    kind: 'agent',
    speaker: null,
    at: 0,
    forgotten: true,
    text: '',
  });
  expect(unpackRows('')).toEqual([]);
  expect(() => unpackRows(pack(['a', 3, 's']))).toThrow('3 fields');
});

it('tells where they end', () => {
  expect(lastPosition(PACKED)).toEqual({ id: 'b', version: 12 });
});
