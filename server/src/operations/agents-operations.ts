import * as contents from '@atelier/contract/composer/server-contents';
import * as mcp from '@atelier/contract/mcp';
import { json, nothing, type Operation, other } from '../platform/http/operation.ts';

/** Of a call that talks to a tool server. */
const CONNECTS = { fails: ['conflict', 'provider_failed'] } satisfies Partial<Operation>;

/** Tool servers. */
export const AGENTS: [call: string, Operation][] = Object.entries({
  'GET /api/mcp-servers': json('listToolServers', 'Your own tool servers.', mcp.mcpServersAnswer),
  'POST /api/mcp-servers': json('addToolServer', 'Adds a tool server.', mcp.mcpServerAnswer, {
    status: 201,
    fails: ['conflict', 'provider_failed'],
  }),
  'POST /api/mcp-servers/{serverId}/approve': json(
    'approveToolServer',
    'Accepts its changed tools.',
    mcp.mcpServerAnswer,
    CONNECTS,
  ),
  'PATCH /api/mcp-servers/{serverId}': json(
    'updateToolServer',
    'Replaces the headers that a tool server knows you by.',
    mcp.mcpServerAnswer,
    CONNECTS,
  ),
  'POST /api/mcp-servers/{serverId}/sign-in': json(
    'signInToToolServer',
    'Begins a sign-in at a tool server.',
    mcp.mcpSignInAnswer,
    CONNECTS,
  ),
  'GET /api/mcp-servers/signed-in': other(
    'endToolServerSignIn',
    'Where a sign-in service sends you back to.',
    'text/html',
    {
      failsAsPage: true,
    },
  ),
  'GET /api/mcp-servers/readable': json(
    'listReadableServers',
    'The tool servers whose resources and prompts you may read.',
    contents.readableServersAnswer,
  ),
  'GET /api/mcp-servers/{serverId}/resources': json(
    'listServerResources',
    'What a tool server has to read.',
    contents.serverResourcesAnswer,
    { fails: ['provider_failed'] },
  ),
  'GET /api/mcp-servers/{serverId}/prompts': json(
    'listServerPrompts',
    'The prompts of a tool server.',
    contents.serverPromptsAnswer,
    { fails: ['provider_failed'] },
  ),
  'POST /api/mcp-servers/{serverId}/resources/read': json(
    'readServerResource',
    'The text of a resource.',
    contents.serverContentAnswer,
    { fails: ['provider_failed'] },
  ),
  'POST /api/mcp-servers/{serverId}/prompts/get': json(
    'getServerPrompt',
    'The text of a prompt.',
    contents.serverContentAnswer,
    { fails: ['provider_failed'] },
  ),
  'DELETE /api/mcp-servers/{serverId}': nothing('removeToolServer', 'Removes a tool server.'),
});
