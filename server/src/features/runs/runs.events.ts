import type { MemoryItem } from '@atelier/contract/memory';
import type { Task, TaskEvent } from '@atelier/contract/runs';
import type { ToolCall } from '@atelier/contract/tools';
import type { AgentRow } from '../agents/agents.table.ts';
import type { ToolRoom } from './engine/budget.ts';
import type { Exposure } from './engine/exposure.ts';
import type { TaskRow } from './runs.table.ts';

/** One run on this process: what it works on, how far its event log has come, and the way to stop it. */
export interface Run {
  uid: string;
  taskId: string;
  sessionId: string;
  attempt: number;
  inputText: string;
  agent: AgentRow;
  plan: 'free' | 'pro';
  /** Memories that the person had left out. */
  without: string[];
  /** Set while the run is prepared: the session has grown long, and its beginning is to be summarised. */
  isLong?: boolean;
  /** Sequence number of the last event that was handed to the log. */
  seq: number;
  controller: AbortController;
  /** What has entered the prompt so far that is private or that others wrote. */
  exposure: Exposure;
  /** The uses of tools so far, in the order in which they began. */
  toolCalls: ToolCall[];
  /** What tools may still answer; set while the run is prepared. */
  toolRoom?: ToolRoom;
}

/** Why a run's controller was aborted; decides how the task ends. */
export type StopReason = 'cancelled' | 'shutdown' | 'lost';

export class RunStopped extends Error {
  readonly reason: StopReason;
  constructor(reason: StopReason) {
    super(`run stopped: ${reason}`);
    this.name = 'RunStopped';
    this.reason = reason;
  }
}

/** What may be appended while a task runs; `done` alone is not in the log, it is the task itself. */
export type LoggedEvent =
  | { type: 'memory'; items: MemoryItem[]; partial?: boolean }
  | { type: 'delta'; text: string }
  | { type: 'tool'; call: Task['toolCalls'][number] };

export const IN_FLIGHT = ['running', 'waiting'] as const;
export const isInFlight = (status: Task['status']) => status === 'running' || status === 'waiting';

/** A call that was under way when its run ended will not go on. */
const settled = (call: ToolCall): ToolCall =>
  call.state === 'done' || call.state === 'failed'
    ? call
    : { ...call, state: 'failed', output: 'The answer ended before this call did.' };

/** The task as it crosses the wire. `progress` is what the event log holds of a task in flight. */
export function toTask(
  row: TaskRow,
  more: { progress?: { text: string; seq: number } | undefined; retriedBy?: string | null } = {},
): Task {
  return {
    id: row.id,
    sessionId: row.sessionId,
    timestamp: row.createdAt.toISOString(),
    agentName: row.agentName,
    inputText: row.inputText,
    message: more.progress?.text ?? row.message,
    seq: more.progress?.seq ?? row.lastSeq,
    status: row.status,
    model: row.model,
    memoryUsed: row.memoryUsed,
    ...(row.memoryPartial ? { memoryPartial: true } : {}),
    toolCalls: isInFlight(row.status) ? row.toolCalls : row.toolCalls.map(settled),
    usage: row.tokenUsage,
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.retryOf === null ? {} : { retryOf: row.retryOf }),
    ...(row.without.length > 0 ? { without: row.without.length } : {}),
    ...(more.retriedBy ? { retriedBy: more.retriedBy } : {}),
  };
}

export const doneEvent = (task: Task): TaskEvent => ({ type: 'done', seq: task.seq, task });
