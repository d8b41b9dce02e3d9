import type { ToolCall } from '@atelier/contract/tools';
import { sql } from 'drizzle-orm';
import type { Deps } from '../../../platform/deps.ts';
import type { McpAnswer } from '../../../platform/mcp/mcp-connection.ts';
import { AnswerWithMedia, type ModelInfo, type ModelTool, type RefusedCall } from '../../../platform/models/models.ts';
import { storableJson } from '../../../platform/storable-json.ts';
import {
  CALL_TOOL,
  CALL_TOOL_SETTINGS,
  findNamed,
  searchTool,
  toolCallInput,
} from '../../tools/search-tools.service.ts';
import { type OpenedTool, openTools, runTool, type ToolExtras, type ToolUse } from '../../tools/tools.service.ts';
import { askForServer } from '../calls/ask-for-server.service.ts';
import { keepMedia, mediaFor } from '../calls/keep-media.service.ts';
import { showProgress } from '../calls/show-progress.ts';
import { tasks } from '../runs.table.ts';
import {
  type ApprovalRequest,
  destinationOf,
  grantForSession,
  isGranted,
  questionFor,
  waitForDecision,
} from './await-decision.service.ts';
import type { ToolRoom } from './budget.ts';
import { findTainted } from './context.queries.ts';
import { type Exposure, noteAnswer, noteRecalled } from './exposure.service.ts';
import { isLeasedHere, untilAnswered } from './lease.service.ts';
import type { EventLog } from './log.ts';
import { type Run, RunStopped } from './run.ts';
import { readable, VALUE_MAX } from './tool-values.ts';

/** The most calls in one answer; further calls are refused. */
export const CALLS_MAX = 24;
/** The longest tool name that is kept; a model may make up any name. */
const NAME_MAX = 100;
const TOO_LONG_TO_SHOW = 'This call asks the person, and its input is too long to be shown to them. Send less.';

/** The tools of the run's agent; none without Pro, whatever a copied agent brought along. */
export const openRunTools = (ctx: Deps, run: Run) =>
  openTools(ctx, { uid: run.uid, plan: run.plan, ids: run.agent.tools });

interface Calls {
  ctx: Deps;
  events: EventLog;
  run: Run;
  exposure: Exposure;
  room: ToolRoom;
  /** Whether the model gets the pictures and the sounds that tools answer. */
  model: Pick<ModelInfo, 'sight' | 'hearing'>;
  /** The calls so far, in the order in which they began. */
  all: ToolCall[];
  /** Resolves after the last write: on several connections an older write could overtake a newer one. */
  written: Promise<void>;
  /** Sites that the person has allowed, and the last question about each tool or site: the next may be answered by it. */
  allowedSites: Set<string>;
  turns: Map<string, Promise<unknown>>;
}

/** The tools for the run's model, which searches those of `searchable` and calls what it finds, and how to show a call that was refused. */
export function offerTools(
  { described, searchable }: { described: readonly OpenedTool[]; searchable: readonly OpenedTool[] },
  shared: Pick<Calls, 'ctx' | 'events' | 'run' | 'exposure' | 'room' | 'model'>,
): { tools: ModelTool[]; refuse: (refused: RefusedCall) => Promise<void> } {
  const begun = { all: [], written: Promise.resolve(), allowedSites: new Set<string>(), turns: new Map() };
  const calls: Calls = { ...shared, ...begun };
  const offered = searchable.length === 0 ? described : [...described, searchTool(searchable)];
  const tools = offered.map((tool) => ({
    name: tool.id,
    description: tool.description,
    inputSchema: tool.inputSchema,
    execute: (input: unknown) => callForRun(calls, tool, input),
  }));
  const callByName = {
    name: CALL_TOOL,
    ...CALL_TOOL_SETTINGS,
    execute: (request: unknown) => callNamedTool(calls, [...searchable, ...described], request),
  };
  return {
    tools: searchable.length === 0 ? tools : [...tools, callByName],
    refuse: (refused) => refuseCall(calls, refused),
  };
}

/** Calls a tool that the model found by searching. */
async function callNamedTool(calls: Calls, all: readonly OpenedTool[], request: unknown): Promise<unknown> {
  const { name = '', input } = toolCallInput.safeParse(request).data ?? {};
  const tool = findNamed(all, name);
  if (tool !== undefined) return callForRun(calls, tool, input ?? {});
  const sentence = `There is no tool “${name.slice(0, NAME_MAX)}”. Search for one by find_tools.`;
  await refuseCall(calls, { name: CALL_TOOL, input: request, sentence });
  return { error: sentence };
}

function beginCall({ all, room }: Calls, request: { name: string; input: unknown }): ToolCall {
  const call: ToolCall = {
    // Our own id, because a provider may repeat itself or send anything.
    id: `call-${all.length + 1}`,
    name: String(storableJson(request.name)),
    state: 'running',
    input: readable(request.input),
    startedAt: new Date().toISOString(),
  };
  all.push(call);
  room.charge(request.input);
  return call;
}

/** Shows a call that can't begin; the code that refused it has told the model. */
async function refuseCall(calls: Calls, refused: RefusedCall): Promise<void> {
  if (calls.all.length >= CALLS_MAX) return;
  const input = storableJson(refused.input);
  const call = beginCall(calls, { name: refused.name.slice(0, NAME_MAX), input });
  await showCall(calls, Object.assign(call, { state: 'failed', output: storableJson(refused.sentence) }));
}

