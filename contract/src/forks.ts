import { z } from 'zod';
import { agentAnswer, agentSettings, forkedFrom } from './agents.ts';
import { calls, get, post } from './calls.ts';
import { instant } from './ids.ts';

/** Tools are not among them: nothing that an author changes turns a tool on in a copy. */
export const forkField = agentSettings.omit({ tools: true }).keyof();
export type ForkField = z.infer<typeof forkField>;

const setting = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

/** One field that the original's author changed after the copy was made. */
export const upstreamChange = z.object({
  field: forkField,
  /** What stands in the copy now. */
  yours: setting,
  /** What stands in the original now. */
  theirs: setting,
});
export type UpstreamChange = z.infer<typeof upstreamChange>;

/**
 * How a copy stands to its original: `none` is no copy; `gone` the original is deleted or no longer public;
 * `same` nothing new in it; `changed` has `changes`, as of `seen`.
 */
export const upstream = z.object({
  state: z.enum(['none', 'gone', 'same', 'changed']),
  forkedFrom: forkedFrom.nullable(),
  creatorName: z.string().nullable(),
  changes: z.array(upstreamChange),
  /** Tools that the original uses since; the owner of the copy turns on what they trust. */
  addsTools: z.array(z.string()),
  /** The state of the original that `changes` describes; taking over names it. */
  seen: instant.nullable(),
});
export type Upstream = z.infer<typeof upstream>;
export const upstreamAnswer = z.object({ upstream });

/** Takes over the named fields as they were seen; the others count as looked at and stay. */
export const upstreamTake = z.strictObject({ seen: instant, fields: z.array(forkField).max(20) });
export type UpstreamTake = z.infer<typeof upstreamTake>;

export const forkCalls = calls('/api/agents/:agentId/upstream', {
  get: get('', 'getUpstream', 'A copy and its original.', { answer: upstreamAnswer }),
  take: post('', 'takeUpstream', 'Takes changes over from the original.', {
    body: upstreamTake,
    answer: agentAnswer,
    fails: ['conflict'],
  }),
});
