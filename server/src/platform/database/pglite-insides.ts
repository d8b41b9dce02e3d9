import { setFlagsFromString } from 'node:v8';
import type { PGlite } from '@electric-sql/pglite';
import { createLoopYield } from '../event-loop.ts';

// Everything private that we call or replace in PGlite, because it offers no other way. The tests beside this file (or those of
// durable-node-fs.ts) fail when a new version renames or bypasses it.

/**
 * Lets the event loop turn between statements. PGlite works on the main thread and starts the next queued statement as soon as one ends:
 * two thousand requests at once would be answered before any other connection is read.
 */
export function giveTurns(pglite: PGlite): void {
  const exclusively = pglite._runExclusiveQuery.bind(pglite);
  const breathe = createLoopYield();
  pglite._runExclusiveQuery = (work) =>
    exclusively(async () => {
      await breathe();
      return work();
    });
}

/** Lets each statement and transaction of a caller end only when `log` is flushed, also one that fails or only reads: it may have seen a commit. */
export function waitAfterEach(pglite: PGlite, log: { isPending(): boolean; done(): Promise<void> }): void {
  const exclusively = pglite._runExclusiveTransaction.bind(pglite);
  pglite._runExclusiveTransaction = async (work) => {
    try {
      return await exclusively(work);
    } finally {
      // Outside of PGlite's lock, so that others go on and share the next flush.
      if (log.isPending()) await log.done();
    }
  };
}

/** Runs like PGlite's own statements: neither inside another caller's transaction nor between the messages of another statement. */
export const runAlone = <T>(pglite: PGlite, work: () => Promise<T>): Promise<T> =>
  pglite._runExclusiveTransaction(() => pglite._runExclusiveQuery(work));

/** Emscripten's exit status when PostgreSQL jumps back to its main loop after an ordinary error. */
const LONGJMP = 100;

/** The two calls with which PGlite drives PostgreSQL. */
interface MainLoop {
  _PostgresMainLoopOnce(): void;
  stackRestore(pointer: number): void;
}

/**
 * PGlite swallows every error of the main loop and calls it again until the message is read. When PostgreSQL has stopped (a PANIC, for
 * example because the disk has no room for its log), that never happens and the thread would spin forever. Here the failed statement still
 * gets its answer, and later ones reject at once.
 */
export function endWithPostgres(pglite: PGlite, onFailure: (error: unknown) => void): void {
  const loop = (pglite as unknown as { mod: MainLoop }).mod;
  const once = loop._PostgresMainLoopOnce;
  const refuse = () => {
    throw Object.assign(new Error('The embedded database has stopped.'), { code: '57P02' });
  };
  loop._PostgresMainLoopOnce = () => {
    try {
      once();
    } catch (error) {
      if (!(typeof error === 'object' && error !== null && 'status' in error && error.status === LONGJMP)) {
        // PGlite calls this where it swallows the error; only an error thrown here leaves its loop.
        loop._PostgresMainLoopOnce = () => {
          loop.stackRestore = refuse;
          refuse();
        };
        onFailure(error);
      }
      throw error;
    }
  };
}

/** What of PostgreSQL's module `keepParserUnoptimized` needs. */
interface PostgresExports {
  __stack_pointer: { value: number };
  scanner_init(text: number, ...rest: number[]): number;
  raw_parser(text: number, mode: number): number;
}

type Instantiated = (instance: { exports: object }, module: object) => void;
interface EmscriptenOptions {
  instantiateWasm?: (imports: object, done: Instantiated) => unknown;
}
interface FileSystem {
  init(pglite: PGlite, options: EmscriptenOptions): Promise<unknown>;
}

/** An address that no WASM memory reaches, so that whatever reads it ends at once. */
const NOWHERE = 0xffff_fff0;

/**
 * Keeps V8 from optimizing PostgreSQL's parser, which takes it 600 MB and more than a second of a core in each process. Statements are
 * parsed once and then kept, so the parser's speed hardly matters. Whether a function counts its calls until it is optimized is decided when
 * it is first compiled; here that happens with a flag that lets no function count.
 */
function keepParserUnoptimized({ scanner_init, raw_parser, __stack_pointer }: PostgresExports): void {
  const top = __stack_pointer.value;
  const compile = (call: () => number) => {
    try {
      call();
    } catch (error) {
      if (!(error instanceof Error && error.name === 'RuntimeError')) throw error;
    }
    __stack_pointer.value = top;
  };
  // The parser calls the scanner first, which shall be optimized as usual.
  compile(() => scanner_init(NOWHERE, 0, 0, 0));
  setFlagsFromString('--wasm-tier-up-filter=0');
  compile(() => raw_parser(NOWHERE, 0));
  setFlagsFromString('--wasm-tier-up-filter=-1');
}

/** The same file system for PGlite, whose database then takes 400 MB less memory while it starts. */
export function withSmallParser<F extends object>(fileSystem: F): F {
  const inner = fileSystem as F & FileSystem;
  const init = inner.init.bind(inner);
  inner.init = (pglite, options) => {
    const { instantiateWasm } = options;
    if (instantiateWasm === undefined) throw new Error('PGlite no longer passes on how it instantiates its module');
    return init(pglite, {
      ...options,
      instantiateWasm: (imports, done) =>
        instantiateWasm(imports, (instance, module) => {
          keepParserUnoptimized(instance.exports as PostgresExports);
          done(instance, module);
        }),
    });
  };
  return fileSystem;
}
