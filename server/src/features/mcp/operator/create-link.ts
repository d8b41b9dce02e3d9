import { join, resolve } from 'node:path';
import type { Deps } from '../../../platform/deps.ts';
import { connectHttp, connectStdio } from '../../../platform/mcp/connect.ts';
import type { McpConnection } from '../../../platform/mcp/mcp-connection.ts';
import { type Connected, type ContactPool, OperatorContact } from './operator-contact.ts';
import type { OperatorServer } from './operator-entry.ts';
import type { OperatorEntry } from './operator-file.ts';
import type { OperatorLink } from './operator-link.ts';
import { comparePins, findPinned } from './operator-pins.service.ts';

export type Context = Pick<Deps, 'config' | 'db' | 'log'>;

type Pools = Record<'processes' | 'addresses', ContactPool>;

/** Processes are dear; connections of others, each a session at its server, are not. */
export const createPools = (): Pools => ({
  processes: { links: new Set(), each: 8, all: 32 },
  addresses: { links: new Set(), each: 50, all: 200 },
});

/** A link to a server that can be used; nothing is started yet. */
export function createLink(
  ctx: Context,
  { name, key }: OperatorEntry,
  server: OperatorServer,
  pools: Pools,
): OperatorLink {
  const contact = new OperatorContact({
    begin: (signal) => begin(ctx, key, server, signal),
    pool: 'command' in server ? pools.processes : pools.addresses,
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
      const tools = await contact.connected().catch(() => null);
      return tools === null ? [] : comparePins(ctx, key, tools);
    },
    listed: async () => {
      // Once a slow server answers, its stored tools notify every open page.
      const tools = await contact.look();
      return tools === undefined ? findPinned(ctx, key) : comparePins(ctx, key, tools);
    },
    use: (conversation, talk) => contact.use(conversation, talk),
    compare: (now) => comparePins(ctx, key, now),
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
