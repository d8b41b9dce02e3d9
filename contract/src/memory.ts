import { z } from 'zod';
import { instant } from './ids.ts';

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
  timestamp: instant,
  /** Relevance, 0 to 1, comparable within one receipt only. */
  score: z.number(),
  /** The memory of the same person that replaced this one: both were given, the later one first. */
  supersededBy: z.string().optional(),
});
export type MemoryItem = z.infer<typeof memoryItem>;
