import { expect, it } from 'vitest';
import type { PastExchange } from './exchanges.ts';
import { exchangeRows } from './past-rows.ts';

it('computes an exchange’s id once, however many follow it', () => {
  let computed = 0;
  const said = { input: 'Hello', answer: null, at: 0, answeredAt: 0, model: '', onPath: true };
  const first: PastExchange = {
    ...said,
    parent: null,
    get key() {
      computed += 1;
      return 'first';
    },
  };
  const following = Array.from({ length: 50 }, (_, n): PastExchange => ({ ...said, key: `${n}`, parent: first }));
  const session = '5c0a8d7e-5a0f-4f0e-9b57-0d7a7e3c6b1d';
  const [begun, ...rest] = [...exchangeRows('librechat', session, [first, ...following])];
  expect(computed).toBe(1);
  expect(begun?.branch.parentId).toBe(session);
  expect(new Set(rest.map(({ branch }) => branch.parentId))).toEqual(new Set([begun?.exchange.id]));
});
