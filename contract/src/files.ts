import { z } from 'zod';
import { instant } from './ids.ts';

export const FILE_LIMITS = { bytes: 10 * 1024 * 1024, bytesPerUser: 1024 * 1024 * 1024, name: 255 } as const;

/** The supported types, by file extension. */
export const FILE_TYPES = {
  txt: { kind: 'plain', type: 'text/plain' },
  log: { kind: 'plain', type: 'text/plain' },
  md: { kind: 'markdown', type: 'text/markdown' },
  markdown: { kind: 'markdown', type: 'text/markdown' },
  csv: { kind: 'csv', type: 'text/csv' },
  json: { kind: 'json', type: 'application/json' },
  html: { kind: 'html', type: 'text/html' },
  htm: { kind: 'html', type: 'text/html' },
  pdf: { kind: 'pdf', type: 'application/pdf' },
  docx: { kind: 'docx', type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' },
} as const;

export const FILE_SENTENCES = {
  tooLarge: 'A file can have at most 10 MB.',
  unsupported: 'Only text, Markdown, CSV, JSON, HTML, PDF and Word (docx) files can be read.',
  empty: 'This file is empty.',
  full: 'Your files have reached 1 GB, the limit for one account. Delete some first.',
} as const;

/** A file's type by its name; undefined for unsupported ones. */
export function fileTypeOf(name: string) {
  const extension = name.split('.').at(-1)?.toLowerCase() ?? '';
  return Object.entries(FILE_TYPES).find(([known]) => known === extension)?.[1];
}

/** `uploading`: its bytes are being stored; `reading`: its text is being extracted; `failed`: `error` says why. */
export const fileState = z.enum(['uploading', 'reading', 'ready', 'failed']);

export const agentFileEntry = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  /** Its download address. */
  url: z.string(),
  uploadedAt: instant,
  /** In bytes. */
  size: z.number().int(),
  state: fileState,
  error: z.string().optional(),
  /** For `ready`: what was kept, if not the whole file. */
  note: z.string().optional(),
});
export type AgentFileEntry = z.infer<typeof agentFileEntry>;

export const fileAnswer = z.object({ file: agentFileEntry });
export const filesAnswer = z.object({ files: z.array(agentFileEntry), nextCursor: z.string().nullable() });

/** The text of a file as the agent sees it, in order. */
export const passagesAnswer = z.object({
  file: agentFileEntry,
  passages: z.array(z.object({ id: z.string(), place: z.string(), text: z.string() })),
});
