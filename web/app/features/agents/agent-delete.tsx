import type { Agent } from '@atelier/contract/agents';
import { useState } from 'react';
import { toastError } from '../../lib/toast-error.ts';
import { Button } from '../../ui/button.tsx';
import { AlertDialog } from '../../ui/overlay/alert-dialog.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { useDeleteAgent } from './agents.api.ts';

export interface AgentDeleteProps {
  agent: Agent;
  onDeleted?: (agent: Agent) => void;
  size?: 'md' | 'sm';
}

/** The button that deletes an agent, after it has said what goes with it and what stays. */
export function AgentDelete({ agent, onDeleted, size }: AgentDeleteProps) {
  const [asking, setAsking] = useState(false);
  const remove = useDeleteAgent();
  const confirm = () =>
    // `mutateAsync`, because a notice may take the agent away before the request is answered.
    remove.mutateAsync(agent.id).then(() => {
      toast.success(`Agent “${agent.name}” deleted.`);
      onDeleted?.(agent);
    }, toastError);
  return (
    <>
      <Button
        variant="ghost"
        size={size}
        className="text-danger"
        loading={remove.isPending}
        onClick={() => setAsking(true)}
      >
        Delete
      </Button>
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Delete “${agent.name}”?`}
        body="Its memories are deleted for good. Its sessions stay readable, marked as “agent deleted”, and can't be continued. This can't be undone."
        confirmLabel="Delete agent"
        danger
        onConfirm={confirm}
      />
    </>
  );
}
