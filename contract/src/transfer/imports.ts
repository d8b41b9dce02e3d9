import { z } from 'zod';
import { calls, create, get, post, remove, upload } from '../calls.ts';
import { instant } from '../ids.ts';

export const ACCOUNT_ARCHIVE_FORMAT = 'atelier.account';
export const ACCOUNT_ARCHIVE_VERSION = 1;

/** `archive` is the file itself; `words` all its JSON files unpacked. In bytes. */
export const IMPORT_LIMITS = { archive: 1536 * 1024 * 1024, words: 512 * 1024 * 1024, entries: 20_000 } as const;

export const IMPORT_SENTENCES = {
  tooLarge: 'An archive can have at most 1.5 GB.',
  notOurs: 'This is not an account archive of Atelier.',
  damaged: 'This archive is damaged or incomplete. Export it once more and try again.',
  version: 'This archive was made by a newer version. Update this server first.',
  tooMuch: 'This archive holds more than this server takes in one import.',
  running: 'An import is still running. Wait for it to end, or stop it first.',
  interrupted: 'The import was interrupted. What the list shows is here; go on to bring over the rest.',
} as const;

/** The parts of an account that move, in the order in which they do, as people read them. */
export const IMPORT_KINDS = {
  agents: 'Agents',
  sessions: 'Sessions',
  exchanges: 'Messages and answers',
  summaries: 'Summaries of long sessions',
  memories: 'Memories',
  facts: 'Facts about you',
  files: 'Files',
  prompts: 'Saved prompts',
  attachments: 'Pictures and files of messages',
} as const;
export type ImportKind = keyof typeof IMPORT_KINDS;
export const importKind = z.enum(Object.keys(IMPORT_KINDS) as [ImportKind, ...ImportKind[]]);

/** `found` in the archive; of these `imported`, `present` here before, or `left` out. The rest is still to come. */
export const importCount = z.object({
  kind: importKind,
  found: z.number().int(),
  imported: z.number().int(),
  present: z.number().int(),
  left: z.number().int(),
});
export type ImportCount = z.infer<typeof importCount>;

/** `ready`: shown to the person, nothing imported yet. `stopped` and `failed` can go on. `undone`: what it brought is deleted again. */
export const importState = z.enum(['ready', 'running', 'done', 'stopped', 'failed', 'undone']);

/** Programs whose exports become sessions. */
export const pastProgram = z.enum(['chatgpt', 'claude', 'librechat', 'open-webui']);
export type PastProgram = z.infer<typeof pastProgram>;

/** An archive on its way into the account: first the preview, then the progress, then the report. */
export const accountImport = z.object({
  id: z.string(),
  state: importState,
  fileName: z.string(),
  /** For an export of another program: which one. */
  program: pastProgram.optional(),
  /** When the archive was made, and the names of the first agents in it. */
  madeAt: instant,
  agentNames: z.array(z.string()),
  counts: z.array(importCount),
  /** What was changed or left out, in sentences. */
  notes: z.array(z.string()),
  /** For `failed`: why. */
  error: z.string().optional(),
  createdAt: instant,
  finishedAt: instant.nullable(),
});
export type AccountImport = z.infer<typeof accountImport>;

export const accountImportAnswer = z.object({ import: accountImport });
/** The latest one, if there is any. */
export const latestImportAnswer = z.object({ import: accountImport.nullable() });

/** The first file of an archive. */
export const archiveManifest = z.object({
  format: z.literal(ACCOUNT_ARCHIVE_FORMAT),
  version: z.number().int(),
  madeAt: instant,
});

export const importCalls = calls('/api/imports', {
  latest: get('', 'getLatestImport', 'The latest import of an account.', { answer: latestImportAnswer }),
  upload: create('', 'uploadArchive', 'Takes an archive and says what is in it.', {
    rate: 'imports',
    place: 'imports',
    body: upload,
    answer: accountImportAnswer,
    fails: ['conflict'],
  }),
  start: post('/:importId/start', 'startImport', 'Begins, or goes on.', {
    answer: accountImportAnswer,
    status: 202,
    fails: ['conflict'],
  }),
  stop: post('/:importId/stop', 'stopImport', 'Stops; what came stays.', { answer: accountImportAnswer }),
  discard: remove('/:importId', 'discardImport', 'Deletes an archive and its report.', { fails: ['conflict'] }),
});
