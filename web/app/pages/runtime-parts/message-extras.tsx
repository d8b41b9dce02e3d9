import { Suspense } from 'react';
import { useAgents } from '../../features/agents/agents.api.ts';
import { drafts } from '../../features/runs/composer/run-stores.ts';
import { toast } from '../../ui/overlay/toast.tsx';
import { part } from '../../ui/part.tsx';

// Most agents use no tool servers.
const AttachButton = part(() => import('../../features/mcp/contents/attach-button.tsx'));

export interface MessageExtrasProps {
  /** Whose message is being written. */
  sessionId: string;
  agentId: string;
  /** Adds files to that message. Returns why some were left out, if so. */
  onFiles: (files: readonly File[]) => Promise<string | undefined>;
}

/** What the agent's tool servers can put into a message. */
export function MessageExtras({ sessionId, agentId, onFiles }: MessageExtrasProps) {
  const agent = useAgents().data?.find(({ id }) => id === agentId);
  const attach = async (files: readonly File[]) => {
    const problem = await onFiles(files);
    if (problem !== undefined) toast.error(problem);
  };
  if (!agent?.tools.some((id) => id.includes('__'))) return null;
  return (
    <Suspense>
      <AttachButton
        tools={agent.tools}
        onInsert={(quotation) => insertQuotation(sessionId, quotation)}
        onAttach={(files) => void attach(files)}
      />
    </Suspense>
  );
}

function insertQuotation(sessionId: string, quotation: string) {
  const written = drafts.read(sessionId).trimEnd();
  drafts.write(sessionId, `${written}${written === '' ? '' : '\n\n'}${quotation}\n\n`);
  // The dialog gives the focus back first.
  setTimeout(() => document.getElementById('composer')?.focus(), 200);
}
