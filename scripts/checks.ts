// `npm test`, `npm test -- lint types`, `npm run test:nightly`.
import { endOnSignals, endWithTotal, takeLanes } from './check-run.ts';
import { STEPS } from './check-steps.ts';

const named = process.argv.slice(2);
// Every program that a step starts inherits it.
if (named.includes('nightly')) process.env.TEST_EFFORT = 'nightly';
const steps = named.filter((name) => name !== 'nightly');
/** A quick answer while working: the quick checks, and the tests beside the changes. */
const asked = steps.includes('changed') ? [...steps, 'format', 'lint', 'types'] : steps;
const unknown = asked.filter((name) => !Object.hasOwn(STEPS, name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no step ${unknown.join(', ')}. Steps: ${Object.keys(STEPS).join(', ')}, and nightly\n`,
  );
  process.exit(1);
}

endOnSignals();
await takeLanes(asked);
endWithTotal();
