import { z } from 'zod';
import { calls, events, post } from '../calls.ts';
import { inputText } from '../runs.ts';

const session = z
  .string()
  .min(1)
  .max(200)
  .describe('The session to talk in: its id, or any name of your own.')
  .optional();

/** The inputs of the tools that an agent offers as an MCP server. */
export const agentAsk = z.object({ message: inputText.describe('What to ask the agent.'), session });
export const agentRemember = z.object({ text: inputText.describe('What to remember.'), session });
export const agentRecall = z.object({
  query: z.string().trim().min(1, 'Say what to look for.').max(2_000).describe('What to look for.'),
  limit: z.number().int().min(1).max(50).describe('How many at most; 8 by default.').optional(),
});

/** A message of JSON-RPC, which the protocol's library reads further. */
export const rpcMessage = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.object({}).loose().optional(),
});

/** Each tool looks at the scopes of the key itself. */
export const agentMcpCalls = calls('/mcp', {
  call: post('/:agentId', 'callAgent', 'The agent as an MCP server over streamable HTTP.', {
    who: 'pro',
    keys: 'any',
    body: { type: 'application/json', content: rpcMessage },
    answer: events,
    mayBeEmpty: 202,
    description: 'Tools `ask`, `remember` and `recall`; its files are resources.',
  }),
});
