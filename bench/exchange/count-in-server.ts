// Loaded before `server/src/main.ts`, which runs unchanged: counts what is sent to the database, and tells the bench when it asks.
import { everything, watchEmbedded, watchPostgres } from '../../server/src/testing/wire-count.ts';

// Only the driver in use: loading the other would take memory that people don't need.
if (process.env.DATABASE_URL === undefined) watchEmbedded((await import('@electric-sql/pglite')).PGlite.prototype);
else {
  const { Connection, Pool } = (await import('pg')).default;
  watchPostgres(Connection.prototype, Pool.prototype);
}
process.on('message', () => process.send?.(everything.statements));
// Listening must not keep the process alive.
process.channel?.unref();
