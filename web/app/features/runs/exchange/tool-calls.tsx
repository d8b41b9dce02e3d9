import type { Task } from '@atelier/contract/runs';
import { shownToolName, type ToolCall } from '@atelier/contract/tools';
import { Check, ChevronRight, CircleAlert, Hand } from '../../../ui/icons/lucide.ts';
import { Spinner } from '../../../ui/spinner.tsx';
import { ToolApproval } from './tool-approval.tsx';
import { askedText, durationText, resultText, wholeText } from './tool-call-text.ts';
import { ToolProgress } from './tool-progress.tsx';
import { ToolQuestion } from './tool-question.tsx';
import { ToolResult } from './tool-result.tsx';

/** The tools that an answer used, one expandable line each. */
export function ToolCalls({ task }: { task: Task }) {
  return (
    <ul aria-label="Tools used" className="flex max-w-[72ch] flex-col gap-1">
      {task.toolCalls.map((call) => (
        <li key={call.id}>
          <ToolLine call={call} />
          {call.state === 'running' && <ToolProgress call={call} />}
          {call.state === 'waiting' &&
            (call.asks ? (
              <ToolQuestion key={call.asks.id} task={task} call={call} asks={call.asks} />
            ) : (
              <ToolApproval task={task} call={call} />
            ))}
          <ToolResult task={task} call={call} />
        </li>
      ))}
    </ul>
  );
}

const STATES: Record<ToolCall['state'], string> = {
  running: 'running',
  waiting: 'waits for you',
  done: 'done',
  failed: 'failed',
};

function ToolLine({ call }: { call: ToolCall }) {
  const asked = askedText(call);
  return (
    <details className="group rounded border bg-surface text-sm">
      <summary className="flex min-h-9 cursor-pointer list-none items-center gap-2 px-2 hover:bg-sunken touch:min-h-11">
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted group-open:rotate-90" />
        <StateIcon state={call.state} />
        <span className="sr-only">{STATES[call.state]}: </span>
        <span title={call.name} className="max-w-[45%] shrink-0 truncate font-mono text-xs">
          {shownToolName(call.name)}
        </span>
        <span className="min-w-0 flex-1 truncate text-muted">{asked}</span>
        <span className="min-w-0 max-w-[40%] truncate">{resultText(call)}</span>
        <span className="shrink-0 font-mono text-muted text-xs">{durationText(call)}</span>
      </summary>
      <div className="flex flex-col gap-2 border-t p-2">
        <Part title="Asked" value={call.input} />
        {call.output !== undefined && (
          <Part title={call.state === 'failed' ? 'Failed' : 'Answered'} value={call.output} />
        )}
      </div>
    </details>
  );
}

function StateIcon({ state }: { state: ToolCall['state'] }) {
  if (state === 'running') return <Spinner className="size-4 shrink-0" />;
  if (state === 'waiting') return <Hand aria-hidden="true" className="size-4 shrink-0 text-warning" />;
  if (state === 'failed') return <CircleAlert aria-hidden="true" className="size-4 shrink-0 text-danger" />;
  return <Check aria-hidden="true" className="size-4 shrink-0 text-success" />;
}

function Part({ title, value }: { title: string; value: unknown }) {
  return (
    <div className="flex flex-col gap-1">
      <h3 className="font-semibold text-muted text-xs">{title}</h3>
      {/* A scrolling area must be reachable by keyboard. */}
      <pre
        tabIndex={0}
        className="max-h-64 overflow-auto whitespace-pre-wrap rounded bg-sunken p-2 font-mono text-xs [overflow-wrap:anywhere]"
      >
        {wholeText(value)}
      </pre>
    </div>
  );
}
