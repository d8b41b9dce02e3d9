import type { PublicAgent } from '@atelier/contract/explore';
import { useNavigate } from 'react-router';
import { useAgents } from '../../features/agents/agents.api.ts';
import { UseAgentButton } from '../../features/explore/use-agent-button.tsx';
import { useTryAgent } from '../../features/explore/use-try-agent.ts';
import { useStartChat } from '../../features/sessions/use-start-chat.ts';
import { whileHere } from '../../lib/navigate-after.ts';
import { Button, type ButtonProps } from '../../ui/button.tsx';

export interface UseAndTryProps extends Pick<ButtonProps, 'size'> {
  agent: PublicAgent;
  /** The look of “Try it”. */
  variant?: ButtonProps['variant'];
}

/** Copies a public agent into one’s library, or opens a chat with it. */
export function UseAndTry({ agent, size, variant }: UseAndTryProps) {
  const navigate = useNavigate();
  const attempt = useTry();
  return (
    <>
      <UseAgentButton
        agent={agent}
        size={size}
        onCopied={(copy) => void navigate(`/library?${new URLSearchParams({ copied: copy.id })}`)}
      />
      <Button size={size} variant={variant} loading={attempt.isPending} onClick={() => attempt.run(agent)}>
        Try it
      </Button>
    </>
  );
}

/** Opens a chat with a public agent, if one more session is allowed. */
export function useTry() {
  const agents = useAgents();
  const chat = useStartChat();
  const { run, isPending } = useTryAgent(async () => agents.data ?? (await agents.refetch()).data ?? []);
  return { run: (agent: PublicAgent) => void (chat.mayStart() && run(agent, whileHere(chat.start))), isPending };
}