/** Runs one call and shows it in the timeline from start to end; the model gets its errors as answers. */
async function callForRun(calls: Calls, tool: OpenedTool, input: unknown): Promise<unknown> {
  const { ctx, run, exposure, room } = calls;
  if (calls.all.length >= CALLS_MAX) return { error: `An answer may use at most ${CALLS_MAX} tool calls.` };
  const stored = storableJson(input);
  const call = beginCall(calls, { name: tool.id, input: stored });
  const show = (change: Partial<ToolCall>) => showCall(calls, Object.assign(call, change));
  /** The answer, as much as fits: the model and the person see the same. */
  const fitting = (value: unknown) => {
    return room.record(storableJson(value));
  };
  const fail = async (sentence: string, change: Partial<ToolCall> = {}) => {
    const output = fitting(sentence);
    await show({ ...change, state: 'failed', output });
    return { error: output };
  };
  const to = destinationOf(tool, stored);
  const question = questionFor(run, exposure, tool, to);
  const isWhole = call.input === stored;
  const refusal = question === null ? null : await inTurn(calls, question, () => ask(calls, call, question, isWhole));
  if (refusal !== null) return fail(refusal);
  await show({ state: 'running' });
  const begun = performance.now();
  const result = await workFor(calls, tool, { call, input: stored }, show);
  noteAnswer(exposure, to, 'failed' in result ? result.failed : result.output);
  const ms = Math.round(performance.now() - begun);
  if ('failed' in result) return fail(result.failed, { ms });
  const output = fitting(result.output);
  await show({ state: 'done', output, ...(await keepExtras(ctx, run, result.extras)), ms });
  const media = await mediaFor(calls.model, room, result.extras?.media ?? []);
  return media.length === 0 ? output : new AnswerWithMedia(output, media);
}

/** Runs a tool for a call, whose progress and questions are shown. */
async function workFor(
  { ctx, run, exposure }: Calls,
  tool: OpenedTool,
  { call, input }: { call: ToolCall; input: unknown },
  show: (change: Partial<ToolCall>) => Promise<void>,
) {
  const { uid, plan, sessionId, controller } = run;
  const onRecalled: ToolUse['onRecalled'] = async (items) => {
    const answers = items.filter(({ kind }) => kind === 'agent').map(({ id }) => id);
    noteRecalled(exposure, items, await findTainted(ctx.db, run.uid, answers));
  };
  let count = 0;
  let before: McpAnswer | undefined;
  const ask: ToolUse['ask'] = async (server, question) => {
    count += 1;
    return (before = await askForServer(ctx, run, { call, server, count, question, before }, show));
  };
  const { onProgress, stop } = showProgress(call, show);
  const { signal } = controller;
  const use = { ctx, uid, plan, sessionId, agentId: run.agent.id, signal, onRecalled, onProgress, ask };
  return runTool(tool, input, use).finally(stop);
}

/** What the person sees of an answer beside its text. */
async function keepExtras(ctx: Deps, run: Run, extras: ToolExtras | undefined): Promise<Partial<ToolCall>> {
  if (extras === undefined) return {};
  const media = await keepMedia(ctx, run, extras.media);
  const structured = readable(storableJson(extras.structured ?? null), VALUE_MAX);
  return {
    ...(media.length > 0 ? { media } : {}),
    ...(extras.links.length > 0 ? { links: extras.links } : {}),
    // A table that was cut into a text would be none.
    ...(typeof structured === 'object' && structured !== null ? { structured: { ...structured } } : {}),
  };
}

/** Asks about a tool or site after the earlier question about it: calls that were made at once may need only one answer. */
function inTurn<T>({ turns }: Calls, { binding }: ApprovalRequest, askNow: () => Promise<T>): Promise<T> {
  const answer = (turns.get(binding) ?? Promise.resolve()).then(askNow);
  turns.set(
    binding,
    answer.catch(() => {}),
  );
  return answer;
}

/** Asks the person whether a call may run, unless they have allowed it. Returns why it may not, or null. */
async function ask(calls: Calls, call: ToolCall, question: ApprovalRequest, isWhole: boolean): Promise<string | null> {
  const { ctx, run, allowedSites } = calls;
  if (allowedSites.has(question.binding) && !question.isDangerous) return null;
  if (await untilAnswered(ctx, run, () => isGranted(ctx, run, call.name, question))) return null;
  if (!isWhole) return TOO_LONG_TO_SHOW;
  await showCall(calls, Object.assign(call, { state: 'waiting', question: question.shown }));
  const decision = await waitForDecision(ctx, run, call.id);
  if (decision === 'deny') return 'The person did not allow this call.';
  if (decision === 'late') return 'Nobody allowed this call in time.';
  if (question.isSite) allowedSites.add(question.binding);
  if (decision === 'session') await untilAnswered(ctx, run, () => grantForSession(ctx, run, call.name, question));
  return null;
}

/** Stores the calls on the task, while this process holds it, and tells its followers. */
function showCall(calls: Calls, call: ToolCall): Promise<void> {
  const { ctx, events, run } = calls;
  const shown = { ...call };
  const written = calls.written
    .then(() => untilAnswered(ctx, run, () => writeCalls(calls)))
    .then(() => events.append(run, { type: 'tool', call: shown }));
  calls.written = written.catch(() => {});
  return written;
}

async function writeCalls({ ctx, run, all }: Calls): Promise<void> {
  const status = all.some((c) => c.state === 'waiting') ? 'waiting' : 'running';
  run.controller.signal.throwIfAborted();
  const written = await ctx.db
    .update(tasks)
    .set({ toolCalls: all, status })
    .where(isLeasedHere(ctx, run))
    .returning({ cancelled: sql<boolean>`${tasks.cancelRequestedAt} is not null` });
  // The SDK would report the error to the model and go on, so end the run itself.
  if (written[0] === undefined) run.controller.abort(new RunStopped('lost'));
  else if (written[0].cancelled) run.controller.abort(new RunStopped('cancelled'));
  run.controller.signal.throwIfAborted();
}
