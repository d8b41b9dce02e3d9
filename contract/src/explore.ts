import { z } from 'zod';
import { AGENT_LIMITS, agent, agentAnswer } from './agents.ts';
import { calls, create, get } from './calls.ts';
import { pageQuery } from './ids.ts';

/** A public agent for every signed-in user: complete, with its author's display name and nothing else about them. */
export const publicAgent = agent.omit({ forkedFrom: true }).extend({
  creatorName: z.string(),
  /** Whether the caller has favorited it. */
  favorited: z.boolean(),
});
export type PublicAgent = z.infer<typeof publicAgent>;

/**
 * Tags match exactly, in lower case; an empty one is ignored. `only` limits the list to one agent, `creatorId/agentId`, so that an open
 * page can update it without an error when it is gone.
 */
export const exploreQuery = pageQuery.extend({
  only: z.string().max(1_000).optional(),
  tag: z
    .string()
    .max(AGENT_LIMITS.tag, `A tag can have at most ${AGENT_LIMITS.tag} characters.`)
    .transform((tag) => tag.trim().toLowerCase())
    .optional(),
});
export type ExploreQuery = z.infer<typeof exploreQuery>;

export const publicAgentAnswer = z.object({ agent: publicAgent });
export const exploreAnswer = z.object({ agents: z.array(publicAgent), nextCursor: z.string().nullable() });
export type ExplorePage = z.infer<typeof exploreAnswer>;

export const exploreCalls = calls('/api/explore', {
  list: get('', 'listPublicAgents', 'Public agents of everyone.', { query: exploreQuery, answer: exploreAnswer }),
  get: get('/:creatorId/:agentId', 'getPublicAgent', 'One public agent.', { answer: publicAgentAnswer }),
  copy: create('/:creatorId/:agentId/copy', 'copyAgent', 'Copies a public agent.', {
    rate: 'agents',
    answer: agentAnswer,
    fails: ['conflict'],
  }),
});
