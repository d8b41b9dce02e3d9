import { z } from 'zod';
import { calls, get, post, under } from '../calls.ts';
import { imitated, reportKind, SEARCH_MAX } from '../explore.ts';
import { instant, pageQuery } from '../ids.ts';
import { actBody, optionalActBody } from './audit.ts';

/** A report that nobody has decided about. */
export const openReport = z.object({
  at: instant,
  kind: reportKind,
  words: z.string(),
  by: z.object({ id: z.string(), email: z.string() }),
});

/** A public agent as an operator sees it, with its author and what was reported. */
export const libraryAgent = z.object({
  creatorId: z.string(),
  agentId: z.string(),
  name: z.string(),
  creatorName: z.string(),
  creatorEmail: z.string(),
  /** Why its author may not publish any more; null where they may. */
  publishingBlocked: z.string().nullable(),
  favoriteCount: z.number().int(),
  imitates: imitated.nullable(),
  /** How many have reported it and wait for a decision; the latest of them follow. */
  reportCount: z.number().int(),
  reports: z.array(openReport),
});
export type LibraryAgent = z.infer<typeof libraryAgent>;

export const libraryQuery = pageQuery.extend({
  /** Words of the name, or of the author’s name or email. Without any, those that were reported, most reports first. */
  search: z.string().trim().max(SEARCH_MAX, `A search can have at most ${SEARCH_MAX} characters.`).default(''),
});
export type LibraryQuery = z.infer<typeof libraryQuery>;
export const libraryAnswer = z.object({ agents: z.array(libraryAgent), nextCursor: z.string().nullable() });

export const libraryCalls = calls(under('/api/admin/library', { who: 'operator' }), {
  list: get('', 'listLibrary', 'Public agents: those that were reported, or those that are looked for.', {
    rate: 'searches',
    query: libraryQuery,
    answer: libraryAnswer,
  }),
  dismiss: post('/:creatorId/:agentId/dismiss', 'dismissReports', 'Closes the reports of an agent that stays public.', {
    body: optionalActBody,
    fails: ['conflict'],
  }),
  unpublish: post('/:creatorId/:agentId/unpublish', 'unpublishAgent', 'Makes an agent private; its author reads why.', {
    body: actBody,
  }),
});
