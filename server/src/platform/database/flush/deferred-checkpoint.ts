import { closeSync, openSync, writeSync } from 'node:fs';
import type { DeferredFlush } from './deferred-flush.ts';

/** Names of the log's segments: timeline, then position. */
const SEGMENT = /^[0-9A-F]{24}$/u;

/**
 * A checkpoint whose tables are flushed beside other work. The control file, which says where recovery begins, is held back until they are on the
 * disk. Recovery begins at the checkpoint before meanwhile, so the log since that one stays.
 */
export class DeferredCheckpoint {
  readonly #log: DeferredFlush;
  readonly #tables: DeferredFlush;
  /** While the statement runs: the first segment that recovery needs as long as the control file is the old one. */
  #oldest: string | undefined;
  #control: { path: string; descriptor: number; content: Uint8Array } | undefined;

  constructor(log: DeferredFlush, tables: DeferredFlush) {
    this.#log = log;
    this.#tables = tables;
  }

  /** Whether the statement of such a checkpoint runs. Nothing else may run meanwhile. */
  get isRunning(): boolean {
    return this.#oldest !== undefined;
  }

  /** Whether the control file is held back. */
  get isHeld(): boolean {
    return this.#control !== undefined;
  }

  /** Runs `statement`, a checkpoint, while `oldest` is the first segment that the control file on the disk needs. `finish` makes it count. */
  async run(oldest: string, statement: () => Promise<unknown>): Promise<void> {
    this.#oldest = oldest;
    try {
      await statement();
    } finally {
      this.#oldest = undefined;
    }
  }

  /** Flushes beside other work what the checkpoint has written, then lets it count. */
  async finish(): Promise<void> {
    await Promise.all([this.#log.done(), this.#tables.done()]);
    this.#writeControl();
    await this.#tables.done();
  }

  /** The same at once, on this thread. */
  now(): void {
    this.#log.now();
    this.#tables.now();
    this.#writeControl();
    this.#tables.now();
  }

  /** Holds back what is to be written into the control file; false if the process has no descriptor left for it. */
  hold(path: string, content: Uint8Array): boolean {
    try {
      if (this.#control !== undefined) closeSync(this.#control.descriptor);
      this.#control = undefined;
      this.#control = { path, descriptor: openSync(path, 'r+'), content: content.slice() };
      return true;
    } catch {
      return false;
    }
  }

  /** The names of a list of the log that a checkpoint may remove or use again. */
  removable(names: string[]): string[] {
    const oldest = this.#oldest?.slice(8);
    return oldest === undefined ? names : names.filter((name) => !SEGMENT.test(name) || name.slice(8) < oldest);
  }

  #writeControl(): void {
    if (this.#control === undefined) return;
    const { path, descriptor, content } = this.#control;
    this.#control = undefined;
    try {
      writeSync(descriptor, content, 0, content.length, 0);
      this.#tables.add(path, descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
}
