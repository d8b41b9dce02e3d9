import { setTimeout as pause } from 'node:timers/promises';
import { withoutServerQuotes } from '@atelier/contract/mcp/server-contents';
import { type Approval, approval, type ToolCall } from '@atelier/contract/tools';
import { and, eq, sql } from 'drizzle-orm';
import type { Deps } from '../../../platform/deps.ts';
import type { OpenedTool } from '../../tools/tools.service.ts';
import { tasks, toolGrants } from '../runs.table.ts';
import { type CallTarget, dangerOf, type Exposure } from './exposure.service.ts';
import { untilAnswered } from './lease.service.ts';
import { namedBy, sentAs, siteOf } from './named-addresses.ts';
import type { Run } from './run.ts';

type Decision = Approval['decision'];

// Another process may receive the decision. Polling is quick enough, because a person decides.
const LOOK_EVERY_MS = 500;
const WAIT_MS = 30 * 60 * 1000;

/** Whether the person has allowed this tool, as shown, for the whole session. */
export async function isGranted(ctx: Deps, run: Run, tool: string, question: ApprovalRequest): Promise<boolean> {
  const [grant] = await ctx.db
    .select({ dangerous: toolGrants.dangerous })
    .from(toolGrants)
    .where(
      and(
        eq(toolGrants.userId, run.uid),
        eq(toolGrants.sessionId, run.sessionId),
        eq(toolGrants.tool, tool),
        eq(toolGrants.binding, question.binding),
      ),
    );
  return grant !== undefined && (grant.dangerous || !question.isDangerous);
}

/** Allows a tool, as shown, for the rest of the run's session. */
export async function grantForSession(ctx: Deps, run: Run, tool: string, question: ApprovalRequest): Promise<void> {
  const { binding } = question;
  const dangerous = question.isDangerous && !question.isSite;
  await ctx.db
    .insert(toolGrants)
    .values({ userId: run.uid, sessionId: run.sessionId, tool, binding, dangerous })
    .onConflictDoUpdate({
      target: [toolGrants.userId, toolGrants.sessionId, toolGrants.tool, toolGrants.binding],
      set: { dangerous: sql`${toolGrants.dangerous} or excluded.dangerous` },
    });
}

/** Waits for the person's decision on a call; `late` after half an hour. Throws the abort reason when the run is stopped. */
export async function waitForDecision(ctx: Deps, run: Run, callId: string): Promise<Decision | 'late'> {
  const reply = await waitForReply(ctx, run, callId);
  return reply === null ? 'late' : approval.shape.decision.parse(reply);
}

/** Waits for what the person says under an id, as text; null after half an hour, or once `gaveUp` aborts. Throws the abort reason when the run is stopped. */
export async function waitForReply(ctx: Deps, run: Run, id: string, gaveUp?: AbortSignal): Promise<string | null> {
  const { signal } = run.controller;
  const find = () =>
    ctx.db
      .select({ word: sql<string | null>`${tasks.approvals} ->> ${id}` })
      .from(tasks)
      .where(and(eq(tasks.userId, run.uid), eq(tasks.id, run.taskId)));
  // Not the wall clock: it may be set forward while the person decides.
  for (const until = performance.now() + WAIT_MS; performance.now() < until && gaveUp?.aborted !== true; ) {
    signal.throwIfAborted();
    const [row] = await untilAnswered(ctx, run, find);
    if (row?.word) return row.word;
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
  return null;
}

/** Why a call asks the person, and what an approval of it is tied to. */
export interface ApprovalRequest {
  shown: NonNullable<ToolCall['question']>;
  /** The tool's hash as shown, or the one site to allow. */
  binding: string;
  /** Whether this call could carry private data to the author of something in the prompt. */
  isDangerous: boolean;
  /** It is about a page: an approval, even of one address, covers links on pages of its site, and never an address that could carry data. */
  isSite: boolean;
}

const listed = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** Where a call sends its input; null when it stays here, or its address is invalid. */
export function destinationOf(tool: OpenedTool, input: unknown): CallTarget | null {
  if (tool.server !== null) return { server: tool.id.split('__', 1)[0] ?? '', label: tool.server };
  const address = tool.addressOf?.(input);
  const page = address === undefined ? null : URL.parse(address);
  return page === null ? null : { page };
}

/**
 * The question to ask before a call may run; null when none is needed. An address needs none when the person wrote it in full or, while
 * nothing by others is in the prompt, named its host. A link that stood unchanged in a page of its own site asks once for the site.
 */
export function questionFor(
  run: Run,
  exposure: Exposure,
  tool: OpenedTool,
  to: CallTarget | null,
): ApprovalRequest | null {
  if (tool.isOff) return null;
  const page = to !== null && 'page' in to ? to.page : null;
  const named = page === null ? null : namedBy(withoutServerQuotes(run.inputText), page);
  const danger = to === null || named === 'exact' ? null : dangerOf(exposure, to);
  const isLink = page !== null && exposure.links.get(siteOf(page))?.has(sentAs(page)) === true;
  const why = [
    ...(tool.writes ? ['It can change something outside of this conversation.'] : []),
    ...(changedSince(run, tool) ? ['Its server may have changed it since you turned it on for this agent.'] : []),
    ...(page !== null && named === null ? ['Your message does not name this address.'] : []),
    ...(danger !== null && isLink ? ['It is a link on a page of this site.'] : []),
    ...(danger !== null && !isLink
      ? [
          `This answer uses ${listed.format(danger.secrets)} together with text written by others: ${listed.format(danger.writers)}. Such text may try to send your data away.`,
        ]
      : []),
  ];
  if (why.length === 0) return null;
  const shown = { why: why.join(' '), to: to === null ? '' : 'page' in to ? to.page.href : to.label };
  const isDangerous = danger !== null && !isLink;
  return { shown, binding: page === null ? (tool.hash ?? '') : siteOf(page), isDangerous, isSite: page !== null };
}

/** Whether a server's tool has changed since the person turned it on for the agent. */
const changedSince = ({ agent }: Run, { id, hash }: OpenedTool): boolean =>
  hash !== null && !agent.toolPins.some(([tool, pinned]) => tool === id && pinned === hash);
