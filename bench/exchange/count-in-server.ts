// Loaded before `server/src/main.ts`, which runs unchanged: counts what each request sends to the database, and answers the bench's
// questions about this process.
import { Server } from 'node:http';
import {
  type CountedWork,
  countInto,
  noteProviderAsked,
  nothingSent,
  watchEmbedded,
  watchPostgres,
} from '../../server/src/testing/wire-count.ts';
import { answerMeasures } from './measured-process.ts';

// Only the driver in use: loading the other would take memory that people don't need.
if (process.env.DATABASE_URL === undefined) watchEmbedded((await import('@electric-sql/pglite')).PGlite.prototype);
else {
  const { Connection, Pool } = (await import('pg')).default;
  watchPostgres(Connection.prototype, Pool.prototype);
}

/** What the requests of an exchange have sent since they were last asked for. */
let counted: { request: string; work: CountedWork }[] = [];

const emit = Server.prototype.emit;
Server.prototype.emit = function emitCounted(this: Server, event: string, ...args: unknown[]) {
  const [message] = args;
  const isRequest = event === 'request' && typeof message === 'object' && message !== null;
  if (!isRequest) return Reflect.apply(emit, this, [event, ...args]);
  const work = nothingSent();
  const request = `${Reflect.get(message, 'method')} ${Reflect.get(message, 'url')}`;
  if (/tasks$|events$/u.test(request)) counted.push({ request, work });
  return countInto(work, () => Reflect.apply(emit, this, [event, ...args]));
} as typeof emit;

const { fetch } = globalThis;
globalThis.fetch = (input, init) => {
  noteProviderAsked();
  return fetch(input, init);
};

answerMeasures(() => {
  const taken = counted;
  counted = [];
  return taken;
});
