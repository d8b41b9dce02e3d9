import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';

/** What was sent to the database for one piece of work. */
export interface Sent {
  statements: number;
  /** How often an answer had to be awaited: statements that are sent together are one. */
  roundTrips: number;
}

/** Carried by the work and by everything that it starts, such as a run that outlives its request; polling and timers have none. */
const works = new AsyncLocalStorage<Sent>();

/** Runs `work` so that everything sent for it is added to `counted`. */
export const countInto = <T>(counted: Sent, work: () => T): T => works.run(counted, work);

export const nothingSent = (): Sent => ({ statements: 0, roundTrips: 0 });

/** Everything that this process has sent, for any work. */
export const everything = nothingSent();

function add({ statements = 0, roundTrips = 0 }: Partial<Sent>): void {
  for (const counted of [everything, works.getStore()]) {
    if (counted === undefined) continue;
    counted.statements += statements;
    counted.roundTrips += roundTrips;
  }
}

/** A simple query holds one statement or several, and waits once. */
const addScript = (text: string) =>
  add({ statements: text.split(';').filter((part) => part.trim() !== '').length, roundTrips: 1 });

/** Calls `note` before each call of a method. */
function before(prototype: object, method: string, note: (argument: unknown) => void): void {
  const original: unknown = Reflect.get(prototype, method);
  if (typeof original !== 'function') throw new Error(`the database driver has no ${method} any more`);
  Reflect.set(prototype, method, function counted(this: unknown, ...args: unknown[]) {
    note(args[0]);
    return original.apply(this, args);
  });
}

/** Counts on every connection of the PostgreSQL driver; takes the prototypes of its `Connection` and its `Pool`. */
export function watchPostgres(connection: object, pool: object): void {
  keepWorkOfWaiting(pool);
  before(connection, 'query', (text) => addScript(String(text)));
  before(connection, 'execute', () => add({ statements: 1 }));
  before(connection, 'sync', () => add({ roundTrips: 1 }));
}

/** A pool serves who waits from whatever work returns a connection; each statement counts for the work that waited. */
function keepWorkOfWaiting(pool: object): void {
  const connect: unknown = Reflect.get(pool, 'connect');
  if (typeof connect !== 'function') throw new Error('the database driver has no pool any more');
  Reflect.set(pool, 'connect', function connectForItsWork(this: unknown, done?: (...args: unknown[]) => void) {
    return connect.call(this, done === undefined ? undefined : AsyncResource.bind(done));
  });
}

/** Counts on every embedded database; takes the prototype of `PGlite`. */
export function watchEmbedded(pglite: object): void {
  // After a simple query PGlite sends a sync that nothing needs.
  let isSynced = true;
  before(pglite, 'execProtocolRawSync', (bytes) => {
    for (const { letter, text } of readMessages(Buffer.from(bytes as Uint8Array))) {
      if (letter === 'Q') addScript(text());
      if (letter === 'E') add({ statements: 1 });
      if (letter === 'S' && !isSynced) add({ roundTrips: 1 });
      isSynced = letter === 'Q' || letter === 'S';
    }
  });
}

/** What a client sends, as PostgreSQL's protocol has it: a letter, the length, the content. */
function* readMessages(bytes: Buffer) {
  // The message that opens a connection has no letter.
  if (bytes[0] === 0) return;
  for (let at = 0; at + 5 <= bytes.length; ) {
    const [from, next] = [at + 5, at + 1 + bytes.readInt32BE(at + 1)];
    yield { letter: String.fromCharCode(bytes[at] ?? 0), text: () => bytes.toString('utf8', from, next - 1) };
    at = next;
  }
}
