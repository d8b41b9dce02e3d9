import { join, resolve } from 'node:path';
import type { Deps } from '../../platform/deps.ts';
import { connectHttp, connectStdio } from '../../platform/mcp/connect.ts';
import { type McpConnection, type McpTool, McpUnreachable } from '../../platform/mcp/mcp-connection.ts';
import { type Connected, OperatorContact, type ServerReport } from './operator-contact.ts';
import { type Environment, type OperatorEntry, type OperatorServer, readOperatorServers } from './operator-file.ts';
import { comparePins, findPinned, type PinnedTool } from './operator-pins.service.ts';
import { sameTool } from './tool-hash.ts';

/** One server of the operator: connected when first needed, and again after it died. */
export interface OperatorLink {
  name: string;
  /** Begins its tools' ids. */
  key: string;
  /** The file switches it off, or is wrong about it. */
  isOff: boolean;
  /** Its approved tools, without contacting a server that was seen before. */
  known(): Promise<PinnedTool[]>;
  /** The same, and begins to contact it; waits at most moments. */
  listed(): Promise<PinnedTool[]>;
  /** A connection, and whether the server still offers the tool as approved. Throws McpUnreachable. */
  connect(tool: McpTool): Promise<{ connection: McpConnection; offers: 'same' | 'changed' | 'gone' }>;
  /** The connection, for what it has beside tools. Throws McpUnreachable. */
  open(): Promise<McpConnection>;
  /** Contacts it, and says how that went. */
  check(): Promise<ServerReport>;
  close(): Promise<void>;
}

declare module '../../platform/deps.ts' {
  interface Deps {
    /** This process's links to the operator's tool servers. */
    operatorLinks: OperatorLink[];
  }
}

type Context = Pick<Deps, 'config' | 'db' | 'log'>;

/** Reads the operator's servers from the configuration, and logs what is wrong there. Starts nothing yet. */
export function openOperatorServers(ctx: Context, environment: Environment): OperatorLink[] {
  const { entries, problem } = readOperatorServers(ctx.config, environment);
  if (problem !== undefined) {
    ctx.log.info('mcp.file', { problem });
    return [offLink({ name: 'MCP_SERVERS_FILE', key: '' }, problem)];
  }
  return entries.map((entry) => {
    if ('server' in entry.setup) return createLink(ctx, entry, entry.setup.server);
    ctx.log.info('mcp.off', { server: entry.name, reason: entry.setup.off });
    return offLink(entry, entry.setup.off);
  });
}

/** An entry that can't be used. Its approved tools stay approved for when it can. */
function offLink({ name, key }: Pick<OperatorEntry, 'name' | 'key'>, reason: string): OperatorLink {
  const none = async () => [];
  const refuse = async () =>
    Promise.reject(new McpUnreachable('ended', 'The operator’s file switches this server off.'));
  return {
    name,
    key,
    isOff: true,
    known: none,
    listed: none,
    connect: refuse,
    open: refuse,
    check: async () => ({ state: 'off', tools: 0, reason, lastLines: [] }),
    close: async () => {},
  };
}

function createLink(ctx: Context, { name, key }: OperatorEntry, server: OperatorServer): OperatorLink {
  const contact = new OperatorContact({
    begin: (signal) => begin(ctx, key, server, signal),
    secrets: Object.values('command' in server ? server.env : server.headers),
    failed: (error, { how, lastLines }) =>
      ctx.log.error('mcp.connect', error, { server: name, reason: how, lastLines }),
    // Not its lines: it may have written what people asked it.
    ended: (how) => ctx.log.info('mcp.ended', { server: name, how }),
  });
  return {
    name,
    key,
    isOff: false,
    known: async () => {
      const pins = await findPinned(ctx, key);
      if (pins.length > 0) return pins;
      const opened = await contact.connected().catch(() => null);
      return opened === null ? [] : comparePins(ctx, key, opened.tools);
    },
    listed: async () => {
      // Once a slow server answers, its stored tools notify every open page.
      const opened = await contact.look();
      return opened === undefined ? findPinned(ctx, key) : comparePins(ctx, key, opened.tools);
    },
    connect: async (tool) => {
      const opened = await contact.connected();
      const { connection } = opened;
      // Asked before every call: the server's present list decides, not the list when the tool was shown.
      opened.tools = await connection.listTools();
      const now = opened.tools.find((t) => t.name === tool.name);
      if (now === undefined) return { connection, offers: 'gone' };
      if (sameTool(tool, now)) return { connection, offers: 'same' };
      await comparePins(ctx, key, opened.tools);
      return { connection, offers: 'changed' };
    },
    open: async () => (await contact.connected()).connection,
    check: () => contact.check(),
    close: () => contact.close(),
  };
}

/** Connects, and stores how the server's tools differ from the approved ones. */
async function begin(ctx: Context, key: string, server: OperatorServer, signal: AbortSignal): Promise<Connected> {
  const connection = await open(ctx, key, server, signal);
  try {
    const tools = await connection.listTools();
    await comparePins(ctx, key, tools);
    return { connection, tools };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function open({ config }: Context, key: string, server: OperatorServer, signal: AbortSignal): Promise<McpConnection> {
  if ('command' in server) {
    return connectStdio({ ...server, folder: join(resolve(config.DATA_DIR), 'mcp', key) }, signal);
  }
  const { url, headers, transport } = server;
  const fetchFrom: typeof fetch = (target, init) => fetch(target, { redirect: 'error', ...init });
  return connectHttp({ url, headers, fetchFrom }, transport === 'sse' ? 'sse' : undefined);
}
