import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import type { Models } from '../platform/models/models.ts';
import {
  type CountedWork,
  countInto,
  noteProviderAsked,
  nothingSent,
  watchEmbedded,
  watchPostgres,
} from './wire-count.ts';

// Both drivers, because a test doesn't know which database it runs on. Outside of `countStatements` nothing is counted.
watchEmbedded(PGlite.prototype);
watchPostgres(pg.Connection.prototype, pg.Pool.prototype);

/**
 * Counts what a piece of work sends to the database, and everything that it starts: a request, and the run that outlives it. The counts go
 * on until that ends.
 */
export async function countStatements<T>(work: () => Promise<T>): Promise<{ value: T; counted: CountedWork }> {
  const counted = nothingSent();
  return { value: await countInto(counted, work), counted };
}

/** The same models; asking them for an answer ends what is counted as `beforeProvider`. */
export const countingModels = (models: Models): Models => ({
  ...models,
  stream: (input) => {
    noteProviderAsked();
    return models.stream(input);
  },
});
