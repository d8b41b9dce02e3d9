import { type Shared, type SharedExchange, shareToken } from '@atelier/contract/shares';
import { withoutServerKey } from '@atelier/contract/tools';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { notFound } from '../../platform/errors.ts';
import { redactFields } from '../../platform/redact.ts';
import { copyAgent } from '../forks/forks.service.ts';
import { getSession } from '../sessions/sessions.service.ts';
import { type LivingShare, type ShownTask, shareByToken, shownTasks } from './shares.queries.ts';
import { readSession } from './snapshot.service.ts';

/** The link of a token; the same 404 for one that is malformed, unknown or revoked, of a deleted session or a disabled account. */
async function findShared(ctx: Deps, token: string): Promise<LivingShare> {
  const [share] = shareToken.safeParse(token).success ? await shareByToken(ctx.db, token) : [];
  if (share === undefined) throw notFound('This link');
  return share;
}

/** What anyone with the link may read: words, agent and times; no account, no ids, and receipts only where the owner chose them. */
export async function readShared(ctx: Deps, token: string): Promise<Shared> {
  const shared = await findShared(ctx, token);
  const { share, session, agent } = shared;
  const { taskIds, hasEarlier } = share.follows ? await presentOf(ctx, shared) : share;
  const rows = taskIds.length === 0 ? [] : await shownTasks(ctx.db, share.userId, share.sessionId, taskIds);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const title = share.follows ? session.name : share.title;
  return {
    title: share.taskId === null ? title : null,
    agentName: agent.name,
    mayCopy: mayCopy(shared),
    hasEarlier,
    follows: share.follows,
    takenAt: share.takenAt.toISOString(),
    exchanges: taskIds.flatMap((id) => byId.get(id) ?? []).map((row) => toExchange(row, share.withReceipts)),
  };
}

/** The session's exchanges as its owner sees them now. */
const presentOf = async (ctx: Deps, { share }: LivingShare) =>
  readSession(ctx, await getSession(ctx.db, share.userId, share.sessionId));

const mayCopy = ({ agent }: LivingShare) => agent.isPublic && agent.deletedAt === null;

/** Copies the link's agent for the caller, without a word of what is shared; 404 unless the agent is public. */
export async function copySharedAgent(ctx: Deps, caller: Caller, token: string) {
  const shared = await findShared(ctx, token);
  if (!mayCopy(shared)) throw notFound('This agent');
  return copyAgent(ctx, caller, shared.agent);
}

const toExchange = (row: ShownTask, withReceipts: boolean): SharedExchange => ({
  timestamp: row.createdAt.toISOString(),
  agentName: row.agentName,
  inputText: row.inputText,
  message: row.message,
  offline: row.model === 'offline',
  memories: withReceipts ? row.memoryUsed.filter(({ forgotten }) => !forgotten).map(toMemory) : [],
  calls: withReceipts ? row.toolCalls.map(toCall) : [],
});

/** Files are never shared: a passage shows only its kind. */
const toMemory = ({ kind, text, timestamp }: ShownTask['memoryUsed'][number]) =>
  kind === 'file' ? { kind, text: '', timestamp } : { kind, text, timestamp };

/** What was asked of a tool, not what it answered: that may be a file, a page, or somebody else's. */
const toCall = ({ name, input, state }: ShownTask['toolCalls'][number]) => ({
  name: withoutServerKey(name),
  ...(input === undefined ? {} : { input: redactFields(input) }),
  failed: state === 'failed',
});
