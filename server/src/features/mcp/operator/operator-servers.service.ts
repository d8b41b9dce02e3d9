import { type Environment, readOperatorServers } from './operator-file.ts';
import { type Context, createKeepers, OperatorSource, type ServerReport } from './operator-source.ts';

/** Reads the operator's servers from the configuration, and logs what is wrong there. Starts nothing yet. */
export function openOperatorServers(ctx: Context, environment: Environment): OperatorSource[] {
  const { entries, problem } = readOperatorServers(ctx.config, environment);
  if (problem !== undefined) {
    ctx.log.info('mcp.file', { problem });
    entries.push({ name: 'MCP_SERVERS_FILE', key: '', setup: { off: problem } });
  }
  const keepers = createKeepers();
  return entries.map((entry) => {
    if ('off' in entry.setup && problem === undefined)
      ctx.log.info('mcp.off', { server: entry.name, reason: entry.setup.off });
    return new OperatorSource(ctx, entry, keepers);
  });
}

const STATES: Record<ServerReport['state'], string> = {
  ready: 'works',
  starting: 'has not answered yet',
  failed: 'does not work',
  off: 'is off',
};

/** Contacts the operator's servers and says how each is, for a terminal. */
export async function reportServers(sources: readonly OperatorSource[]): Promise<string> {
  if (sources.length === 0) return 'No tool servers are configured: MCP_SERVERS_FILE names none.';
  const reports = await Promise.all(sources.map(async (source) => describe(source, await source.check())));
  return reports.join('\n');
}

function describe({ name, key }: OperatorSource, { state, tools, reason, lastLines }: ServerReport): string {
  const named = name === key ? name : `${name} (${key})`;
  const head = state === 'ready' ? `${named} works: ${tools} tools` : `${named} ${STATES[state]}`;
  const shown =
    state === 'ready' ? [] : [...(reason === '' ? [] : [`  ${reason}`]), ...lastLines.map((line) => `  | ${line}`)];
  return [head, ...shown].join('\n');
}
