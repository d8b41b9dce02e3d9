import { z } from 'zod';
import { AGENT_LIMITS, agent, agentAnswer } from './agents.ts';
import { calls, create, get, post } from './calls.ts';
import { pageQuery } from './ids.ts';
import { shortText } from './names/names.ts';

/** Characters of a search by words. */
export const SEARCH_MAX = 200;

/** A public agent of another author that was public under a name that looks the same before. */
export const imitated = z.object({
  creatorId: z.string(),
  agentId: z.string(),
  name: z.string(),
});
export type Imitated = z.infer<typeof imitated>;

/** A public agent for every signed-in user: complete, with its author's display name and nothing else about them. */
export const publicAgent = agent.omit({ forkedFrom: true, unpublishedReason: true }).extend({
  creatorName: z.string(),
  /** What it might be mistaken for; null for nearly all. */
  imitates: imitated.nullable(),
  /** Whether the caller has favorited it. */
  favorited: z.boolean(),
});
export type PublicAgent = z.infer<typeof publicAgent>;

/**
 * Tags match exactly, in lower case; an empty one is ignored. Every word of `q` must stand in the name or description. `only` limits the
 * list to one agent, `creatorId/agentId`, so that an open page can update it without an error when it is gone.
 */
export const exploreQuery = pageQuery.extend({
  only: z.string().max(1_000).optional(),
  tag: z
    .string()
    .max(AGENT_LIMITS.tag, `A tag can have at most ${AGENT_LIMITS.tag} characters.`)
    .transform((tag) => tag.trim().toLowerCase())
    .optional(),
  q: z.string().trim().max(SEARCH_MAX, `A search can have at most ${SEARCH_MAX} characters.`).optional(),
  /** Most favorites first, or the newest. */
  sort: z.enum(['favorites', 'new']).default('favorites'),
});
export type ExploreQuery = z.infer<typeof exploreQuery>;

/** Why somebody reports a public agent. */
export const reportKind = z.enum(['spam', 'harmful', 'imitation', 'rights', 'other'], 'Choose a reason.');
export type ReportKind = z.infer<typeof reportKind>;

/** In characters. */
export const REPORT_MAX = 500;
export const reportBody = z.strictObject({
  kind: reportKind,
  /** What the operator should know. */
  words: shortText(REPORT_MAX, 'The explanation').default(''),
});
export type ReportBody = z.infer<typeof reportBody>;

export const publicAgentAnswer = z.object({ agent: publicAgent });
export const exploreAnswer = z.object({ agents: z.array(publicAgent), nextCursor: z.string().nullable() });
export type ExplorePage = z.infer<typeof exploreAnswer>;
export const publicTagsAnswer = z.object({ tags: z.array(z.string()) });

export const exploreCalls = calls('/api/explore', {
  list: get('', 'listPublicAgents', 'Public agents of everyone.', { query: exploreQuery, answer: exploreAnswer }),
  tags: get('/tags', 'listPublicTags', 'The most used tags of popular public agents.', { answer: publicTagsAnswer }),
  get: get('/:creatorId/:agentId', 'getPublicAgent', 'One public agent.', { answer: publicAgentAnswer }),
  copy: create('/:creatorId/:agentId/copy', 'copyAgent', 'Copies a public agent.', {
    rate: 'agents',
    answer: agentAnswer,
    fails: ['limit_reached', 'conflict'],
  }),
  report: post('/:creatorId/:agentId/report', 'reportAgent', 'Reports a public agent to the operator.', {
    body: reportBody,
    description: 'Once for each agent: a repetition changes nothing. Its author is not told who reported it.',
    fails: ['conflict'],
  }),
});
