import type { Environment } from './operator-entry.ts';
import { readOperatorServers } from './operator-file.ts';
import { type Context, createKeepers, OperatorLink } from './operator-link.ts';

/** Reads the operator's servers from the configuration, and logs what is wrong there. Starts nothing yet. */
export function openOperatorServers(ctx: Context, environment: Environment): OperatorLink[] {
  const { entries, problem } = readOperatorServers(ctx.config, environment);
  if (problem !== undefined) {
    ctx.log.info('mcp.file', { problem });
    entries.push({ name: 'MCP_SERVERS_FILE', key: '', setup: { off: problem } });
  }
  const keepers = createKeepers();
  return entries.map((entry) => {
    if ('off' in entry.setup && problem === undefined)
      ctx.log.info('mcp.off', { server: entry.name, reason: entry.setup.off });
    return new OperatorLink(ctx, entry, keepers);
  });
}
