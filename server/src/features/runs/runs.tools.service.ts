import type { ToolCall } from '@atelier/contract/tools';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import type { ModelTool, RefusedCall } from '../../platform/models/models.ts';
import { storableJson } from '../../platform/storable-json.ts';
import { type OpenedTool, openTools, runTool } from '../tools/tools.service.ts';
import { isGranted, waitForDecision } from './runs.approval.service.ts';
import { IN_FLIGHT, type Run, RunStopped } from './runs.events.ts';
import { untilAnswered } from './runs.lease.service.ts';
import type { EventLog } from './runs.log.ts';
import { tasks } from './runs.table.ts';
import { readable, VALUE_MAX } from './runs.tool-values.ts';

/** A model that asks for more calls than this within one answer gets none of them. */
export const CALLS_MAX = 24;
/** A model may make up a name of any length. */
const NAME_MAX = 100;

/** The tools of the run's agent as its model may call them: none without Pro, whatever a copy brought along. */
export async function openRunTools(ctx: Deps, log: EventLog, run: Run): Promise<ModelTool[]> {
  const tools = await openTools(ctx, { uid: run.uid, plan: run.plan, ids: run.agent.tools });
  return tools.map((tool) => ({
    name: tool.id,
    description: tool.description,
    inputSchema: tool.inputSchema,
    execute: (input) => callTool(ctx, log, run, tool, input),
  }));
}

/** A call as it is shown from its beginning on. */
function beginCall(run: Run, asked: { name: string; input: unknown }): ToolCall {
  const call: ToolCall = {
    // Ours and not the provider's, which may repeat itself or send anything.
    id: `call-${run.toolCalls.length + 1}`,
    name: String(storableJson(asked.name)),
    state: 'running',
    input: readable(storableJson(asked.input)),
    startedAt: new Date().toISOString(),
  };
  run.toolCalls.push(call);
  run.toolRoom?.asked(asked.input);
  return call;
}

/** Shows a call that can't be begun; the model is told by whoever refused it. */
export async function refuseCall(ctx: Deps, log: EventLog, run: Run, refused: RefusedCall): Promise<void> {
  if (run.toolCalls.length >= CALLS_MAX) return;
  const call = beginCall(run, { ...refused, name: refused.name.slice(0, NAME_MAX) });
  await showCall(ctx, log, run, Object.assign(call, { state: 'failed', output: storableJson(refused.sentence) }));
}

/** Runs one call and shows it in the timeline from its beginning to its end; what goes wrong is told to the model. */
async function callTool(ctx: Deps, log: EventLog, run: Run, tool: OpenedTool, input: unknown): Promise<unknown> {
  if (run.toolCalls.length >= CALLS_MAX) return { error: `An answer may use at most ${CALLS_MAX} tool calls.` };
  const call = beginCall(run, { name: tool.id, input });
  const show = (change: Partial<ToolCall>) => showCall(ctx, log, run, Object.assign(call, change));
  /** What came back, as far as there is room for it: the same is told to the model and shown to the person. */
  const fitting = (value: unknown) => {
    const output = readable(storableJson(value), Math.min(VALUE_MAX, run.toolRoom?.next ?? VALUE_MAX));
    run.toolRoom?.answered(output);
    return output;
  };
  const fail = async (sentence: string, change: Partial<ToolCall> = {}) => {
    const output = fitting(sentence);
    await show({ ...change, state: 'failed', output });
    return { error: output };
  };
  if (tool.writes && !(await untilAnswered(ctx, run, () => isGranted(ctx, run, tool.id)))) {
    await show({ state: 'waiting' });
    const decision = await waitForDecision(ctx, run, call.id);
    if (decision === 'deny') return fail('The person did not allow this call.');
    if (decision === 'late') return fail('Nobody answered whether this call may run.');
  }
  await show({ state: 'running' });
  const begun = performance.now();
  const { uid, plan, sessionId, controller } = run;
  const use = { ctx, uid, plan, sessionId, agentId: run.agent.id, signal: controller.signal };
  const result = await runTool(tool, input, use);
  const ms = Math.round(performance.now() - begun);
  if ('failed' in result) return fail(result.failed, { ms });
  const output = fitting(result.output);
  await show({ state: 'done', output, ms });
  return output;
}

/** The last write of each run's calls: on several connections an older one could come after a newer. */
const writes = new WeakMap<Run, Promise<void>>();

/** Writes the calls to the task, as long as it is ours, and tells whoever follows. */
function showCall(ctx: Deps, log: EventLog, run: Run, call: ToolCall): Promise<void> {
  const shown = { ...call };
  const written = (writes.get(run) ?? Promise.resolve())
    .then(() => untilAnswered(ctx, run, () => writeCalls(ctx, run)))
    .then(() => log.append(run, { type: 'tool', call: shown }));
  writes.set(
    run,
    written.catch(() => {}),
  );
  return written;
}

async function writeCalls(ctx: Deps, run: Run): Promise<void> {
  const status = run.toolCalls.some((c) => c.state === 'waiting') ? 'waiting' : 'running';
  run.controller.signal.throwIfAborted();
  const written = await ctx.db
    .update(tasks)
    .set({ toolCalls: run.toolCalls, status })
    .where(
      and(
        eq(tasks.userId, run.uid),
        eq(tasks.id, run.taskId),
        eq(tasks.leaseOwner, ctx.processId),
        eq(tasks.attempt, run.attempt),
        inArray(tasks.status, [...IN_FLIGHT]),
      ),
    )
    .returning({ cancelled: sql<boolean>`${tasks.cancelRequestedAt} is not null` });
  // The SDK tells the model what a tool throws and goes on, so the run itself is ended.
  if (written[0] === undefined) run.controller.abort(new RunStopped('lost'));
  else if (written[0].cancelled) run.controller.abort(new RunStopped('cancelled'));
  run.controller.signal.throwIfAborted();
}
