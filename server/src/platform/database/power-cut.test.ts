import { randomBytes } from 'node:crypto';
import { fstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fillDataFolder } from '../../testing/database.ts';
import { effort } from '../../testing/effort.ts';
import { type DurablePglite, NO_SYNC, openDurablePglite } from './durable-node-fs.ts';

const [CUTS, WRITERS, ROWS] = [2, 6, 250_000];
/** Each has a folder of its own: one that grew with every cut would be copied to memory as often. */
const ROUNDS = Array.from({ length: effort(1, 10) }, (_, round) => round);

/** A disk that surely has of each file only what was last flushed; names are there at once. */
function forgetfulDisk(folder: string) {
  const kept = new Map<number, Buffer>();
  const files = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files()) kept.set(statSync(file).ino, readFileSync(file));
  const keep = (descriptor: number) => {
    const stat = fstatSync(descriptor);
    if (stat.isFile()) kept.set(stat.ino, readFileSync(`/proc/self/fd/${descriptor}`));
  };
  let patience = 0;
  const flush = async (descriptors: number[]) => {
    for (const descriptor of descriptors) {
      patience = (patience + 7) % 20;
      await pause(patience);
      keep(descriptor);
    }
  };
  return {
    sync: { file: keep, directory: () => {}, startFlusher: () => ({ flush, end: () => {} }) },
    /** What is on the disk now. */
    cut: () =>
      files().map((file) => {
        // This one may be there early: it says where recovery begins, and must never be ahead.
        const isEarly = file.endsWith('pg_control');
        return [file, isEarly ? readFileSync(file) : (kept.get(statSync(file).ino) ?? Buffer.alloc(0))] as const;
      }),
  };
}

/** Writes until it is over; `acknowledged` are the numbers of rows whose insertion has resolved. */
async function write(pglite: DurablePglite, writer: number, acknowledged: Set<number>, isOver: () => boolean) {
  for (let id = writer; !isOver(); id += WRITERS) {
    await pglite.query('insert into notes values ($1, $2)', [
      id,
      randomBytes(id % 5 === 0 ? 90_000 : 300).toString('hex'),
    ]);
    acknowledged.add(id);
    await pglite.query('update counts set rows = rows + 1 where writer = $1', [writer]);
  }
}

test.runIf(process.platform === 'linux').for(ROUNDS)(
  'nothing acknowledged is lost when the power fails beside a checkpoint, round %i',
  async (round) => {
    const root = mkdtempSync(join(tmpdir(), 'atelier-power-'));
    fillDataFolder(root);
    const folder = join(root, 'db');
    const disk = forgetfulDisk(folder);
    const pglite = await openDurablePglite(folder, disk.sync);
    await pglite.exec(`create table notes (id int primary key, text text); create table long (text text); create table counts (writer int primary key, rows int);
    insert into counts select i, 0 from generate_series(1, ${WRITERS}) i; checkpoint`);
    const acknowledged = new Set<number>();
    let isOver = false;
    const writers = Array.from({ length: WRITERS }, (_, i) => write(pglite, i + 1, acknowledged, () => isOver));
    const cuts: { files: ReturnType<typeof disk.cut>; ids: number[] }[] = [];
    for (let at = 0; at < CUTS; at += 1) {
      // More log than a segment, and more pages than PostgreSQL's own cache.
      await pglite.exec(
        `insert into long select md5(random()::text || i) || md5(i::text) from generate_series(1, ${ROWS}) i`,
      );
      const first = pglite.checkpoint();
      await pglite.query('insert into long select md5(i::text) from generate_series(1, $1) i', [ROWS]);
      const second = pglite.checkpoint();
      // Before the tables are flushed and while they are.
      await pause((round * CUTS + at) * 60);
      cuts.push({ files: disk.cut(), ids: [...acknowledged] });
      await Promise.all([first, second]);
    }
    isOver = true;
    await Promise.all(writers);
    await pglite.close();
    for (const { files, ids } of cuts) {
      const cut = mkdtempSync(join(root, 'cut-'));
      for (const [file, content] of files) {
        const path = join(cut, relative(folder, file));
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, content);
      }
      // Empty ones too.
      for (const place of readdirSync(folder, { recursive: true, withFileTypes: true }))
        if (place.isDirectory())
          mkdirSync(join(cut, relative(folder, place.parentPath), place.name), { recursive: true });
      const again = await openDurablePglite(cut, NO_SYNC);
      const { rows } = await again.query<{ id: number }>('select id from notes');
      expect((await again.query(`select count(*)::int % ${ROWS} as rest from long`)).rows).toEqual([{ rest: 0 }]);
      const there = new Set(rows.map(({ id }) => id));
      expect(ids.filter((id) => !there.has(id))).toEqual([]);
      await again.close();
    }
    rmSync(root, { recursive: true });
  },
);
