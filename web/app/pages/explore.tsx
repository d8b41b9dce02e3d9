import { AGENT_LIMITS } from '@atelier/contract/agents';
import type { PublicAgent } from '@atelier/contract/explore';
import { useCallback } from 'react';
import { Link, Outlet, useLocation, useNavigate, useSearchParams } from 'react-router';
import { AgentGrid } from '../features/explore/agent-grid.tsx';
import { TagSearch } from '../features/explore/tag-search.tsx';
import { UseAgentButton } from '../features/explore/use-agent-button.tsx';
import { FavoriteButton } from '../features/favorites/favorite-button.tsx';
import { useAuth } from '../lib/auth.tsx';
import { ownPageMeta } from '../lib/page-meta.ts';
import { buttonClass } from '../ui/button.tsx';
import { AccountPage } from './frame-parts/account-page.tsx';

export const meta = () => ownPageMeta('Discover Public Agents');

/** /explore: everyone's public agents. One of them opens above the list, at its own address. */
export default function ExplorePage() {
  return (
    <AccountPage title="Discover Public Agents" width="wide">
      <Explore />
    </AccountPage>
  );
}

function Explore() {
  const navigate = useNavigate();
  const { search } = useLocation();
  const tag = (useSearchParams()[0].get('tag') ?? '').trim().toLowerCase().slice(0, AGENT_LIMITS.tag);
  const renderActions = useCallback(
    (agent: PublicAgent) => (
      <>
        <UseAgentButton
          agent={agent}
          size="sm"
          onCopied={(copy) => void navigate(`/library?${new URLSearchParams({ copied: copy.id })}`)}
        />
        <FavoriteButton agent={agent} />
      </>
    ),
    [navigate],
  );
  return (
    <>
      <TagSearch
        tag={tag}
        onChange={(next) =>
          void navigate(next === '' ? '/explore' : `/explore?${new URLSearchParams({ tag: next })}`, { replace: true })
        }
      />
      <AgentGrid tag={tag} search={search} renderActions={renderActions} empty={<Fill tag={tag} />} />
      <Outlet />
    </>
  );
}

/** The action for an empty list: see all, publish one, or create one before publishing is possible. */
function Fill({ tag }: { tag: string }) {
  const isPro = useAuth().me?.account.subscriptionStatus === 'pro';
  if (tag !== '') {
    return (
      <Link to="/explore" replace className={buttonClass()}>
        See all public agents
      </Link>
    );
  }
  return (
    <Link to={isPro ? '/library' : '/runtime'} className={buttonClass()}>
      {isPro ? 'Publish one of yours' : 'Create an agent of your own'}
    </Link>
  );
}
