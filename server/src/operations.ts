import * as accounts from '@atelier/contract/accounts';
import * as agentFiles from '@atelier/contract/agent-file';
import * as agents from '@atelier/contract/agents';
import * as billing from '@atelier/contract/billing';
import * as contact from '@atelier/contract/contact';
import * as errors from '@atelier/contract/errors';
import * as explore from '@atelier/contract/explore';
import * as facts from '@atelier/contract/facts';
import * as favorites from '@atelier/contract/favorites';
import * as files from '@atelier/contract/files';
import * as forks from '@atelier/contract/forks';
import * as ids from '@atelier/contract/ids';
import * as keys from '@atelier/contract/keys';
import * as mcp from '@atelier/contract/mcp';
import * as memory from '@atelier/contract/memory';
import * as openai from '@atelier/contract/openai';
import * as runs from '@atelier/contract/runs';
import * as search from '@atelier/contract/search';
import * as sessions from '@atelier/contract/sessions';
import * as tools from '@atelier/contract/tools';
import * as why from '@atelier/contract/why-found';
import { z } from 'zod';
import { signInBody, signUpBody } from './features/accounts/accounts.credentials.ts';
import { json, nothing, type Operation, other } from './platform/http/operation.ts';
import { PROGRAM_OPERATIONS } from './program-operations.ts';

const alive = z.object({ status: z.literal('alive') });
const ready = z.object({ status: z.literal('ready'), product: z.string() });
const memoriesExport = z.object({ memories: z.array(memory.memory) });
const factsExport = z.object({ facts: z.array(facts.fact) });

/** Every schema that has a name: answers refer to it, and a generated client has it as a type. */
export const SHAPES: readonly object[] = [
  [
    accounts,
    agentFiles,
    agents,
    billing,
    contact,
    errors,
    explore,
    facts,
    favorites,
    files,
    forks,
    ids,
    keys,
    mcp,
    memory,
  ],
  [openai, runs, search, sessions, tools, why, { alive, ready, memoriesExport, factsExport }],
].flat();

const ONCE = {
  'Idempotency-Key': 'A text of your own: sent again within a day, the same request is answered, not repeated.',
};
const FOLLOW = { 'Last-Event-ID': 'The number of the last event you have; the stream continues after it.' };
const identity = { failure: z.union([accounts.identityError, errors.errorBody]) };
const signIn = { ...identity, setsCookie: true } as const;
const credentials = (schema: z.ZodType) => ({ type: 'application/json', schema });
const upload = { type: 'multipart/form-data', schema: z.object({ file: z.file() }) };

