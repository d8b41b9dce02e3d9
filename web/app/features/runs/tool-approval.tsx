import type { Task } from '@atelier/contract/runs';
import { type Approval, shownToolName, type ToolCall } from '@atelier/contract/tools';
import { errorText } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { useFocusPassedOn } from '../../ui/use-focus-passed-on.ts';
import { useApproval } from './runs.api.ts';
import { wholeText } from './tool-call-text.ts';

/** A tool that changes something asks before it does. */
export function ToolApproval({ task, call }: { task: Task; call: ToolCall }) {
  const approve = useApproval(task.sessionId);
  const group = useFocusPassedOn<HTMLDivElement>('before');
  const choice = (decision: Approval['decision']) => ({
    loading: approve.isPending && approve.variables.approval.decision === decision,
    onClick: () => {
      if (!approve.isPending) approve.mutate({ taskId: task.id, approval: { callId: call.id, decision } });
    },
  });
  return (
    <div
      ref={group}
      role="group"
      aria-label={`May ${shownToolName(call.name)} run?`}
      className="mt-1 flex flex-col gap-2 rounded border border-edge bg-raised p-3 text-sm"
    >
      <p>
        <span className="break-all font-mono">{shownToolName(call.name)}</span> wants to change something outside of
        this conversation, with:
      </p>
      <pre
        tabIndex={0}
        className="max-h-40 overflow-auto whitespace-pre-wrap rounded bg-sunken p-2 font-mono text-xs [overflow-wrap:anywhere]"
      >
        {wholeText(call.input)}
      </pre>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" {...choice('once')}>
          Allow once
        </Button>
        <Button size="sm" {...choice('session')}>
          Allow for this session
        </Button>
        <Button size="sm" variant="ghost" {...choice('deny')}>
          Deny
        </Button>
      </div>
      {approve.isError && (
        <p role="alert" className="text-danger">
          {errorText(approve.error)}
        </p>
      )}
    </div>
  );
}
