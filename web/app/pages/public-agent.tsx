import type { PublicAgent } from '@atelier/contract/explore';
import { useLocation, useNavigate, useParams } from 'react-router';
import { usePublicAgent } from '../features/explore/explore.api.ts';
import { PublicAgentView } from '../features/explore/public-agent-view.tsx';
import { FavoriteButton } from '../features/favorites/favorite-button.tsx';
import { ApiError } from '../lib/http.ts';
import { LoadFailure } from '../lib/load-failure.tsx';
import { SeenName } from '../lib/names/seen-text.tsx';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy-button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Link2 } from '../ui/icons/lucide.ts';
import { Dialog } from '../ui/overlay/dialog.tsx';
import { toast } from '../ui/overlay/toast.tsx';
import { Loading } from '../ui/skeleton.tsx';
import { UseAndTry } from './explore-parts/use-and-try.tsx';

/** /explore/:creatorId/:agentId: one public agent in full, above the list. */
export default function PublicAgentPage() {
  const { creatorId = '', agentId = '' } = useParams();
  const { search } = useLocation();
  const navigate = useNavigate();
  const agent = usePublicAgent(creatorId, agentId);
  const gone = agent.error instanceof ApiError && agent.error.status === 404;
  const shown = gone ? undefined : agent.data;
  const close = () => void navigate(`/explore${search}`, { preventScrollReset: true });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title={shown ? <SeenName name={shown.name} /> : gone ? 'Not found' : 'Public agent'}
      size="lg"
      tall
      footer={shown && <Actions agent={shown} />}
    >
      {shown && <PublicAgentView agent={shown} />}
      {agent.isPending && (
        <Loading
          label="Loading the agent"
          className="flex flex-col gap-4"
          parts={['h-12 w-2/3', 'h-6', 'h-48 sm:h-32', 'h-25 w-1/3']}
        />
      )}
      {gone ? (
        <EmptyState
          title="This agent is no longer public, or never was. Its address may be wrong."
          action={<Button onClick={close}>See all public agents</Button>}
        />
      ) : (
        <LoadFailure of={agent} />
      )}
    </Dialog>
  );
}

function Actions({ agent }: { agent: PublicAgent }) {
  const share = async () => {
    const address = location.href.replace(location.search, '');
    if (await copyText(address, 'The address could not be copied. You can copy it from the address bar.'))
      toast.success('Address copied.');
  };
  return (
    <>
      <FavoriteButton agent={agent} />
      <Button size="sm" variant="ghost" onClick={share}>
        <Link2 className="size-4" />
        Copy address
      </Button>
      <span className="flex-1" />
      <UseAndTry agent={agent} variant="primary" />
    </>
  );
}
