import { z } from 'zod';
import { calls, events, get } from './calls.ts';
import { memoryItem } from './memory.ts';
import { task } from './runs.ts';
import { toolCall } from './tools.ts';

/**
 * What may have changed: `auth` the sign-in itself, `account` plan, usage or profile, `agents` the list or one agent, `sessions` the list
 * or a name, `tasks` the exchanges of the session `id`, `memories` what is remembered, also that some of it is gone, `facts` that new ones
 * were found, `explore` the public agent `id`, `files` those of an agent, `tools` the person's own tool servers and their tools, `keys` their API
 * keys, `shares` their links to the session `id`, `queue` the messages that wait in the session `id`, `prompts` the saved prompts, `activity` what
 * concerns the safety of their account, `admin` what the operator's page shows, `settings` what the operator changes while the server runs,
 * `models` which models are offered. An empty `id` means all of them.
 */
export const topic = z.enum([
  'auth',
  'account',
  'agents',
  'sessions',
  'tasks',
  'memories',
  'facts',
  'favorites',
  'explore',
  'files',
  'tools',
  'keys',
  'shares',
  'queue',
  'prompts',
  'activity',
  'admin',
  'settings',
  'models',
]);
export type Topic = z.infer<typeof topic>;

/** Which event of which run it is. */
const ofRun = { taskId: z.string(), sessionId: z.string(), seq: z.number().int() };

/** The events of `GET /api/live`, by name; data are JSON. */
export const liveEvents = {
  /**
   * First on every connection: everything fetched before may be stale, unless `isCurrent` says that nothing changed since the named position.
   * `uid` says whose stream it is.
   */
  hello: z.object({ at: z.string(), uid: z.string().optional(), isCurrent: z.boolean().optional() }),
  changed: z.object({ topic, id: z.string() }),
  memory: z.object({ ...ofRun, items: z.array(memoryItem), partial: z.boolean().optional() }),
  delta: z.object({ ...ofRun, text: z.string() }),
  thought: z.object({ ...ofRun, text: z.string() }),
  wait: z.object({ ...ofRun, why: z.string() }),
  tool: z.object({ ...ofRun, call: toolCall }),
  done: z.object({ ...ofRun, task }),
};
export type LiveEvents = { [K in keyof typeof liveEvents]: z.infer<(typeof liveEvents)[K]> };
export type LiveEventName = keyof LiveEvents;

export const liveCalls = calls('/api/live', {
  follow: get('', 'followChanges', 'What changes, as it changes.', {
    query: z.object({ since: z.string().max(100).optional() }),
    answer: events,
    description:
      'Events: `hello` first, then `changed`, `memory`, `delta`, `thought`, `tool`, `wait` and `done`. `since` is the `position` of a sign-in that was read before anything else.',
  }),
});
