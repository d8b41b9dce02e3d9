import type { Agent } from '@atelier/contract/agents';
import { toastError } from '../../lib/toast-error.ts';
import { DangerButton } from '../../ui/overlay/danger-button.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { useDeleteAgent } from './agents.api.ts';

export interface AgentDeleteProps {
  agent: Agent;
  onDeleted?: (agent: Agent) => void;
  size?: 'md' | 'sm';
}

/** The button that deletes an agent, after it has said what goes with it and what stays. */
export function AgentDelete({ agent, onDeleted, size }: AgentDeleteProps) {
  const remove = useDeleteAgent();
  const confirm = () =>
    // `mutateAsync`, because a notice may take the agent away before the request is answered.
    remove.mutateAsync(agent.id).then(() => {
      toast.success(`Agent “${agent.name}” deleted.`);
      onDeleted?.(agent);
    }, toastError);
  return (
    <DangerButton
      size={size}
      loading={remove.isPending}
      title={`Delete “${agent.name}”?`}
      body="Its memories are deleted for good. Its sessions stay readable, marked as “agent deleted”, and can't be continued. This can't be undone."
      confirmLabel="Delete agent"
      onConfirm={confirm}
    >
      Delete
    </DangerButton>
  );
}
