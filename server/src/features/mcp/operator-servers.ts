import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '../../platform/deps.ts';
import { connectHttp, connectStdio } from '../../platform/mcp/connect.ts';
import { type Ending, type McpConnection, type McpTool, McpUnreachable } from '../../platform/mcp/mcp-connection.ts';
import { redact } from '../../platform/redact.ts';
import { type Environment, type OperatorEntry, type OperatorServer, readOperatorServers } from './operator-file.ts';
import { comparePins, findPinned, type PinnedTool } from './operator-pins.service.ts';
import { sameTool } from './tool-hash.ts';

/** A server that failed is not contacted for this long. */
const REST_MS = 10_000;
/** How long the catalogue waits for a server's first greeting. */
const FIRST_LOOK_MS = 2_000;
/** How long the operator's own check waits for a server. */
const CHECK_MS = 10_000;

/** How a server is, for the operator. Nothing in it is secret. */
export interface ServerReport {
  state: 'ready' | 'starting' | 'failed' | 'off';
  tools: number;
  /** Why it is not ready, or how it last ended. */
  reason: string;
  /** What its process last wrote for its operator. */
  lastLines: string[];
}

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
  return {
    name,
    key,
    isOff: true,
    known: none,
    listed: none,
    connect: async () => Promise.reject(new McpUnreachable('ended', 'The operator’s file switches this server off.')),
    check: async () => ({ state: 'off', tools: 0, reason, lastLines: [] }),
    close: async () => {},
  };
}

interface Connected {
  connection: McpConnection;
  tools: McpTool[];
}

function createLink(ctx: Context, { name, key }: OperatorEntry, server: OperatorServer): OperatorLink {
  const secrets = Object.values('command' in server ? server.env : server.headers);
  const lines = (of: string[]) => of.map((line) => redact(line, secrets));
  const closing = new AbortController();
  let current: Promise<Connected> | undefined;
  let ready: Connected | undefined;
  let last: Ending = { how: '', lastLines: [] };
  let failedAt = Number.NEGATIVE_INFINITY;
  let firstLook: Promise<unknown> | undefined;

  function open(): Promise<McpConnection> {
    if ('command' in server) {
      return connectStdio({ ...server, folder: join(resolve(ctx.config.DATA_DIR), 'mcp', key) }, closing.signal);
    }
    const { url, headers, transport } = server;
    const fetchFrom: typeof fetch = (target, init) => fetch(target, { redirect: 'error', ...init });
    return connectHttp({ url, headers, fetchFrom }, transport === 'sse' ? 'sse' : undefined);
  }

  async function begin(): Promise<Connected> {
    const connection = await open();
    try {
      const tools = await connection.listTools();
      await comparePins(ctx, key, tools);
      return { connection, tools };
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  function connected(): Promise<Connected> {
    if (current !== undefined) return current;
    if (performance.now() - failedAt < REST_MS) return Promise.reject(new McpUnreachable('ended', last.how));
    const opened = begin();
    current = opened;
    opened.then(hold, fail);
    return opened;
  }

  function hold(opened: Connected): void {
    ready = opened;
    void opened.connection.closed.then((ending) => {
      current = undefined;
      ready = undefined;
      last = { how: ending.how, lastLines: lines(ending.lastLines) };
      // Not its lines: it may have written what people asked it.
      ctx.log.info('mcp.ended', { server: name, how: ending.how });
    });
  }

  function fail(error: unknown): void {
    current = undefined;
    failedAt = performance.now();
    const reason = error instanceof Error ? error.message : String(error);
    last = {
      // Our own sentence, which may have to name a long path.
      how: secrets.reduce((text, secret) => (secret === '' ? text : text.replaceAll(secret, '[redacted]')), reason),
      lastLines: error instanceof McpUnreachable ? lines(error.lastLines) : [],
    };
    ctx.log.error('mcp.connect', error, { server: name, reason: last.how, lastLines: last.lastLines });
  }

  const known = async () => {
    const pins = await findPinned(ctx, key);
    if (pins.length > 0) return pins;
    const opened = await connected().catch(() => null);
    return opened === null ? [] : comparePins(ctx, key, opened.tools);
  };

  return {
    name,
    key,
    isOff: false,
    known,
    listed: async () => {
      const contact = connected().catch(() => null);
      // Only the first requests wait, and not for long: once a slow server answers, its stored tools notify every open page.
      firstLook ??= Promise.race([contact, pause(FIRST_LOOK_MS, undefined, { ref: false })]);
      await firstLook;
      return ready === undefined ? findPinned(ctx, key) : comparePins(ctx, key, ready.tools);
    },
    connect: async (tool) => {
      const open_ = await connected();
      // Asked before every call: the server's present list decides, not the list when the tool was shown.
      open_.tools = await open_.connection.listTools();
      const now = open_.tools.find((t) => t.name === tool.name);
      if (now === undefined) return { connection: open_.connection, offers: 'gone' };
      if (sameTool(tool, now)) return { connection: open_.connection, offers: 'same' };
      await comparePins(ctx, key, open_.tools);
      return { connection: open_.connection, offers: 'changed' };
    },
    check: async () => {
      failedAt = Number.NEGATIVE_INFINITY;
      const contact = connected().then(
        ({ tools }) => ({ state: 'ready' as const, tools: tools.length }),
        () => ({ state: 'failed' as const, tools: 0 }),
      );
      const starting = pause(CHECK_MS, { state: 'starting' as const, tools: 0 }, { ref: false });
      const found = await Promise.race([contact, starting]);
      return { ...found, reason: last.how, lastLines: last.lastLines };
    },
    close: async () => {
      closing.abort();
      const open_ = await current?.catch(() => undefined);
      await open_?.connection.close();
    },
  };
}
