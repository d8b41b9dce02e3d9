import { closeSync, fdatasyncSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../testing/lifetimes.ts';
import { DeferredFlush } from './deferred-flush.ts';
import { type Flusher, startFlusher } from './flusher.ts';

const { folder } = temporaryFolder('log');
const path = join(folder, 'segment');
writeFileSync(path, 'log');
const descriptor = openSync(path, 'r+');
afterAll(() => closeSync(descriptor));

/** A flusher whose flush ends when told. */
function heldFlusher() {
  const ends: (() => void)[] = [];
  const flush = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  return { flusher: { flush, end: vi.fn() } satisfies Flusher, ends };
}

const openFiles = () => readdirSync('/proc/self/fd').length;

test.runIf(process.platform === 'linux')('descriptors are closed again, whichever thread flushed', async () => {
  const before = openFiles();
  const { flusher, ends } = heldFlusher();
  const log = new DeferredFlush(flusher, fdatasyncSync, () => {});
  log.add(path, descriptor);
  const done = log.done();
  log.add(path, descriptor);
  log.now();
  expect(log.isPending()).toBe(false);
  ends[0]?.();
  await done;
  log.add(path, descriptor);
  await log.close();
  expect(openFiles()).toBe(before);
  expect(flusher.end).toHaveBeenCalled();
});

test('without a descriptor to spare the file is flushed on this thread', async () => {
  const file = vi.fn();
  const log = new DeferredFlush(heldFlusher().flusher, file, () => {});
  log.add(join(folder, 'missing'), descriptor);
  expect(file).toHaveBeenCalledExactlyOnceWith(descriptor);
  expect(log.isPending()).toBe(false);
  await log.done();
});

test('closing waits for the flush that is under way, which is no failure', async () => {
  const onFailure = vi.fn();
  const log = new DeferredFlush(startFlusher(), fdatasyncSync, onFailure);
  log.add(path, descriptor);
  const done = log.done();
  await log.close();
  await done;
  expect(onFailure).not.toHaveBeenCalled();
});

test('a failed flush is told once, and everything later is refused, here and beside', async () => {
  const onFailure = vi.fn();
  const fails = { flush: async () => Promise.reject(new Error('no disk')), end: () => {} };
  const log = new DeferredFlush(fails, fdatasyncSync, onFailure);
  log.add(path, descriptor);
  await expect(log.done()).rejects.toThrow('could not fsync: no disk');
  expect(onFailure).toHaveBeenCalledExactlyOnceWith(new Error('no disk'));
  const stopped = { code: '57P02' };
  await expect(log.done()).rejects.toMatchObject(stopped);
  expect(() => log.now()).toThrow(expect.objectContaining(stopped));
  expect(() => log.add(path, descriptor)).toThrow(expect.objectContaining(stopped));
  expect(log.isPending()).toBe(true);
});

test('a thread that has ended refuses instead of leaving somebody waiting', async () => {
  const flusher = startFlusher();
  flusher.end();
  await expect(flusher.flush([descriptor])).rejects.toThrow('the thread that flushes has ended');
  await expect(flusher.flush([descriptor])).rejects.toThrow('the thread that flushes has ended');
});

test('what the disk refused comes with its code', async () => {
  const flusher = startFlusher();
  await expect(flusher.flush([999_999])).rejects.toMatchObject({ code: 'EBADF' });
  await flusher.flush([descriptor]);
  flusher.end();
});
