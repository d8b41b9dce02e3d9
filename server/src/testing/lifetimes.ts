import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

// What lives as long as a test file: its tests come later, and what began last ends first.

/** Waits until it has begun, and ends it after the file's tests. */
export async function closing<T extends { close(): unknown } | { stop(): unknown }>(begun: T | Promise<T>): Promise<T> {
  const thing = await begun;
  afterAll(() => ('close' in thing ? thing.close() : thing.stop()));
  return thing;
}

/** A folder that is removed after the file's tests; each call of `fresh` is a path in it that nothing has. */
export function temporaryFolder(name: string) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `atelier-${name}-`)));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let names = 0;
  return { folder, fresh: (of: string) => join(folder, `${of}-${(names += 1)}`) };
}
