import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { countInto, nothingSent, watchEmbedded, watchPostgres } from './wire-count.ts';

// Both drivers, because a test doesn't know which database it runs on. Outside of `countStatements` nothing is counted.
watchEmbedded(PGlite.prototype);
watchPostgres(pg.Connection.prototype, pg.Pool.prototype);

/**
 * Counts what a piece of work sends to the database, and everything that it starts: a request, and the run that outlives it. `counted` goes
 * on until that ends.
 */
export async function countStatements<T>(work: () => Promise<T>, counted = nothingSent()) {
  return { value: await countInto(counted, work), counted };
}
