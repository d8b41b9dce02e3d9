import { z } from 'zod';
import { plainText } from './agents.ts';
import { instant, pageQuery, uuid } from './ids.ts';
import { whyFound } from './why-found.ts';

/** Who spoke the remembered words. Files follow with their own issue. */
export const memoryKind = z.enum(['person', 'agent', 'file']);
export type MemoryKind = z.infer<typeof memoryKind>;

/** One line of a receipt: what was really injected into a run. It never changes afterwards. */
export const memoryItem = z.object({
  id: z.string(),
  kind: memoryKind,
  text: z.string(),
  sessionId: z.string().optional(),
  fileId: z.string().optional(),
  /** Of a passage: the file's name when it was recalled, and where it stands in it. */
  fileName: z.string().optional(),
  place: z.string().optional(),
  timestamp: instant,
  /** Relevance, 0 to 1, comparable within one receipt only. */
  score: z.number(),
  /** The memory of the same person that replaced this one: both were given, the later one first. */
  supersededBy: z.string().optional(),
  /** True where it was given because it is pinned. */
  pinned: z.boolean().optional(),
  /** True where the person has forgotten it since; its text is gone here too. */
  forgotten: z.boolean().optional(),
});
export type MemoryItem = z.infer<typeof memoryItem>;

export const MEMORY_TEXT_MAX = 2_000;
export const PINNED_MAX = 20;

/** A memory as its owner manages it. */
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
  /** The exchange it came from, where that still is there. */
  taskId: z.string().optional(),
  fileId: z.string().optional(),
  /** Always among what its agent is given. */
  pinned: z.boolean(),
  /** True where a person changed its words. */
  edited: z.boolean(),
});
export type Memory = z.infer<typeof memory>;

export const memoriesQuery = pageQuery.extend({
  agentId: z.string().max(300).optional(),
  sessionId: uuid.optional(),
  kind: memoryKind.optional(),
  /** `1` for the pinned ones only. */
  pinned: z.literal('1').optional(),
  q: z.string().max(500).optional(),
});
export type MemoriesQuery = z.infer<typeof memoriesQuery>;

/** Changes a memory's words, or whether it is always given. */
export const memoryUpdate = z
  .strictObject({
    text: plainText(MEMORY_TEXT_MAX, 'A memory').refine((s) => s.trim() !== '', 'A memory needs some text.'),
    pinned: z.boolean(),
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Nothing to change was sent.');
export type MemoryUpdate = z.infer<typeof memoryUpdate>;

/** At most as many as one screen can select. */
export const memoriesForget = z.strictObject({ ids: z.array(uuid).min(1).max(500) });

export const memoryAnswer = z.object({ memory });
/** A memory in a list; `why` stands where something was searched for. */
export const listedMemory = memory.extend({ why: whyFound.optional() });
export type ListedMemory = z.infer<typeof listedMemory>;

export const memoriesAnswer = z.object({
  memories: z.array(listedMemory),
  nextCursor: z.string().nullable(),
  /** As in the search of everything; `none` where nothing was searched for. */
  meaning: z.enum(['done', 'late', 'none']),
});
export const forgottenAnswer = z.object({ forgotten: z.number().int() });

/** How far memories have got on their way to being found by meaning; null where nothing makes embeddings. */
export const memoryStatus = z.object({
  embedding: z.object({ model: z.string(), done: z.number().int(), total: z.number().int() }).nullable(),
});
