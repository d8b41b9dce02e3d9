import type { Reply } from '../../platform/command-socket.ts';
import { AppError } from '../../platform/errors.ts';
import { printable } from '../../platform/printable.ts';
import type { ActsContext } from './account-acts.service.ts';
import { dismissByOperator, listLibrary, unpublishByOperator } from './library.service.ts';

interface Command {
  command: string | undefined;
  /** The first word after the command. */
  email: string | undefined;
  rest: string[];
  reason: string;
}

/** As many as fit into a reply of the running server. */
const SHOWN = 20;

/** Runs a command about public agents; null for any other command, `usage` for one that isn't understood. */
export async function runLibraryCommand(ctx: ActsContext, parsed: Command): Promise<Reply | 'usage' | null> {
  const { command, email: address, rest, reason } = parsed;
  if (command === 'library') return report(ctx, [address ?? '', ...rest].join(' '));
  if (command !== 'unpublish' && command !== 'dismiss-reports') return null;
  if (address === undefined || rest.length > 0 || (command === 'unpublish' && reason === '')) return 'usage';
  const [creatorId = '', agentId = ''] = address.split(/\/(.*)/su, 2);
  const act = { actorId: null, creatorId, agentId, reason };
  try {
    if (command === 'dismiss-reports') {
      const isDone = await dismissByOperator(ctx, act);
      return { ok: true, message: isDone ? 'The reports are closed.' : 'No report of this agent is open.' };
    }
    await unpublishByOperator(ctx, act);
    return { ok: true, message: 'The agent is private now; its author reads why.' };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, message: `There is no public agent ${address}.` };
    throw error;
  }
}

async function report(ctx: ActsContext, words: string): Promise<Reply> {
  const search = words.trim();
  const { agents, nextCursor } = await listLibrary(ctx, { search, limit: SHOWN, cursor: undefined });
  if (agents.length === 0) {
    return { ok: true, message: search === '' ? 'No public agent is reported.' : 'No public agent matches.' };
  }
  const lines = agents.map(({ creatorId, agentId, name, creatorName, creatorEmail, reportCount, reports }) => {
    const about = `${creatorId}/${agentId}  “${name}” by ${creatorName} <${creatorEmail}>, reports: ${reportCount}`;
    return [about, ...reports.map(({ at, kind, words: why }) => `  ${at}  ${kind}  ${why.replaceAll('\n', ' ')}`)];
  });
  const more = nextCursor === null ? [] : ['There are more: name words to find others.'];
  return { ok: true, message: printable([...lines.flat(), ...more].join('\n')) };
}
