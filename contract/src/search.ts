import { z } from 'zod';
import { instant } from './ids.ts';
import { memory } from './memory.ts';
import { whyFound } from './why-found.ts';

export const searchQuery = z.object({
  q: z.string().trim().min(1, 'Type something to search for.').max(200, 'A search can have at most 200 characters.'),
  /** Results of each kind. */
  limit: z.coerce.number().int().min(1).max(20).default(6),
});
export type SearchQuery = z.infer<typeof searchQuery>;

/** The part of a text that fits, cut into what was found and what stands around it. */
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
/** A passage of a file; `agentId` is the address of the agent that has it, `place` where it stands: “page 3”. */
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
export const foundPublicAgent = foundAgent.extend({ creatorId: z.string(), creatorName: z.string() });

/** What was found, by kind: what has all the words first, then what has related ones, then what is near in meaning alone. */
export const searchAnswer = z.object({
  sessions: z.array(foundSession),
  tasks: z.array(foundTask),
  memories: z.array(foundMemory),
  files: z.array(foundFile),
  agents: z.array(foundAgent),
  publicAgents: z.array(foundPublicAgent),
  /** Whether meaning was searched too: `none` where nothing makes embeddings, `late` where they did not come in time. */
  meaning: z.enum(['done', 'late', 'none']),
});
export type SearchAnswer = z.infer<typeof searchAnswer>;
