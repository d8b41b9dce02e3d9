import { z } from 'zod';
import { UNNAMED_AGENT } from './agents.ts';
import { calls, create, download, get, ONCE, patch, post } from './calls.ts';
import { instant, pageQuery, uuid } from './ids.ts';
import { cleanName, nameText } from './names/names.ts';

export const SESSION_NAME_MAX = 200;
/** As many sessions as one call changes, deletes or restores. */
export const SESSIONS_AT_ONCE = 500;

/** A session's name until a person or the model gives it another. */
export const defaultSessionName = (agentName: string) => `Session: ${cleanName(agentName) || UNNAMED_AGENT}`;

const sessionName = nameText(SESSION_NAME_MAX, 'The session name', 'A session needs a name.');

export const sessionCreate = z.strictObject({
  /** The agent's address (slug), not its hidden key. */
  agentId: z
    .string('You must select an agent to start a session.')
    .min(1, 'You must select an agent to start a session.')
    .max(200),
  name: sessionName.optional(),
});
export type SessionCreate = z.infer<typeof sessionCreate>;

const changes = {
  name: sessionName.optional(),
  pinned: z.boolean().optional(),
  archived: z.boolean().optional(),
  /** Null takes it out of its folder. */
  folderId: uuid.nullable().optional(),
};
const hasChange = ({ name, pinned, archived, folderId }: Partial<Record<keyof typeof changes, unknown>>) =>
  [name, pinned, archived, folderId].some((value) => value !== undefined);
const NOTHING_ASKED = 'Say what to change: name, pinned, archived or folderId.';

export const sessionUpdate = z.strictObject(changes).refine(hasChange, NOTHING_ASKED);
export type SessionUpdate = z.infer<typeof sessionUpdate>;

const ids = z
  .array(uuid)
  .min(1, 'Select at least one session.')
  .max(SESSIONS_AT_ONCE, `One call can change at most ${SESSIONS_AT_ONCE} sessions.`);

/** Several sessions at once; with several, a name is followed by a number, in the order of `ids`. */
export const sessionsUpdate = z.strictObject({ ids, ...changes }).refine(hasChange, NOTHING_ASKED);
export const sessionsPick = z.strictObject({ ids });

/** Without filters: every session that is not archived. */
export const sessionsQuery = pageQuery.extend({
  /** The agent's address; also of a deleted one. */
  agentId: z.string().min(1).max(200).optional(),
  archived: z.enum(['true', 'false']).optional(),
  /** A folder's id, or `none` for what is in no folder. */
  folderId: z.union([z.literal('none'), uuid], 'The folder is an id, or “none”.').optional(),
  /** This one only, archived or not; an empty list when it is gone. */
  sessionId: uuid.optional(),
});
export type SessionsQuery = z.infer<typeof sessionsQuery>;

export const session = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: instant,
  /** The agent's address; its last one if the agent was deleted. */
  agentId: z.string(),
  agentName: z.string(),
  agentDeleted: z.boolean(),
  /** Listed first. */
  pinned: z.boolean(),
  /** Out of the list, but readable, searched and counted like any other. */
  archived: z.boolean(),
  folderId: z.string().nullable(),
});
export type Session = z.infer<typeof session>;

export const sessionAnswer = z.object({ session });
/** Pinned ones first, each part newest first. */
export const sessionsAnswer = z.object({ sessions: z.array(session), nextCursor: z.string().nullable() });
/** What a call for several found and changed: sessions that are gone meanwhile are left out. */
export const changedSessionsAnswer = z.object({ sessions: z.array(session) });
export const deletedSessionsAnswer = z.object({ deleted: z.array(z.string()) });

export const SESSION_EXPORT_FORMAT = 'atelier.session';
export const sessionExportQuery = z.object({
  format: z.enum(['md', 'json'], 'The format is “md” or “json”.').default('md'),
});
export type SessionExportFormat = z.infer<typeof sessionExportQuery>['format'];

export const sessionCalls = calls('/api/sessions', {
  list: get('', 'listSessions', 'Your sessions.', { query: sessionsQuery, answer: sessionsAnswer }),
  create: create('', 'createSession', 'Opens a session with an agent.', {
    body: sessionCreate,
    answer: sessionAnswer,
    headers: ONCE,
    fails: ['limit_reached', 'not_found', 'conflict'],
  }),
  get: get('/:sessionId', 'getSession', 'One session.', { answer: sessionAnswer }),
  change: patch('/:sessionId', 'changeSession', 'Renames, pins, archives or moves a session.', {
    body: sessionUpdate,
    answer: sessionAnswer,
  }),
  changeMany: patch('', 'changeSessions', 'Changes several sessions at once.', {
    body: sessionsUpdate,
    answer: changedSessionsAnswer,
    fails: ['not_found'],
    description:
      'Renaming several adds a number to each name, in the order of `ids`. Sessions that are gone are left out.',
  }),
  restoreMany: post('/restore', 'restoreSessions', 'Takes deletions back.', {
    body: sessionsPick,
    answer: changedSessionsAnswer,
    fails: ['limit_reached', 'not_found'],
  }),
  restore: post('/:sessionId/restore', 'restoreSession', 'Takes a deletion back.', {
    answer: sessionAnswer,
    fails: ['limit_reached'],
  }),
});

export const sessionExportCalls = calls('/api/sessions', {
  export: get('/:sessionId/export', 'exportSession', 'A session as a file.', {
    query: sessionExportQuery,
    answer: download,
  }),
});
