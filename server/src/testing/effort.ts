/** `npm run test:nightly` sets it: every size, both databases for every test, both widths of the journeys. */
export const isNightly = process.env.TEST_EFFORT === 'nightly';

/** The size of a test: the first for each change, the second for the night. The short one still covers each kind. */
export const effort = <Size>(short: Size, nightly: Size): Size => (isNightly ? nightly : short);
