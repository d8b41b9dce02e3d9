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
      <p>
        Your copy of “<SeenName name={copy.name} />” is saved.
      </p>
      {/* Below, because notices cover the right. */}
      <Button ref={focus} variant="primary" className="mt-2" onClick={() => chat.start(copy)}>
        <span>
          Chat with <SeenName name={copy.name} />
        </span>
      </Button>
    </Banner>
  );
}
