import { and, asc, eq, sql } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import type { McpCall, McpTool } from '../../platform/mcp/mcp-connection.ts';
import { type McpServerRow, mcpServers } from './mcp.table.ts';
import type { OperatorLink } from './operator-servers.ts';
import {
  callForResult,
  connectOwn,
  failedOf,
  McpFailed,
  type ServerAnswer,
  withoutSecrets,
} from './own-connection.service.ts';
import { openSecrets } from './server-secrets.ts';
import { sameTool, toolHash, toolsHash } from './tool-hash.ts';
import { allToolsId, keyOfTool, toolId } from './tool-names.ts';

/** A server's tool, for the catalogue and for runs. */
export interface ServerTool {
  id: string;
  /** What its server calls it, where that is not in its id. */
  title?: string;
  description: string;
  /** Asks before each call. A stranger's server is not trusted when it claims to be read-only. */
  writes: boolean;
  server: string;
  inputSchema: Record<string, unknown>;
  /** Identifies what was approved: approvals, grants and attachments refer to it. */
  hash: string;
  /** Why it is off: a call fails with this sentence. */
  off?: string;
  /** Calls it for a conversation. Throws McpFailed with a sentence. */
  call(input: Record<string, unknown>, conversation: string, call: McpCall): Promise<ServerAnswer>;
}

const OPERATORS_CHANGED =
  'The server changed this tool after it was approved. It is off until the operator approves it again.';
const OWN_CHANGED = 'The server changed its tools after you approved them. They are off until you approve them again.';

const SIGNED_OUT = 'Your sign-in at this server has ended. Sign in again, in the list of tool servers.';

/** A user's own servers, oldest first. */
export const listServers = (ctx: Pick<Deps, 'db'>, uid: string): Promise<McpServerRow[]> =>
  ctx.db.select().from(mcpServers).where(eq(mcpServers.userId, uid)).orderBy(asc(mcpServers.createdAt));

/** Every tool that servers offer to a user, as approved: the operator's to everyone, a person's own to themselves. */
export async function serverTools(ctx: Deps, uid: string): Promise<ServerTool[]> {
  const operator = await Promise.all(ctx.operatorLinks.map(async (link) => operatorTools(link, await link.listed())));
  return [...operator.flat(), ...(await ownTools(ctx, uid))];
}

/** The tools with these ids, of which one may mean all of a server. Only their own servers are asked. */
export async function chosenTools(ctx: Deps, uid: string, ids: readonly string[]): Promise<ServerTool[]> {
  const keys = new Set(ids.map(keyOfTool));
  const links = ctx.operatorLinks.filter(({ key }) => keys.has(key));
  const operator = await Promise.all(links.map(async (link) => operatorTools(link, await link.known())));
  const own = ids.some((id) => id.includes('__')) ? await ownTools(ctx, uid) : [];
  return [...operator.flat(), ...own].filter((tool) => isChosen(tool, ids));
}

/** Whether a list of ids contains a tool, or all of its server. */
export const isChosen = ({ id }: { id: string }, ids: readonly string[]): boolean =>
  ids.includes(id) || ids.includes(allToolsId(keyOfTool(id)));

async function ownTools(ctx: Deps, uid: string): Promise<ServerTool[]> {
  const rows = await listServers(ctx, uid);
  return rows.flatMap((row) => row.tools.map((tool) => ownTool(ctx, row, tool)));
}

/** What both kinds of servers have in common; `changed` says why a tool is off that is otherwise usable. */
function described(key: string, server: string, tool: McpTool, changed: string | undefined) {
  const id = toolId(key, tool);
  const off = tool.unusable ?? changed;
  return {
    id,
    ...(id === `${key}__${tool.name}` ? {} : { title: tool.name }),
    description: tool.description,
    server,
    inputSchema: tool.inputSchema,
    hash: toolHash(tool),
    ...(off === undefined ? {} : { off }),
  };
}

function operatorTools(link: OperatorLink, pins: Awaited<ReturnType<OperatorLink['known']>>): ServerTool[] {
  return pins.map(({ tool, isOff }) => ({
    ...described(link.key, link.name, tool, isOff ? OPERATORS_CHANGED : undefined),
    writes: !tool.readOnly,
    call: async (input, _conversation, call) => {
      const { connection, offers } = await link.connect(tool).catch((error: unknown) => {
        const why = error instanceof Error ? ` ${error.message}` : '';
        throw new McpFailed(`The server “${link.name}” can’t be reached.${why}`);
      });
      if (offers === 'changed') throw new McpFailed(OPERATORS_CHANGED);
      if (offers === 'gone') throw new McpFailed('The server does not offer this tool any more.');
      return callForResult(connection, tool, input, call);
    },
  }));
}

function ownTool(ctx: Deps, row: McpServerRow, tool: McpTool): ServerTool {
  const off = row.signedOut ? SIGNED_OUT : row.changedAt === null ? undefined : OWN_CHANGED;
  return {
    ...described(row.key, row.name, tool, off),
    writes: true,
    call: (input, conversation, call) => {
      const secrets = openSecrets(ctx, row);
      const open = () => connectOwn(ctx, row, secrets);
      const key = `${row.userId}/${row.id}/${conversation}`;
      return withoutSecrets(secrets, () =>
        ctx.ownSessions
          .use(key, open, call.signal, async (connection, now) => {
            if (now.some((t) => sameTool(tool, t))) return callForResult(connection, tool, input, call);
            await markChanged(ctx, row, now);
            throw new McpFailed(OWN_CHANGED);
          })
          .catch((error: unknown) => {
            call.signal.throwIfAborted();
            throw failedOf(error);
          }),
      );
    },
  };
}

async function markChanged(ctx: Deps, row: McpServerRow, offered: McpTool[]): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const server = and(eq(mcpServers.userId, row.userId), eq(mcpServers.id, row.id));
    const [now] = await tx.select().from(mcpServers).where(server).for('update');
    // The person may have approved this very change while the call waited.
    if (now === undefined || now.changedAt !== null || toolsHash(now.tools) === toolsHash(offered)) return;
    await tx.update(mcpServers).set({ changedAt: sql`now()`, offered }).where(server);
    await ctx.live.notify(tx, row.userId, 'tools', row.id);
  });
}
