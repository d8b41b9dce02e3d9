import type { PublicAgent } from '@atelier/contract/explore';
import { useNavigate } from 'react-router';
import { UseAgentButton } from '../../features/explore/use-agent-button.tsx';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { useTry } from './use-try.ts';

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
