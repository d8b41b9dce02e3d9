import { useSearchParams } from 'react-router';
import { useAgents } from '../../features/agents/agents.api.ts';
import { useStartChat } from '../../features/sessions/use-start-chat.ts';
import { SeenName } from '../../lib/names/seen-text.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';

const focus = (button: HTMLButtonElement | null) => button?.focus();

/** Offers a chat with the copy that was just made, which the address names. */
export function CopiedNotice() {
  const [search] = useSearchParams();
  const agents = useAgents();
  const chat = useStartChat();
  const copy = agents.data?.find((agent) => agent.id === search.get('copied'));
  if (!copy) return null;
  return (
    <Banner key={copy.id} tone="success">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1">
          Your copy of “<SeenName name={copy.name} />” is saved.
        </p>
        <Button ref={focus} variant="primary" onClick={() => chat.start(copy)}>
          Chat with <SeenName name={copy.name} />
        </Button>
      </div>
    </Banner>
  );
}
