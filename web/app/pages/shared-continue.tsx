import { agentSlug } from '@atelier/contract/ids';
import { sharedPath } from '@atelier/contract/shares';
import { useParams } from 'react-router';
import { useStartChat } from '../features/sessions/use-start-chat.ts';
import { useCopyShared, useShared } from '../features/shares/shares.api.ts';
import { ApiError, errorText } from '../lib/http.ts';
import { LoadFailure } from '../lib/load-failure.tsx';
import { ownPageMeta } from '../lib/page-meta.ts';
import { AgentMark } from '../ui/agent-mark.tsx';
import { ErrorLine } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { AccountPage } from './frame-parts/account-page.tsx';

export const meta = () => [...ownPageMeta('Continue'), { name: 'robots', content: 'noindex' }];

/** /shared/:token/continue: makes a copy of the link's public agent, to talk with. */
export default function SharedContinuePage() {
  const { token = '' } = useParams();
  return (
    <AccountPage title="Continue with a copy">
      <Offer token={token} />
    </AccountPage>
  );
}

function Offer({ token }: { token: string }) {
  const shared = useShared(token);
  const copy = useCopyShared(token);
  const chat = useStartChat();
  const isGone = shared.error instanceof ApiError && shared.error.status === 404;
  if (isGone || shared.data?.mayCopy === false) return <NotOffered token={isGone ? null : token} />;
  if (shared.isLoadingError) return <LoadFailure of={shared} />;
  if (!shared.data) return <Skeleton className="h-48" />;
  const start = () => chat.mayStart() && copy.mutate(undefined, { onSuccess: chat.start });
  return (
    <section className="flex flex-col items-start gap-4 rounded-lg border bg-raised p-6">
      <h2 className="flex items-center gap-3 font-semibold text-xl">
        <AgentMark id={agentSlug(shared.data.agentName)} size={40} />
        {shared.data.agentName}
      </h2>
      <p className="max-w-prose">
        You get a private copy of this agent to talk with. What you read stays where it is: the copy remembers none of
        it.
      </p>
      {copy.isError && <ErrorLine>{errorText(copy.error)}</ErrorLine>}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" loading={copy.isPending} onClick={start}>
          Copy it and start
        </Button>
        <ButtonLink to={sharedPath(token)} variant="ghost">
          Back to the conversation
        </ButtonLink>
      </div>
    </section>
  );
}

function NotOffered({ token }: { token: string | null }) {
  return (
    <EmptyState
      title="The agent behind this link is not public, or was removed."
      action={
        <ButtonLink to={token === null ? '/explore' : sharedPath(token)}>
          {token === null ? 'See all public agents' : 'Back to the conversation'}
        </ButtonLink>
      }
    />
  );
}
