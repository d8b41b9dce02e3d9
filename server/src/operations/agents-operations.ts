import * as contents from '@atelier/contract/composer/server-contents';
import * as files from '@atelier/contract/files';
import * as mcp from '@atelier/contract/mcp';
import { json, nothing, type Operation, other, upload } from '../platform/http/operation.ts';

/** Of a call that talks to a tool server. */
const CONNECTS = { fails: ['conflict', 'provider_failed'] } satisfies Partial<Operation>;

/** Agents with their files and tools, and those of others. */
export const AGENTS: [call: string, Operation][] = Object.entries({
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
  'POST /api/agents/{agentId}/files/{fileId}/restore': json('restoreFile', 'Takes a deletion back.', files.fileAnswer, {
    fails: ['limit_reached', 'conflict'],
  }),
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
