import * as facts from '@atelier/contract/facts';
import * as memory from '@atelier/contract/memory';
import * as runs from '@atelier/contract/runs';
import * as search from '@atelier/contract/search';
import * as sessions from '@atelier/contract/sessions';
import { z } from 'zod';
import { json, nothing, ONCE, type Operation, other } from '../platform/http/operation.ts';

export const memoriesExport = z.object({ memories: z.array(memory.memory) });
export const factsExport = z.object({ facts: z.array(facts.fact) });
const FOLLOW = { 'Last-Event-ID': 'The number of the last event you have; the stream continues after it.' };

/** Sessions, answers, and what is remembered of them. */
export const SESSIONS: [call: string, Operation][] = Object.entries({
  'GET /api/sessions': json('listSessions', 'Your sessions.', sessions.sessionsAnswer),
  'POST /api/sessions': json('createSession', 'Opens a session with an agent.', sessions.sessionAnswer, {
    status: 201,
    fails: ['limit_reached', 'not_found'],
  }),
  'GET /api/sessions/{sessionId}': json('getSession', 'One session.', sessions.sessionAnswer),
  'PATCH /api/sessions/{sessionId}': json('renameSession', 'Renames a session.', sessions.sessionAnswer),
  'DELETE /api/sessions/{sessionId}': nothing('deleteSession', 'Deletes a session with its exchanges.'),
  'POST /api/sessions/{sessionId}/restore': json('restoreSession', 'Takes a deletion back.', sessions.sessionAnswer, {
    fails: ['limit_reached'],
  }),
  'GET /api/sessions/{sessionId}/tasks': json('listTasks', 'The exchanges of a session.', runs.tasksAnswer),
  'POST /api/sessions/{sessionId}/tasks': json(
    'startTask',
    'Sends a message; the answer is followed.',
    runs.taskAnswer,
    {
      status: 202,
      headers: ONCE,
      fails: ['limit_reached', 'conflict'],
    },
  ),
  'GET /api/sessions/{sessionId}/tasks/{taskId}': json('getTask', 'One exchange.', runs.taskAnswer),
  'POST /api/sessions/{sessionId}/tasks/{taskId}/cancel': json('cancelTask', 'Stops an answer.', runs.taskAnswer, {
    status: 202,
  }),
  'POST /api/sessions/{sessionId}/tasks/{taskId}/retry': json(
    'retryTask',
    'Asks again after a failure.',
    runs.taskAnswer,
    {
      status: 202,
      fails: ['limit_reached', 'conflict'],
    },
  ),
  'POST /api/sessions/{sessionId}/tasks/{taskId}/ask-again': json(
    'askAgain',
    'Asks again without some memories.',
    runs.taskAnswer,
    {
      status: 202,
      headers: ONCE,
      fails: ['limit_reached', 'conflict'],
    },
  ),
  'POST /api/sessions/{sessionId}/tasks/{taskId}/approve': json(
    'approveCall',
    'Decides about a tool call.',
    runs.taskAnswer,
    {
      status: 202,
      fails: ['conflict'],
    },
  ),
  'POST /api/sessions/{sessionId}/tasks/{taskId}/answer': json(
    'answerToolServer',
    'Answers what a tool’s server asks.',
    runs.taskAnswer,
    {
      status: 202,
      fails: ['conflict'],
    },
  ),
  'GET /api/sessions/{sessionId}/tasks/{taskId}/media/{mediaId}': other(
    'getToolMedia',
    'A picture, a sound or a file that a tool answered.',
    '*/*',
    {
      download: true,
    },
  ),
  'GET /api/sessions/{sessionId}/tasks/{taskId}/events': other(
    'followTask',
    'An answer as it is written.',
    'text/event-stream',
    {
      headers: FOLLOW,
      mayBeEmpty: 204,
      description:
        'Events: `memory`, `delta`, `thought`, `tool`, `wait`, and last `done` with the whole task. 204 once you have seen its end.',
    },
  ),
  'POST /api/runAgentTask': json('runAgentTask', 'Sends a message and waits for the answer.', runs.runAgentTaskAnswer, {
    headers: ONCE,
    fails: ['limit_reached', 'not_found', 'conflict', 'provider_failed'],
  }),
  'GET /api/live': other('followChanges', 'What changes, as it changes.', 'text/event-stream', {
    description: 'Events: `hello` first, then `changed`, `memory`, `delta`, `thought`, `tool`, `wait` and `done`.',
  }),
  'GET /api/memories': json('listMemories', 'What your agents remember.', memory.memoriesAnswer, {
    fails: ['not_found'],
  }),
  'DELETE /api/memories': json('forgetMemories', 'Forgets memories.', memory.forgottenAnswer),
  'GET /api/memories/status': json('getMemoryStatus', 'How many can be found by meaning.', memory.memoryStatus),
  'GET /api/memories/export': json('exportMemories', 'Memories as a file.', memoriesExport, {
    download: true,
    fails: ['not_found'],
  }),
  'GET /api/memories/{memoryId}': json('getMemory', 'One memory.', memory.memoryAnswer),
  'PATCH /api/memories/{memoryId}': json('updateMemory', 'Corrects or pins a memory.', memory.memoryAnswer, {
    fails: ['conflict'],
  }),
  'DELETE /api/memories/{memoryId}': nothing('forgetMemory', 'Forgets a memory.'),
  'GET /api/facts': json('listFacts', 'What your agents know of you.', facts.factsAnswer, { fails: ['not_found'] }),
  'GET /api/facts/export': json('exportFacts', 'Facts as a file.', factsExport, {
    download: true,
    fails: ['not_found'],
  }),
  'GET /api/facts/settings': json('getFactSettings', 'Whether facts are kept.', facts.factSettings),
  'PUT /api/facts/settings': json('changeFactSettings', 'Keeps facts, or not.', facts.factSettings),
  'PATCH /api/facts/{factId}': json('updateFact', 'Corrects or pins a fact.', facts.factAnswer, {
    fails: ['conflict'],
  }),
  'DELETE /api/facts/{factId}': nothing('forgetFact', 'Forgets a fact.'),
  'POST /api/facts/{factId}/restore': json('restoreFact', 'Takes forgetting back.', facts.factAnswer, {
    fails: ['conflict'],
  }),
  'GET /api/search': json('search', 'Searches everything of yours.', search.searchAnswer),
});
