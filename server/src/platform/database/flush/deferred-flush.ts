import { closeSync, openSync } from 'node:fs';
import type { Flusher } from './flusher.ts';

/** Descriptors of our own, because PostgreSQL closes its files when it likes; two, because each hears of a failed write only once. */
interface OpenFile {
  beside: number;
  here: number;
}

function openBoth(path: string, isDirectory: boolean): OpenFile {
  // For writing, without which Windows flushes nothing.
  const flags = isDirectory ? 'r' : 'r+';
  const beside = openSync(path, flags);
  try {
    return { beside, here: openSync(path, flags) };
  } catch (error) {
    closeSync(beside);
    throw error;
  }
}

function closeAll(files: Iterable<OpenFile>): void {
  for (const { beside, here } of files) {
    closeSync(beside);
    closeSync(here);
  }
}

/**
 * Files that PostgreSQL has asked to flush and takes as flushed. They are flushed beside other work, once for all who wait meanwhile. `file`
 * flushes a file on this thread; `onFailure` is called once, when the disk refuses.
 */
export class DeferredFlush {
  readonly #flusher: Flusher;
  readonly #file: (descriptor: number) => void;
  readonly #onFailure: (error: unknown) => void;
  #added = 0;
  #flushed = 0;
  #next = new Map<string, OpenFile>();
  #current: OpenFile[] = [];
  #running: Promise<void> | undefined;
  #failure: unknown;

  constructor(flusher: Flusher, file: (descriptor: number) => void, onFailure: (error: unknown) => void) {
    this.#flusher = flusher;
    this.#file = file;
    this.#onFailure = onFailure;
  }

  /** Notes that a file, open in PostgreSQL as `descriptor`, or a directory without one is to be flushed. Throws once a flush has failed. */
  add(path: string, descriptor: number | undefined): void {
    this.#requireDisk();
    this.#added += 1;
    if (this.#next.has(path)) return;
    try {
      this.#next.set(path, openBoth(path, descriptor === undefined));
    } catch (error) {
      // The process has no descriptor left, which is no failure of the disk.
      if (descriptor === undefined) throw error;
      this.#flushHere(descriptor);
    }
  }

  /** Flushes what was added, on this thread: before a change elsewhere that may reach the disk only after its log. */
  now(): void {
    this.#requireDisk();
    if (this.#flushed < this.#added) this.#flushHere();
  }

  /** Whether something that was added is not on the disk yet, or never will be. */
  isPending(): boolean {
    return this.#flushed < this.#added || this.#failure !== undefined;
  }

  /** Waits until what was added before is on the disk. Rejects when the disk refused, then and ever after. */
  async done(): Promise<void> {
    this.#requireDisk();
    const mine = this.#added;
    while (this.#flushed < mine) {
      this.#running ??= this.#run();
      await this.#running;
    }
  }

  /** Flushes the rest and lets the other thread go. */
  async close(): Promise<void> {
    try {
      if (this.#flushed < this.#added && this.#failure === undefined) this.#flushHere();
      await this.#running;
    } finally {
      closeAll(this.#next.values());
      this.#next = new Map();
      this.#flusher.end();
    }
  }

  #fail(error: unknown): never {
    if (this.#failure === undefined) this.#onFailure(error);
    this.#failure ??= error;
    throw new Error(`could not fsync: ${error instanceof Error ? error.message : String(error)}`);
  }

  #requireDisk(): void {
    if (this.#failure === undefined) return;
    throw Object.assign(new Error('The embedded database has stopped.', { cause: this.#failure }), { code: '57P02' });
  }

  /** All that was added, and one more. */
  #flushHere(...more: number[]): void {
    try {
      // What the other thread is flushing may not be on the disk yet.
      for (const { here } of [...this.#current, ...this.#next.values()]) this.#file(here);
      for (const descriptor of more) this.#file(descriptor);
      closeAll(this.#next.values());
    } catch (error) {
      this.#fail(error);
    }
    this.#next = new Map();
    this.#flushed = this.#added;
  }

  async #run(): Promise<void> {
    const upTo = this.#added;
    this.#current = [...this.#next.values()];
    this.#next = new Map();
    try {
      await this.#flusher.flush(this.#current.map(({ beside }) => beside));
      this.#flushed = Math.max(this.#flushed, upTo);
    } catch (error) {
      this.#fail(error);
    } finally {
      const files = this.#current;
      this.#current = [];
      this.#running = undefined;
      closeAll(files);
    }
  }
}
