import { rpcMessage } from '@atelier/contract/programs/agent-tools';
import * as openai from '@atelier/contract/programs/openai';

import { json, type Operation, other } from '../platform/http/operation.ts';

const forPrograms = { failure: openai.openAiError };
const asking = {
  ...forPrograms,
  headers: { 'X-Session-Id': 'The session to talk in: its id, or any name of your own.' },
  fails: ['limit_reached', 'not_found', 'conflict', 'provider_failed'],
  mayStream: true,
  description: 'With `stream`, the answer comes as server-sent events.',
} satisfies Partial<Operation>;

/** What the calls for programs are named, answer and may refuse. */
export const PROGRAMS: [call: string, Operation][] = Object.entries({
  'GET /v1/models': json('listModels', 'Your agents, as OpenAI lists models.', openai.modelList, forPrograms),
  'GET /v1/models/{agentId}': json('getModel', 'One of your agents, as OpenAI describes a model.', openai.modelEntry, {
    ...forPrograms,
    fails: ['not_found'],
  }),
  'POST /v1/chat/completions': json(
    'createChatCompletion',
    'Asks an agent, as OpenAI’s Chat Completions.',
    openai.chatCompletion,
    asking,
  ),
  'POST /v1/responses': json('createResponse', 'Asks an agent, as OpenAI’s Responses.', openai.modelResponse, asking),
  'POST /mcp/{agentId}': other('callAgent', 'The agent as an MCP server over streamable HTTP.', 'text/event-stream', {
    body: { type: 'application/json', schema: rpcMessage },
    mayBeEmpty: 202,
    description: 'Tools `ask`, `remember` and `recall`; its files are resources.',
  }),
});
