import { McpUnreachable } from '../../../platform/mcp/mcp-connection.ts';
import { type Context, createLink, createPools } from './create-link.ts';
import type { Environment } from './fill-in.ts';
import { type OperatorEntry, readOperatorServers } from './operator-file.ts';
import type { OperatorLink } from './operator-link.ts';

/** Reads the operator's servers from the configuration, and logs what is wrong there. Starts nothing yet. */
export function openOperatorServers(ctx: Context, environment: Environment): OperatorLink[] {
  const { entries, problem } = readOperatorServers(ctx.config, environment);
  if (problem !== undefined) {
    ctx.log.info('mcp.file', { problem });
    return [offLink({ name: 'MCP_SERVERS_FILE', key: '' }, problem)];
  }
  const pools = createPools();
  return entries.map((entry) => {
    if ('server' in entry.setup) return createLink(ctx, entry, entry.setup.server, pools);
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
    use: refuse,
    compare: none,
    check: async () => ({ state: 'off', tools: 0, reason, lastLines: [] }),
    close: async () => {},
  };
}
