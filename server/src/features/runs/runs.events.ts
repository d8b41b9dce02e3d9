import type { MemoryItem } from '@atelier/contract/memory';
import { isInFlight, type Task, type TaskEvent } from '@atelier/contract/runs';
import type { ToolCall } from '@atelier/contract/tools';
import { toAttachment } from '../attachments/attachments.service.ts';
import type { TaskRow } from './runs.table.ts';

/** The events appended while a task runs. `done` is not in the log: it is the task itself. */
export type LoggedEvent =
  | { type: 'memory'; items: MemoryItem[]; partial?: boolean }
  | { type: 'delta'; text: string }
  | { type: 'thought'; text: string }
  | { type: 'wait'; why: string }
  | { type: 'tool'; call: Task['toolCalls'][number] };

/** A call that was under way when its run ended will not go on. */
const endedCall = (call: ToolCall): ToolCall =>
  call.state === 'done' || call.state === 'failed'
    ? call
    : { ...call, state: 'failed', output: 'The answer ended before this call did.' };

/** What the event log has of a running task. */
export interface RunProgress {
  text: string;
  thoughts: string;
  /** Why it waits, if that is the latest of its events. */
  wait: string | null;
  seq: number;
}

/** Where a task stands in its session's tree. */
export type TreePosition = Pick<Task, 'parentId' | 'siblings'>;

/** A task for the API. */
export function toTask(
  row: TaskRow,
  { parentId, siblings }: TreePosition,
  more: { progress?: RunProgress | undefined; retriedBy?: string | null } = {},
): Task {
  const thoughts = more.progress?.thoughts ?? row.thoughts;
  return {
    id: row.id,
    sessionId: row.sessionId,
    parentId,
    siblings,
    timestamp: row.createdAt.toISOString(),
    agentName: row.agentName,
    inputText: row.inputText,
    ...(row.attachments.length === 0
      ? {}
      : { attachments: row.attachments.map((sent) => toAttachment(sent, row.sessionId)) }),
    message: more.progress?.text ?? row.message,
    seq: more.progress?.seq ?? row.lastSeq,
    status: row.status,
    model: row.model,
    memoryUsed: row.memoryUsed,
    ...(row.memoryPartial ? { memoryPartial: true } : {}),
    ...(thoughts === '' ? {} : { thoughts }),
    ...(row.cut === null ? {} : { cut: row.cut }),
    ...(more.progress?.wait ? { wait: more.progress.wait } : {}),
    toolCalls: isInFlight(row.status) ? row.toolCalls : row.toolCalls.map(endedCall),
    ...(row.toolsLeftOut === null ? {} : { toolsLeftOut: row.toolsLeftOut }),
    usage: row.tokenUsage,
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.retryOf === null ? {} : { retryOf: row.retryOf }),
    ...(row.without.length > 0 ? { without: row.without.length } : {}),
    ...(more.retriedBy ? { retriedBy: more.retriedBy } : {}),
  };
}

export const doneEvent = (task: Task): TaskEvent => ({ type: 'done', seq: task.seq, task });