/** What each call is named, answers and may refuse. A test fails for a route that is missing here. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  Object.entries<Operation>({
    ...PROGRAM_OPERATIONS,
    'GET /healthz': json('isAlive', 'Answers while the process runs.', alive),
    'GET /readyz': json('isReady', 'Answers while the server can serve.', ready),
    'GET /metrics': other('readMetrics', 'Figures of this process for Prometheus.', 'text/plain', {
      fails: ['forbidden'],
    }),

    'GET /api/auth/get-session': json('getSignIn', 'Who is signed in, or null.', accounts.signInAnswer, signIn),
    'GET /api/auth/ended': json('getSignInEnd', 'Why the sign-in ended.', accounts.signInEnd, identity),
    'GET /api/auth/password-rules': json(
      'getPasswordRules',
      'What a password needs.',
      accounts.passwordRules,
      identity,
    ),
    'POST /api/auth/sign-out': json('signOut', 'Ends the sign-in.', accounts.signedOutAnswer, signIn),
    'POST /api/auth/sign-up/email': json('signUp', 'Opens an account and signs in.', accounts.signedInAnswer, {
      ...signIn,
      body: credentials(signUpBody),
    }),
    'POST /api/auth/sign-in/email': json('signIn', 'Signs in.', accounts.signedInAnswer, {
      ...signIn,
      body: credentials(signInBody),
      fails: ['signed_out'],
    }),
    'GET /api/me': json('getMe', 'Who is signed in, their plan, limits and models.', accounts.me),
    'DELETE /api/me': json('deleteMe', 'Deletes the account with everything in it.', accounts.deleteAccountAnswer),
    'GET /api/export': other('exportAccount', 'Everything of the account as an archive.', 'application/zip', {
      download: true,
    }),

    'GET /api/agents': json('listAgents', 'Your agents.', agents.agentsAnswer),
    'POST /api/agents': json('createAgent', 'Creates an agent.', agents.agentAnswer, {
      status: 201,
      fails: ['conflict'],
    }),
    'GET /api/agents/{agentId}': json('getAgent', 'One of your agents.', agents.agentAnswer),
    'PUT /api/agents/{agentId}': json('updateAgent', 'Changes an agent.', agents.agentAnswer, { fails: ['conflict'] }),
    'DELETE /api/agents/{agentId}': nothing('deleteAgent', 'Deletes an agent with its memories and files.'),
    'GET /api/agents/{agentId}/export': json('exportAgent', 'An agent as a file.', agentFiles.writtenAgentFile, {
      download: true,
    }),
    'POST /api/agents/import': json('importAgent', 'Creates an agent from a file.', agentFiles.importAnswer, {
      status: 201,
      fails: ['conflict'],
    }),
    'GET /api/agents/{agentId}/upstream': json('getUpstream', 'A copy and its original.', forks.upstreamAnswer),
    'POST /api/agents/{agentId}/upstream': json(
      'takeUpstream',
      'Takes changes over from the original.',
      agents.agentAnswer,
      {
        fails: ['conflict'],
      },
    ),
    'GET /api/agents/{agentId}/files': json('listFiles', 'The files of an agent.', files.filesAnswer),
    'POST /api/agents/{agentId}/files': json('addFile', 'Gives an agent a file.', files.fileAnswer, {
      status: 201,
      body: upload,
      fails: ['limit_reached', 'unsupported_type'],
    }),
    'GET /api/agents/{agentId}/files/{fileId}': other('downloadFile', 'The file itself.', 'application/octet-stream', {
      download: true,
    }),
    'GET /api/agents/{agentId}/files/{fileId}/passages': json('readFile', 'The text of a file.', files.passagesAnswer),
    'DELETE /api/agents/{agentId}/files/{fileId}': nothing('deleteFile', 'Deletes a file.'),
    'POST /api/agents/{agentId}/files/{fileId}/restore': json(
      'restoreFile',
      'Takes a deletion back.',
      files.fileAnswer,
      {
        fails: ['limit_reached', 'conflict'],
      },
    ),

    'GET /api/explore': json('listPublicAgents', 'Public agents of everyone.', explore.exploreAnswer),
    'GET /api/explore/{creatorId}/{agentId}': json('getPublicAgent', 'One public agent.', explore.publicAgentAnswer),
    'POST /api/explore/{creatorId}/{agentId}/copy': json('copyAgent', 'Copies a public agent.', agents.agentAnswer, {
      status: 201,
      fails: ['conflict'],
    }),
    'GET /api/favorites': json('listFavorites', 'Your favorites.', favorites.favoritesAnswer),
    'PUT /api/favorites/{creatorId}/{agentId}': json(
      'addFavorite',
      'Makes an agent a favorite.',
      favorites.favoriteAnswer,
    ),
    'DELETE /api/favorites/{creatorId}/{agentId}': nothing('removeFavorite', 'Removes a favorite.'),

    'GET /api/tools': json('listTools', 'The tools that agents may use.', tools.toolsAnswer),
    'GET /api/mcp-servers': json('listToolServers', 'Your own tool servers.', mcp.mcpServersAnswer),
    'POST /api/mcp-servers': json('addToolServer', 'Adds a tool server.', mcp.mcpServerAnswer, {
      status: 201,
      fails: ['conflict', 'provider_failed'],
    }),
    'POST /api/mcp-servers/{serverId}/approve': json(
      'approveToolServer',
      'Accepts its changed tools.',
      mcp.mcpServerAnswer,
      {
        fails: ['conflict', 'provider_failed'],
      },
    ),
    'DELETE /api/mcp-servers/{serverId}': nothing('removeToolServer', 'Removes a tool server.'),

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
    'GET /api/sessions/{sessionId}/tasks/{taskId}/events': other(
      'followTask',
      'An answer as it is written.',
      'text/event-stream',
      {
        headers: FOLLOW,
        mayBeEmpty: 204,
        description:
          'Events: `memory`, `delta`, `tool`, and last `done` with the whole task. 204 once you have seen its end.',
      },
    ),
    'POST /api/runAgentTask': json(
      'runAgentTask',
      'Sends a message and waits for the answer.',
      runs.runAgentTaskAnswer,
      {
        headers: ONCE,
        fails: ['limit_reached', 'not_found', 'conflict', 'provider_failed'],
      },
    ),
    'GET /api/live': other('followChanges', 'What changes, as it changes.', 'text/event-stream', {
      description: 'Events: `hello` first, then `changed`, `memory`, `delta`, `tool` and `done`.',
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

    'GET /api/billing': json('getBilling', 'Plan, price and payments.', billing.billingAnswer),
    'POST /api/billing/checkout': json('startCheckout', 'Begins a payment.', billing.checkoutAnswer, {
      fails: ['conflict', 'provider_failed'],
    }),
    'POST /api/billing/verify': json('verifyPayment', 'Asks the provider about a payment.', billing.verifyAnswer, {
      fails: ['not_found', 'provider_failed'],
    }),
    'POST /api/billing/recheck': json('recheckPayments', 'Asks about every open payment.', billing.billingAnswer, {
      fails: ['provider_failed'],
    }),
    'POST /api/sandbox/checkout/{accessCode}': json('chooseOutcome', 'Ends a test payment.', billing.sandboxAnswer, {
      fails: ['provider_failed'],
    }),
    'POST /api/webhooks/paystack': json('receivePaystack', 'For Paystack’s server.', billing.webhookAnswer),
    'POST /api/webhooks/sandbox': json('receiveSandbox', 'For the sandbox’s server.', billing.webhookAnswer),
    'POST /api/contact': json('sendMessage', 'Writes to the operator.', contact.contactAnswer, {
      status: 201,
      headers: ONCE,
      fails: ['too_many_requests'],
    }),
  }),
);
