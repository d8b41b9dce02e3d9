import type { Agent } from '@atelier/contract/agents';
import { AgentDialog } from '../../features/agents/agent-dialog.tsx';
import { AgentFiles } from '../../features/files/agent-files.tsx';
import { ForkNotice } from '../../features/forks/fork-notice.tsx';
import { McpServers } from '../../features/mcp/mcp-servers.tsx';

export interface RuntimeAgentDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The agent to edit, as it was when the dialog opened; without one, the dialog creates one. */
  agent: Agent | undefined;
  onSaved: (agent: Agent) => void;
}

/** The workspace's agent form, with the agent's files, its original and the tool servers. */
export default function RuntimeAgentDialog({ agent, ...dialog }: RuntimeAgentDialogProps) {
  return (
    <AgentDialog
      {...dialog}
      agent={agent}
      servers={<McpServers />}
      files={agent && <AgentFiles agentId={agent.id} />}
      notice={agent && <ForkNotice agent={agent} />}
    />
  );
}
