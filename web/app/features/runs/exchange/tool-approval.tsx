import type { Task } from '@atelier/contract/runs';
import { type Approval, shownToolName, type ToolCall } from '@atelier/contract/tools';
import { errorText } from '../../../lib/http.ts';
import { ErrorLine } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { useFocusPassedOn } from '../../../ui/focus/use-focus-passed-on.ts';
import { useApproval } from '../runs.api.ts';
import { wholeText } from './tool-call-text.ts';

/** Asks before a call runs: everything it would send, where, and why the person has to decide. */
export function ToolApproval({ task, call }: { task: Task; call: ToolCall }) {
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
