import type { Deps } from '../../platform/deps.ts';
import { connectHttp, connectStdio } from '../../platform/mcp/connect.ts';
import type { McpConnection, McpTool } from '../../platform/mcp/mcp-connection.ts';
import { type OperatorServer, readOperatorServers } from './operator-file.ts';
import { comparePins, findPinned, type PinnedTool } from './operator-pins.service.ts';
import { sameTool } from './tool-hash.ts';

/** A server that failed is not contacted for this long. */
const REST_MS = 10_000;

/** One server of the operator: connected when first needed, and again after it died. */
export interface OperatorLink {
  name: string;
  /** Its approved tools; empty if it could never be reached. */
  tools(): Promise<PinnedTool[]>;
  /** A connection, and whether the server still offers the tool as approved. Throws when it can't be reached. */
  connect(tool: McpTool): Promise<{ connection: McpConnection; offers: 'same' | 'changed' | 'gone' }>;
  close(): Promise<void>;
}

declare module '../../platform/deps.ts' {
  interface Deps {
    /** This process's links to the operator's tool servers. */
    operatorLinks: OperatorLink[];
  }
}

type Context = Pick<Deps, 'config' | 'db' | 'log'>;

/** Reads the operator's servers from the configuration; throws a sentence when the file is invalid. Starts nothing yet. */
export const openOperatorServers = (ctx: Context): OperatorLink[] =>
  Object.entries(readOperatorServers(ctx.config)).map(([name, server]) => createLink(ctx, name, server));

function open(server: OperatorServer): Promise<McpConnection> {
  if ('command' in server) return connectStdio(server);
  return connectHttp(server.url, (url, init) => fetch(url, { ...init, redirect: 'error' }), server.headers);
}

interface Connected {
  connection: McpConnection;
  tools: McpTool[];
}

async function begin(server: OperatorServer): Promise<Connected> {
  const connection = await open(server);
  try {
    return { connection, tools: await connection.listTools() };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function createLink(ctx: Context, name: string, server: OperatorServer): OperatorLink {
  let current: Promise<Connected> | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;

  function connected(): Promise<Connected> {
    if (current !== undefined) return current;
    if (performance.now() - failedAt < REST_MS) return Promise.reject(new Error(`${name} has failed`));
    const opened = begin(server);
    current = opened;
    opened.then(
      ({ connection }) => connection.closed.then(() => (current = undefined)),
      (error: unknown) => {
        current = undefined;
        failedAt = performance.now();
        ctx.log.error('mcp.connect', error, { server: name });
      },
    );
    return opened;
  }

  return {
    name,
    tools: async () => {
      const open_ = await connected().catch(() => null);
      return open_ === null ? findPinned(ctx, name) : comparePins(ctx, name, open_.tools);
    },
    connect: async (tool) => {
      const open_ = await connected();
      // Asked before every call: the server's present list decides, not the list when the tool was shown.
      open_.tools = await open_.connection.listTools();
      const now = open_.tools.find((t) => t.name === tool.name);
      if (now === undefined) return { connection: open_.connection, offers: 'gone' };
      if (sameTool(tool, now)) return { connection: open_.connection, offers: 'same' };
      await comparePins(ctx, name, open_.tools);
      return { connection: open_.connection, offers: 'changed' };
    },
    close: async () => {
      const open_ = await current?.catch(() => undefined);
      await open_?.connection.close();
    },
  };
}
