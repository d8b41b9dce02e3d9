import type { GenerateInput } from '../../../platform/models/models.ts';
import type { AgentRow } from '../../agents/agents.table.ts';
import type { Ahead } from '../../memory/rank-ahead.service.ts';
import type { LoggedEvent, TreePosition } from '../runs.events.ts';
import type { TaskRow } from '../runs.table.ts';
import type { RunContext } from './context.queries.ts';

/** One run in this process: its input, and how to stop it. */
export interface Run {
  readonly uid: string;
  readonly taskId: string;
  readonly sessionId: string;
  readonly attempt: number;
  readonly inputText: string;
  /** Where it stands in its session's tree. */
  readonly place: TreePosition;
  /** Pictures and files of the message. */
  readonly attachments: TaskRow['attachments'];
  readonly agent: AgentRow;
  /** A program added instructions to the agent's prompt. */
  readonly isInstructed: boolean;
  readonly plan: 'free' | 'pro';
  /** Memories that the person chose to leave out. */
  readonly without: readonly string[];
  /** The ranking of its memories, begun before it was accepted. */
  readonly ranking?: Ahead | undefined;
  /** What was read when it was accepted. */
  readonly context?: RunContext | undefined;
  /** The most that it may take, because that is reserved of a budget: in one call's window, in one call's answer, and in all. */
  readonly bound?: { readonly window: number; readonly answer: number; readonly tokens: number } | undefined;
  readonly controller: AbortController;
}

/** How the models are told how much a run may take. */
export const boundOf = ({ bound }: Run): Pick<GenerateInput, 'maxTokens' | 'allTokens'> =>
  bound === undefined ? {} : { maxTokens: bound.answer, allTokens: bound };

/** A numbered event of a run. */
export interface LoggedRow {
  run: Run;
  seq: number;
  event: LoggedEvent;
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
