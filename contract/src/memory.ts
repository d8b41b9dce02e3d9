import { z } from 'zod';
import { calls, get, patch, remove, under } from './calls.ts';
import { instant, pageQuery, uuid } from './ids.ts';
import { plainText } from './names/plain-text.ts';
import { whyFound } from './search/why-found.ts';

/** Who said the remembered words, or `file` for a passage. */
export const memoryKind = z.enum(['person', 'agent', 'file']);

/** One item of a receipt: what was really given to a run. Only forgetting changes it afterwards. */
export const memoryItem = z.object({
  id: z.string(),
  /** `fact`: a short statement of the person, distilled from what they said. */
  kind: z.enum([...memoryKind.options, 'fact']),
  /** The sentences that were given, as Markdown; “…” stands where others were left out. */
  text: z.string(),
  sessionId: z.string().optional(),
  /** The exchange that has the whole message. */
  taskId: z.string().optional(),
  fileId: z.string().optional(),
  /** For a passage: the file's name at that time, and the place in it. */
  fileName: z.string().optional(),
  place: z.string().optional(),
  timestamp: instant,
  /** Relevance, 0 to 1, comparable only within one receipt. */
  score: z.number(),
  /** The memory of the same person that replaced this one: both were given, the later one first. */
  supersededBy: z.string().optional(),
  /** True when it was given because it is pinned. */
  pinned: z.boolean().optional(),
  /** For a fact: whom or what it is about, and whether the person wrote its text. */
  about: z.string().optional(),
  corrected: z.boolean().optional(),
  /** True when the conversation that was given holds these words, so that they were not quoted once more. */
  inConversation: z.boolean().optional(),
  /** True when the person has forgotten it since; its text is removed here too. */
  forgotten: z.boolean().optional(),
});
export type MemoryItem = z.infer<typeof memoryItem>;

export const MEMORY_TEXT_MAX = 2_000;
export const PINNED_MAX = 20;

/** A memory, as its owner manages it. */
export const memory = z.object({
  id: z.string(),
  /** The agent's address. */
  agentId: z.string(),
  agentName: z.string(),
  kind: memoryKind,
  text: z.string(),
  timestamp: instant,
  sessionId: z.string().optional(),
  sessionName: z.string().optional(),
  /** The exchange it came from, if that still exists. */
  taskId: z.string().optional(),
  fileId: z.string().optional(),
  /** Always given to its agent. */
  pinned: z.boolean(),
  /** True when a person edited it. */
  edited: z.boolean(),
});
export type Memory = z.infer<typeof memory>;

export const memoriesQuery = pageQuery.extend({
  agentId: z.string().max(300).optional(),
  sessionId: uuid.optional(),
  kind: memoryKind.optional(),
  /** `1` for pinned ones only. */
  pinned: z.literal('1').optional(),
  q: z.string().max(500).optional(),
});
export type MemoriesQuery = z.infer<typeof memoriesQuery>;

/** Edits a memory, pins it or unpins it. */
export const memoryUpdate = z
  .strictObject({
    text: plainText(MEMORY_TEXT_MAX, 'A memory').refine((s) => s.trim() !== '', 'A memory needs some text.'),
    pinned: z.boolean(),
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Nothing to change was sent.');
export type MemoryUpdate = z.infer<typeof memoryUpdate>;

/** As many as one screen can select. */
export const memoriesForget = z.strictObject({ ids: z.array(uuid).min(1).max(500) });

export const memoryAnswer = z.object({ memory });
/** A memory in a list; `why` is set in search results. */
export const listedMemory = memory.extend({ why: whyFound.optional() });
export type ListedMemory = z.infer<typeof listedMemory>;

export const memoriesAnswer = z.object({
  memories: z.array(listedMemory),
  nextCursor: z.string().nullable(),
  /** As in the general search; `none` without a search. */
  meaning: z.enum(['done', 'late', 'none']),
});
export const memoriesExport = z.object({ memories: z.array(memory) });
export const forgottenAnswer = z.object({ forgotten: z.number().int() });

/** How many memories can be found by meaning; null without an embedding model. */
export const memoryStatus = z.object({
  embedding: z.object({ model: z.string(), done: z.number().int(), total: z.number().int() }).nullable(),
});

export const memoryCalls = calls(under('/api/memories', { who: 'pro' }), {
  list: get('', 'listMemories', 'What your agents remember.', {
    query: memoriesQuery,
    answer: memoriesAnswer,
    fails: ['not_found'],
  }),
  status: get('/status', 'getMemoryStatus', 'How many can be found by meaning.', { answer: memoryStatus }),
  export: get('/export', 'exportMemories', 'Memories as a file.', {
    query: memoriesQuery,
    answer: { type: 'application/json', download: true, content: memoriesExport },
    fails: ['not_found'],
  }),
  get: get('/:memoryId', 'getMemory', 'One memory.', { answer: memoryAnswer }),
  update: patch('/:memoryId', 'updateMemory', 'Corrects or pins a memory.', {
    body: memoryUpdate,
    answer: memoryAnswer,
    fails: ['conflict'],
  }),
  forget: remove('/:memoryId', 'forgetMemory', 'Forgets a memory.'),
  forgetMany: remove('', 'forgetMemories', 'Forgets memories.', { body: memoriesForget, answer: forgottenAnswer }),
});
