// How long a page of explore takes among many public agents, through the product's own routes, compared with its floor in the same run: the
// bare rows of such a page by their keys.
//   node scripts/run.mjs bench/explore.ts [--sizes 1000,10000,100000] [--rounds 200] [--postgres] [--json]
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { createExploreServer } from './explore-server.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000' },
    rounds: { type: 'string', default: '200' },
    postgres: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const ROUNDS = Number(values.rounds);
const LIMIT = 50;

/** The 95th percentile in milliseconds, after a warm-up. */
async function p95(run: () => Promise<unknown>): Promise<number> {
  for (let i = 0; i < 100; i += 1) await run();
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i += 1) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS * 0.95)] ?? Number.NaN;
}

const server = await createExploreServer({ postgres: values.postgres });
const measured: Record<string, number>[] = [];
try {
  for (const size of values.sizes.split(',').map(Number)) {
    await server.fill(size);
    const deep = await server.cursorAt(Math.floor(size * 0.8));
    const keys = await server.firstKeys(LIMIT);
    measured.push({
      agents: size,
      floor: await p95(() => server.rowsByKey(keys)),
      first: await p95(() => server.page(`?limit=${LIMIT}`)),
      deep: await p95(() => server.page(`?limit=${LIMIT}&cursor=${deep}`)),
      commonTag: await p95(() => server.page(`?limit=${LIMIT}&tag=common`)),
      rareTag: await p95(() => server.page(`?limit=${LIMIT}&tag=rare`)),
      favorite: await p95(() => server.toggleFavorite()),
    });
  }
} finally {
  await server.close();
}

const [smallest] = measured;
console.log(
  `explore, ${server.kind}: p95 of ${ROUNDS} in ms, pages of ${LIMIT}; in brackets × the same at the smallest size`,
);
console.table(
  measured.map((row) => {
    const cells = Object.entries(row).map(([name, ms]) => {
      if (name === 'agents') return [name, ms];
      return [name, `${ms.toFixed(1)} (×${(ms / (smallest?.[name] ?? Number.NaN)).toFixed(2)})`];
    });
    return { ...Object.fromEntries(cells), 'first / floor': ((row.first ?? 0) / (row.floor ?? 0)).toFixed(2) };
  }),
);
if (values.json) console.log(JSON.stringify(measured));
