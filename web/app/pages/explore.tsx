import { AGENT_LIMITS } from '@atelier/contract/agents';
import { type PublicAgent, SEARCH_MAX } from '@atelier/contract/explore';
import { Outlet, useLocation } from 'react-router';
import { AgentGrid } from '../features/explore/agent-grid.tsx';
import { EXPLORE_FILTERS, type ExploreFilters as Filters } from '../features/explore/explore.api.ts';
import { ExploreFilters } from '../features/explore/explore-filters.tsx';
import { FavoriteButton } from '../features/favorites/favorite-button.tsx';
import { useAuth } from '../lib/auth.tsx';
import { ownPageMeta } from '../lib/page-meta.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { useFilters } from '../ui/list/use-filters.ts';
import { UseAndTry } from './explore-parts/use-and-try.tsx';
import { AccountPage } from './frame-parts/account-page.tsx';

export const meta = () => ownPageMeta('Discover Public Agents');

/** /explore: everyone's public agents. One of them opens above the list, at its own address. */
export default function ExplorePage() {
  const { search } = useLocation();
  const { filters, change } = useFilters(EXPLORE_FILTERS);
  // What somebody wrote into the address need not be what the fields allow.
  const tag = filters.tag.trim().toLowerCase().slice(0, AGENT_LIMITS.tag);
  const shown = { ...filters, tag, q: filters.q.trim().slice(0, SEARCH_MAX) };
  return (
    <AccountPage title="Discover Public Agents" width="wide">
      <ExploreFilters filters={shown} onChange={change} />
      <AgentGrid filters={shown} search={search} renderActions={renderActions} empty={<Fill filters={shown} />} />
      <Outlet />
    </AccountPage>
  );
}

const renderActions = (agent: PublicAgent) => (
  <>
    <UseAndTry agent={agent} size="sm" />
    <FavoriteButton agent={agent} />
  </>
);

/** The action for an empty list: see all, publish one, or create one before publishing is possible. */
function Fill({ filters: { tag, q } }: { filters: Filters }) {
  const isPro = useAuth().me?.account.subscriptionStatus === 'pro';
  if (tag !== '' || q !== '') {
    return (
      <ButtonLink to="/explore" replace>
        See all public agents
      </ButtonLink>
    );
  }
  return (
    <ButtonLink to={isPro ? '/library' : '/runtime'}>
      {isPro ? 'Publish one of yours' : 'Create an agent of your own'}
    </ButtonLink>
  );
}
