import type { ToolLeftOut } from '@atelier/contract/tools';
import type { Deps } from '../../../platform/deps.ts';
import type { OpenedTool } from '../../tools/tools.service.ts';
import { isLeasedHere, untilAnswered } from '../engine/lease.service.ts';
import type { Run } from '../engine/run.ts';
import { tasks } from '../runs.table.ts';

const LISTED_MAX = 1_000;

/** Notes on the task which of the agent's tools its model is not offered directly. */
export async function noteOmittedTools(
  ctx: Deps,
  run: Run,
  { searchable, missing }: { searchable: readonly OpenedTool[]; missing: readonly string[] },
): Promise<void> {
  const omitted: ToolLeftOut[] = [
    ...missing.map((id) => ({ id, why: 'missing' as const })),
    ...searchable.map(({ id }) => ({ id, why: 'room' as const })),
  ];
  if (omitted.length === 0) return;
  const toolsLeftOut = omitted.slice(0, LISTED_MAX);
  await untilAnswered(ctx, run, () => ctx.db.update(tasks).set({ toolsLeftOut }).where(isLeasedHere(ctx, run)));
}
