import { type Operation, other } from '../platform/http/operation.ts';

/** Sessions, answers, and what is remembered of them. */
export const SESSIONS: [call: string, Operation][] = Object.entries({
  'GET /api/live': other('followChanges', 'What changes, as it changes.', 'text/event-stream', {
    description: 'Events: `hello` first, then `changed`, `memory`, `delta`, `thought`, `tool`, `wait` and `done`.',
  }),
});
