import { deleteAccountAnswer, deleteAccountBody } from './accounts.ts';
import { calls, remove } from './calls.ts';
import { deletedSessionsAnswer, sessionsPick } from './sessions.ts';

/** They delete something with everything it owns. */
export const removalCalls = calls('/api', {
  agent: remove('/agents/:agentId', 'deleteAgent', 'Deletes an agent with its memories and files.'),
  session: remove('/sessions/:sessionId', 'deleteSession', 'Deletes a session with its exchanges.'),
  task: remove('/sessions/:sessionId/tasks/:taskId', 'deleteTask', 'Deletes one exchange; what followed stays.', {
    fails: ['conflict'],
  }),
  sessions: remove('/sessions', 'deleteSessions', 'Deletes several sessions.', {
    body: sessionsPick,
    answer: deletedSessionsAnswer,
    fails: ['not_found'],
  }),
  account: remove('/me', 'deleteMe', 'Deletes the account with everything in it.', {
    body: deleteAccountBody,
    answer: deleteAccountAnswer,
  }),
});
