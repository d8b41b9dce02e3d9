import { isDeepStrictEqual } from 'node:util';
import type { Deps } from '../../platform/deps.ts';
import { connectHttp, connectStdio, type McpConnection, type McpTool } from '../../platform/mcp/mcp-connection.ts';
import { type OperatorServer, readOperatorServers } from './operator-file.ts';

/** A server that failed is left alone for this long. */
const REST_MS = 10_000;

/** One server of the operator: connected when first needed, and again after it died. */
export interface OperatorLink {
  name: string;
  /** Its tools as they were when this process first saw them; empty while it can't be reached. */
  tools(): Promise<McpTool[]>;
  /** Throws where it can't be reached, or where it has changed the tool since. */
  connect(tool: McpTool): Promise<McpConnection>;
  close(): Promise<void>;
}

const links = new Map<string, OperatorLink[]>();

/** Reads which servers the operator configured; throws a sentence where the file is not usable. Nothing is started yet. */
export function openOperatorServers(ctx: Deps): void {
  const servers = Object.entries(readOperatorServers(ctx.config));
  links.set(
    ctx.processId,
    servers.map(([name, server]) => createLink(ctx, name, server)),
  );
}

export const operatorLinks = (ctx: Pick<Deps, 'processId'>): OperatorLink[] => links.get(ctx.processId) ?? [];

/** Ends every server of the operator. */
export async function closeOperatorServers(ctx: Pick<Deps, 'processId'>): Promise<void> {
  await Promise.all(operatorLinks(ctx).map((link) => link.close()));
  links.delete(ctx.processId);
}

function open(server: OperatorServer): Promise<McpConnection> {
  if ('command' in server) return connectStdio(server);
  return connectHttp(server.url, (url, init) => fetch(url, { ...init, redirect: 'error' }), server.headers);
}

function createLink(ctx: Deps, name: string, server: OperatorServer): OperatorLink {
  let current: Promise<{ connection: McpConnection; tools: McpTool[] }> | undefined;
  let pinned: McpTool[] | undefined;
  let failedAt = 0;

  async function begin() {
    const connection = await open(server);
    try {
      const tools = await connection.listTools();
      pinned ??= tools;
      void connection.closed.then(() => (current = undefined));
      return { connection, tools };
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  function connected() {
    if (current === undefined && Date.now() - failedAt < REST_MS)
      return Promise.reject(new Error(`${name} has failed`));
    current ??= begin().catch((error: unknown) => {
      current = undefined;
      failedAt = Date.now();
      ctx.log.error('mcp.connect', error, { server: name });
      throw error;
    });
    return current;
  }

  return {
    name,
    tools: async () => {
      if (pinned === undefined) await connected().catch(() => {});
      return pinned ?? [];
    },
    connect: async (tool) => {
      const { connection, tools } = await connected();
      if (!tools.some((now) => sameTool(now, tool))) throw new Error(`${name} describes ${tool.name} otherwise now`);
      return connection;
    },
    close: async () => {
      const open_ = await current?.catch(() => undefined);
      await open_?.connection.close();
    },
  };
}

/** Whether a server still describes a tool as it was approved. */
export const sameTool = (a: McpTool, b: McpTool): boolean =>
  a.name === b.name &&
  a.description === b.description &&
  a.readOnly === b.readOnly &&
  // The database keeps an object's keys in an order of its own.
  isDeepStrictEqual(a.inputSchema, b.inputSchema);
