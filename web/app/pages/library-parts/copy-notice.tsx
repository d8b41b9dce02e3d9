import type { Agent } from '@atelier/contract/agents';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { useAgents } from '../../features/agents/agents.api.ts';
import { useStartChat } from '../../features/sessions/use-start-chat.ts';
import { SeenName } from '../../lib/names/seen-text.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { isEngaged } from '../../ui/focus/is-engaged.ts';

/** The copy that was just made, and the way to talk with it. */
export function CopyNotice() {
  const copiedId = useSearchParams()[0].get('copied');
  const copy = useAgents().data?.find(({ id }) => id === copiedId);
  return copy && <Saved key={copy.id} copy={copy} />;
}

function Saved({ copy }: { copy: Agent }) {
  const chat = useStartChat();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isEngaged()) button.current?.focus();
  }, []);
  return (
    <Banner tone="success">
      <p>
        Your copy of “
        <SeenName name={copy.name} />” is saved.{' '}
        <Button ref={button} size="sm" onClick={() => chat.start(copy)}>
          Chat with {copy.name}
        </Button>
      </p>
    </Banner>
  );
}
