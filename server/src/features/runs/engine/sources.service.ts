import type { MemoryItem } from '@atelier/contract/memory';
import type { Deps } from '../../../platform/deps.ts';
import { findTainted, hasTainted } from './context.queries.ts';
import { type Exposure, expose, type Source } from './exposure.ts';
import type { Run } from './run.ts';

const MEMORIES: Source = { label: 'what this agent remembers' };
const FILES: Source = { label: 'the files of this agent' };
const CONVERSATION: Source = { label: 'earlier messages of this session' };
const QUOTED: Source = { label: 'earlier answers that drew on words of others' };
const PROMPT: Source = { label: 'the prompt of this agent, which somebody else wrote' };

/** Records what recalled memories and passages bring into the prompt. A file contains its author’s words. */
export async function noteRecalled(
  ctx: Deps,
  run: Run,
  exposure: Exposure,
  items: readonly Pick<MemoryItem, 'id' | 'kind'>[],
): Promise<void> {
  if (items.some(({ kind }) => kind === 'file')) expose(exposure, FILES, ['private', 'untrusted']);
  if (items.some(({ kind }) => kind !== 'file')) expose(exposure, MEMORIES, ['private']);
  const answers = items.filter(({ kind }) => kind === 'agent').map(({ id }) => id);
  if (await findTainted(ctx.db, run.uid, answers)) expose(exposure, QUOTED, ['untrusted']);
}

/** Records what the agent itself and the conversation so far bring into the prompt. */
export async function noteConversation(
  ctx: Deps,
  run: Run,
  exposure: Exposure,
  told: { history: readonly { readUntrusted: boolean }[]; summary: { until: Date } | undefined },
): Promise<void> {
  const { history, summary } = told;
  if (run.agent.foreignPrompt) expose(exposure, PROMPT, ['untrusted']);
  if (history.length > 0 || summary !== undefined) expose(exposure, CONVERSATION, ['private']);
  const quotes = summary !== undefined && (await hasTainted(ctx.db, run.uid, run.sessionId, summary.until));
  if (quotes || history.some(({ readUntrusted }) => readUntrusted)) expose(exposure, QUOTED, ['untrusted']);
}
