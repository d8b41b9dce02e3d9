import type { Agent } from '@atelier/contract/agents';
import { SENTENCES } from '@atelier/contract/errors';
import type { PublicAgent } from '@atelier/contract/explore';
import { Button, type ButtonSize } from '../../ui/button.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { useCopyAgent } from './explore.api.ts';

export interface UseAgentButtonProps {
  agent: PublicAgent;
  onCopied: (copy: Agent) => void;
  size?: ButtonSize;
}

/** Copies a public agent into one's own library. */
export function UseAgentButton({ agent, onCopied, size }: UseAgentButtonProps) {
  const copy = useCopyAgent();
  const use = () =>
    copy.mutate(agent, {
      onSuccess: (made) => {
        toast.success(SENTENCES.agentSaved);
        onCopied(made);
      },
      onError: () => toast.error(SENTENCES.agentSaveFailed),
    });
  return (
    <Button size={size} loading={copy.isPending} onClick={use}>
      Use This Agent
    </Button>
  );
}
