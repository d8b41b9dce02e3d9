import type { OperatorLink, ServerReport } from './operator-link.ts';

const STATES: Record<ServerReport['state'], string> = {
  ready: 'works',
  starting: 'has not answered yet',
  failed: 'does not work',
  off: 'is off',
};

/** Contacts the operator's servers and says how each is, for a terminal. */
export async function reportServers(links: readonly OperatorLink[]): Promise<string> {
  if (links.length === 0) return 'No tool servers are configured: MCP_SERVERS_FILE names none.';
  const reports = await Promise.all(links.map(async (link) => describe(link, await link.check())));
  return reports.join('\n');
}

function describe({ name, key }: OperatorLink, { state, tools, reason, lastLines }: ServerReport): string {
  const named = name === key ? name : `${name} (${key})`;
  const head = state === 'ready' ? `${named} works: ${tools} tools` : `${named} ${STATES[state]}`;
  const shown =
    state === 'ready' ? [] : [...(reason === '' ? [] : [`  ${reason}`]), ...lastLines.map((line) => `  | ${line}`)];
  return [head, ...shown].join('\n');
}
