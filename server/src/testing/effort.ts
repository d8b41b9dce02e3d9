/** `npm run test:nightly` sets it: every size, both databases for every test, both widths of the journeys. */
export const isNightly = process.env.TEST_EFFORT === 'nightly';

/** The size of a test: the first for each change, the second for the night. The short one still covers each kind. */
export const effort = <Size>(short: Size, nightly: Size): Size => (isNightly ? nightly : short);

/** Picks each nth of the values, another share at each call, so that each value has its turn; at night all of them. */
export function shareOf(n: number): <Value>(values: Iterable<Value>) => Value[] {
  let turn = 0;
  return (values) => {
    turn += 1;
    return [...values].filter((_, at) => isNightly || (at + turn) % n === 0);
  };
}
