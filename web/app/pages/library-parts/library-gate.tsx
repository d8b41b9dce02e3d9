import { useSearchParams } from 'react-router';
import { ProGate } from '../../features/accounts/pro-gate.tsx';
import { useAgents } from '../../features/agents/agents.api.ts';
import { UpgradeButton } from '../../features/billing/upgrade-button.tsx';
import { useStartChat } from '../../features/sessions/use-start-chat.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';

/** For free accounts: how to get the library, and the copy they just made. */
export function Gate() {
  const [search] = useSearchParams();
  const agents = useAgents();
  const chat = useStartChat();
  const copy = agents.data?.find((agent) => agent.id === search.get('copied'));
  return (
    <ProGate upgrade={<UpgradeButton />}>
      {copy && (
        <Banner tone="success">
          <p>
            Your copy of “{copy.name}” is saved.{' '}
            <Button size="sm" loading={chat.isPending} onClick={() => chat.start(copy)}>
              Chat with {copy.name}
            </Button>
          </p>
        </Banner>
      )}
    </ProGate>
  );
}
