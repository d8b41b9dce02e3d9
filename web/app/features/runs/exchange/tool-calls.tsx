import type { Task } from '@atelier/contract/runs';
import { type Approval, shownToolName, type ToolCall } from '@atelier/contract/tools';
import { useEffect, useState } from 'react';
import { errorText } from '../../../lib/http.ts';
import { ErrorLine } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { useFocusPassedOn } from '../../../ui/focus/use-focus.ts';
import { Check, ChevronRight, CircleAlert, Hand } from '../../../ui/icons/lucide.ts';
import { Spinner } from '../../../ui/spinner.tsx';
import { useApproval } from '../runs.api.ts';
import { ServerQuestion } from './server-question.tsx';
import { callInputText, durationText, resultText, wholeText } from './tool-call-text.ts';
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
              <ServerQuestion key={call.asks.id} task={task} call={call} asks={call.asks} />
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
  const input = callInputText(call);
  return (
    <details className="group rounded border bg-surface text-sm">
      <summary className="flex min-h-9 cursor-pointer list-none items-center gap-2 px-2 hover:bg-sunken touch:min-h-11">
        <ChevronRight className="size-4 shrink-0 text-muted group-open:rotate-90" />
        <StateIcon state={call.state} />
        <span className="sr-only">{STATES[call.state]}: </span>
        <span title={call.name} className="max-w-[45%] shrink-0 truncate font-mono text-xs">
          {shownToolName(call.name)}
        </span>
        <span className="min-w-0 flex-1 truncate text-muted">{input}</span>
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
  if (state === 'waiting') return <Hand className="size-4 shrink-0 text-warning" />;
  if (state === 'failed') return <CircleAlert className="size-4 shrink-0 text-danger" />;
  return <Check className="size-4 shrink-0 text-success" />;
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

/** Asks before a call runs: everything it would send, where, and why the person has to decide. */
function ToolApproval({ task, call }: { task: Task; call: ToolCall }) {
  const approve = useApproval(task.sessionId);
  const group = useFocusPassedOn<HTMLDivElement>('before');
  const choice = (decision: Approval['decision']) => ({
    loading: approve.isPending && approve.variables.approval.decision === decision,
    onClick: () => {
      if (!approve.isPending) approve.mutate({ taskId: task.id, approval: { callId: call.id, decision } });
    },
  });
  const to = call.question?.to ?? '';
  const page = call.name === 'web_fetch' && URL.canParse(to) ? new URL(to) : null;
  const wish =
    page !== null
      ? 'wants to fetch this address:'
      : call.question
        ? `wants to send this to the server “${call.question.to}”:`
        : 'wants to run with:';
  return (
    <div
      ref={group}
      role="group"
      aria-label={`May “${shownToolName(call.name)}” run?`}
      className="mt-1 flex flex-col gap-2 rounded border border-edge bg-raised p-3 text-sm"
    >
      <p>
        <span className="break-all font-mono">{shownToolName(call.name)}</span> {wish}
      </p>
      <pre
        tabIndex={0}
        className="max-h-64 overflow-auto whitespace-pre-wrap rounded bg-sunken p-2 font-mono text-xs [overflow-wrap:anywhere]"
      >
        {wholeText(page === null ? call.input : page.href)}
      </pre>
      {call.question && <p>{call.question.why}</p>}
      {page !== null && (
        <p>
          If you allow it, the agent may also follow links on pages of {page.host}: for this answer, or for this
          session. Any other address asks again.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" {...choice('once')}>
          Allow once
        </Button>
        <Button size="sm" {...choice('session')}>
          {page === null ? 'Allow for this session' : `Allow ${page.host} for this session`}
        </Button>
        <Button size="sm" variant="ghost" {...choice('deny')}>
          Deny
        </Button>
      </div>
      {approve.isError && <ErrorLine>{errorText(approve.error)}</ErrorLine>}
    </div>
  );
}

/** A shorter call needs no clock. */
const SHOWN_AFTER_S = 2;

/** How long a call has been working, and how far it is by its server's own count. */
function ToolProgress({ call }: { call: ToolCall }) {
  const seconds = useSeconds();
  const { progress } = call;
  if (progress === undefined && seconds < SHOWN_AFTER_S) return null;
  const { done = 0, total, message } = progress ?? {};
  const share = total !== undefined && total > 0 ? Math.min(1, Math.max(0, done / total)) : undefined;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-2 py-1 text-muted text-sm">
      {share !== undefined && (
        <span
          role="progressbar"
          aria-label="Progress"
          aria-valuenow={Math.round(share * 100)}
          className="block h-2 w-32 overflow-hidden rounded-full border border-edge bg-sunken"
        >
          <span className="block h-full bg-ink" style={{ width: `${share * 100}%` }} />
        </span>
      )}
      {share !== undefined && <span className="font-mono text-xs">{Math.round(share * 100)} %</span>}
      {message !== undefined && <span className="min-w-0 [overflow-wrap:anywhere]">{message}</span>}
      <span className="font-mono text-xs">{clock(seconds)}</span>
    </div>
  );
}

const clock = (seconds: number) =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`;

/** Seconds since this was first shown: the server's clock may differ from this one. */
function useSeconds(): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const begun = performance.now();
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - begun) / 1000)), 1000);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}
