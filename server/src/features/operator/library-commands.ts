import { printable } from '../../platform/printable.ts';
import type { ActsContext } from './account-acts.service.ts';
import { type Commands, unless } from './commands.ts';
import { dismissByOperator, listLibrary, unpublishByOperator } from './library.service.ts';

/** As many as fit into a reply of the running server. */
const SHOWN = 20;

const actAt = (address: string, reason: string) => {
  const [creatorId = '', agentId = ''] = address.split(/\/(.*)/su, 2);
  return { actorId: null, creatorId, agentId, reason };
};
const noAgent = (address: string) => unless(`There is no public agent ${address}.`);

/** Commands about public agents. */
export const libraryCommands: Commands<ActsContext> = {
  library: (ctx, { words }) => report(ctx, words.join(' ')),
  'dismiss-reports': async (ctx, { words: [address, ...more], reason }) => {
    if (address === undefined || more.length > 0) return null;
    return dismissByOperator(ctx, actAt(address, reason)).then(
      (isDone) => (isDone ? 'The reports are closed.' : 'No report of this agent is open.'),
      noAgent(address),
    );
  },
  unpublish: async (ctx, { words: [address, ...more], reason }) => {
    if (address === undefined || more.length > 0 || reason === '') return null;
    return unpublishByOperator(ctx, actAt(address, reason)).then(
      () => 'The agent is private now; its author reads why.',
      noAgent(address),
    );
  },
};

async function report(ctx: ActsContext, words: string): Promise<string> {
  const search = words.trim();
  const { agents, nextCursor } = await listLibrary(ctx, { search, limit: SHOWN, cursor: undefined });
  if (agents.length === 0) return search === '' ? 'No public agent is reported.' : 'No public agent matches.';
  const lines = agents.map(({ creatorId, agentId, name, creatorName, creatorEmail, reportCount, reports }) => {
    const about = `${creatorId}/${agentId}  “${name}” by ${creatorName} <${creatorEmail}>, reports: ${reportCount}`;
    return [about, ...reports.map(({ at, kind, words: why }) => `  ${at}  ${kind}  ${why.replaceAll('\n', ' ')}`)];
  });
  const more = nextCursor === null ? [] : ['There are more: name words to find others.'];
  return printable([...lines.flat(), ...more].join('\n'));
}
