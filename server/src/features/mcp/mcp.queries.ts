import { and, asc, eq } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import { type McpServerRow, mcpServers } from './mcp.table.ts';

/** The row of a person’s server. */
export const sameServer = ({ userId, id }: Pick<McpServerRow, 'userId' | 'id'>) =>
  and(eq(mcpServers.userId, userId), eq(mcpServers.id, id));

/** A user's own servers, oldest first. */
export const listServers = (ctx: Pick<Deps, 'db'>, uid: string): Promise<McpServerRow[]> =>
  ctx.db.select().from(mcpServers).where(eq(mcpServers.userId, uid)).orderBy(asc(mcpServers.createdAt));
