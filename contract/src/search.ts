import { z } from 'zod';
import { calls, get } from './calls.ts';
import { imitated } from './explore.ts';
import { instant } from './ids.ts';
import { memory } from './memory.ts';
import { whyFound } from './search/why-found.ts';

export const searchQuery = z.object({
  q: z.string().trim().min(1, 'Type something to search for.').max(200, 'A search can have at most 200 characters.'),
  /** Results of each kind. */
  limit: z.coerce.number().int().min(1).max(20).default(6),
});
export type SearchQuery = z.infer<typeof searchQuery>;

/** The matching part of a text, split into hits and the text around them. */
export const passage = z.array(z.object({ text: z.string(), hit: z.boolean() }));
export type Passage = z.infer<typeof passage>;

export const foundSession = z.object({
  id: z.string(),
  name: z.string(),
  agentName: z.string(),
  createdAt: instant,
  why: whyFound,
});
export const foundTask = z.object({
  id: z.string(),
  sessionId: z.string(),
  sessionName: z.string(),
  agentName: z.string(),
  timestamp: instant,
  passage,
  why: whyFound,
});
export const foundMemory = memory.extend({ passage, why: whyFound });
/** A passage of a file; `agentId` is its agent's address, `place` where it is: “page 3”. */
export const foundFile = z.object({
  id: z.string(),
  fileId: z.string(),
  fileName: z.string(),
  place: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  passage,
  why: whyFound,
});
export const foundAgent = z.object({ id: z.string(), name: z.string(), passage, why: whyFound });
export const foundPublicAgent = foundAgent.extend({
  creatorId: z.string(),
  creatorName: z.string(),
  /** As in Explore. */
  imitates: imitated.nullable(),
});

/** Results by kind: texts with all the words first, then related words, then those near in meaning only. */
export const searchAnswer = z.object({
  sessions: z.array(foundSession),
  tasks: z.array(foundTask),
  memories: z.array(foundMemory),
  files: z.array(foundFile),
  agents: z.array(foundAgent),
  publicAgents: z.array(foundPublicAgent),
  /** Whether meaning was searched too: `none` without an embedding model, `late` when the embedding did not arrive in time. */
  meaning: z.enum(['done', 'late', 'none']),
});
export type SearchAnswer = z.infer<typeof searchAnswer>;

export const searchCalls = calls('/api/search', {
  search: get('', 'search', 'Searches everything of yours.', {
    who: 'pro',
    rate: 'searches',
    query: searchQuery,
    answer: searchAnswer,
  }),
});
