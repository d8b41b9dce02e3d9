import type { Archive } from './archive/archive.ts';
import type { RowKind } from './archive/read-rows.ts';
import type { Progress } from './import-progress.service.ts';
import { linkBranches } from './rows/import-branches.queries.ts';
import { importExchanges } from './rows/import-exchanges.queries.ts';
import { importFacts, linkFacts } from './rows/import-facts.queries.ts';
import { importMemories } from './rows/import-memories.queries.ts';
import { importPrompts } from './rows/import-prompts.queries.ts';
import type { Destination, Importer } from './rows/import-rows.queries.ts';
import { importSessions } from './rows/import-sessions.queries.ts';
import { importSummaries } from './rows/import-summaries.queries.ts';

const SESSIONS_LEFT =
  'Free accounts are limited to 3 sessions, so others were left out. With Pro, import the archive again to add them.';

const IMPORTERS: Record<RowKind, Importer> = {
  sessions: importSessions,
  exchanges: importExchanges,
  summaries: importSummaries,
  memories: importMemories,
  facts: importFacts,
  prompts: importPrompts,
};

/** What connects the rows of a part, once all of them are here. */
const LINKS: Partial<Record<RowKind, { rows: RowKind | 'branches'; importer: Importer }>> = {
  exchanges: { rows: 'branches', importer: linkBranches },
  facts: { rows: 'facts', importer: linkFacts },
};

/** Carries the rows of one kind over, a portion at a time, and then connects them. */
export async function importPart(kind: RowKind, to: Destination, archive: Archive, progress: Progress) {
  let skip = progress.row.rowsDone;
  for await (const portion of archive.rows(kind)) {
    const rows = portion.slice(skip);
    skip = Math.max(0, skip - portion.length);
    if (rows.length === 0) continue;
    const { overLimit } = await progress.step(kind, rows.length, (tx) => IMPORTERS[kind](tx, to, rows));
    if (overLimit) await progress.step(kind, 0, async () => ({ imported: 0, present: 0, left: 0 }), [SESSIONS_LEFT]);
  }
  const link = LINKS[kind];
  // A second import that brings nothing new leaves the paths that were chosen since.
  if (link === undefined || progress.row.counts.find((count) => count.kind === kind)?.imported === 0) return;
  for await (const rows of archive.rows(link.rows)) await progress.step(kind, 0, (tx) => link.importer(tx, to, rows));
}
