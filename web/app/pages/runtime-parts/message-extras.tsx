import { useAgents } from '../../features/agents/agents.api.ts';
import { AttachButton } from '../../features/mcp/contents/attach-button.tsx';
import { drafts } from '../../features/runs/composer/run-stores.ts';
import { toast } from '../../ui/overlay/toast.tsx';

export interface MessageExtrasProps {
  /** Whose message is being written. */
  sessionId: string;
  agentId: string;
  /** Adds files to that message. Returns why some were left out, if so. */
  onFiles: (files: readonly File[]) => string | undefined;
}

/** What the agent's tool servers can put into a message. */
export function MessageExtras({ sessionId, agentId, onFiles }: MessageExtrasProps) {
  const agent = useAgents().data?.find(({ id }) => id === agentId);
  const attach = (files: readonly File[]) => {
    const problem = onFiles(files);
    if (problem !== undefined) toast.error(problem);
  };
  return (
    agent && (
      <AttachButton
        tools={agent.tools}
        onInsert={(quotation) => insertQuotation(sessionId, quotation)}
        onAttach={attach}
      />
    )
  );
}

function insertQuotation(sessionId: string, quotation: string) {
  const written = drafts.read(sessionId).trimEnd();
  drafts.write(sessionId, `${written}${written === '' ? '' : '\n\n'}${quotation}\n\n`);
  // The dialog gives the focus back first.
  setTimeout(() => document.getElementById('composer')?.focus(), 200);
}
