import type { Agent } from '@atelier/contract/agents';
import { AgentForm } from '../../features/agents/agent-form.tsx';
import { AgentFiles } from '../../features/files/agent-files.tsx';
import { ForkNotice } from '../../features/forks/fork-notice.tsx';
import { McpServers } from '../../features/mcp/mcp-servers.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';

export interface RuntimeAgentDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The agent to edit, as it was when the dialog opened; without one, the dialog creates one. */
  agent: Agent | undefined;
  onSaved: (agent: Agent) => void;
}

/** The workspace's agent form, with the agent's files, its original and the tool servers. It closes itself once saved or deleted. */
export default function RuntimeAgentDialog({ open, onOpenChange, agent, onSaved }: RuntimeAgentDialogProps) {
  const close = () => onOpenChange(false);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={agent ? 'Edit Agent' : 'Create Agent'} size="lg">
      <AgentForm
        key={agent?.id ?? 'new'}
        agent={agent}
        servers={<McpServers />}
        files={agent && <AgentFiles agentId={agent.id} />}
        notice={agent && <ForkNotice agent={agent} />}
        onCancel={close}
        onSaved={(saved) => {
          close();
          onSaved(saved);
        }}
        onDeleted={close}
      />
    </Dialog>
  );
}
