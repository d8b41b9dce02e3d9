import { EXCERPT, excerpt } from '@atelier/contract/agents';
import type { PublicAgent } from '@atelier/contract/explore';
import type { Favorite } from '@atelier/contract/favorites';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { publicAgentPath } from '../../lib/addresses.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { SeenName, SeenText } from '../../lib/names/seen-text.tsx';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { Button } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { gridClass } from '../../ui/list/card-grid.tsx';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useFavorites, useToggleFavorite } from './favorites.api.ts';

interface FavoriteListProps {
  /** What must be said of an agent's name. */
  renderMark: (agent: PublicAgent) => ReactNode;
  renderActions: (agent: PublicAgent) => ReactNode;
}

/** The person's favorites, latest first, without agents that are no longer public. */
export function FavoriteList({ renderMark, renderActions }: FavoriteListProps) {
  const favorites = useFavorites();
  if (favorites.isPending) return <Skeleton className="h-24" />;
  if (!favorites.data) {
    return <LoadFailure of={favorites} />;
  }
  const all = favorites.data.pages.flatMap((page) => page.favorites);
  if (all.length === 0) {
    return (
      <EmptyState title="You have no favorites yet." action={<ButtonLink to="/explore">Explore Agents</ButtonLink>} />
    );
  }
  return (
    <>
      <ul aria-label="Favorited agents" className={gridClass}>
        {all.map((favorite) => (
          <FavoriteRow
            key={`${favorite.creatorId}/${favorite.agentId}`}
            favorite={favorite}
            mark={renderMark(favorite.agent)}
            actions={renderActions(favorite.agent)}
          />
        ))}
      </ul>
      <LoadMore list={favorites} />
    </>
  );
}

interface FavoriteRowProps {
  favorite: Favorite;
  mark: ReactNode;
  actions: ReactNode;
}

function FavoriteRow({ favorite: { agent }, mark, actions }: FavoriteRowProps) {
  const toggle = useToggleFavorite();
  const { creatorId, id } = agent;
  const set = (favorited: boolean) => toggle.mutate({ creatorId, id, favorited });
  const remove = () => {
    set(false);
    toast.success(`“${agent.name}” is no longer a favorite.`, { undo: () => set(true) });
  };
  return (
    <li>
      <article aria-label={agent.name} className="flex h-full flex-col gap-3 rounded-lg border bg-raised p-4">
        <div className="flex items-start gap-3">
          <AgentMark id={id} size={40} />
          <div className="min-w-0 flex-1">
            <h3 className="font-semibold">
              <Link
                to={publicAgentPath(creatorId, id)}
                className="rounded underline-offset-4 hover:underline touch:inline-block touch:min-h-11"
              >
                <SeenName name={agent.name} />
              </Link>
            </h3>
            {agent.description && (
              <p className="text-sm">
                <SeenText text={agent.description} />
              </p>
            )}
            <p className={agent.description ? 'text-muted text-sm' : 'text-sm'}>
              <SeenText text={excerpt(agent.prompt, EXCERPT.library)} />
            </p>
            <p className="mt-1 text-muted text-sm">
              by <SeenName name={agent.creatorName} />
            </p>
            {mark}
          </div>
        </div>
        <div className="mt-auto flex flex-wrap gap-2">
          {actions}
          <Button size="sm" variant="ghost" loading={toggle.isPending} onClick={remove}>
            Remove favorite
          </Button>
        </div>
      </article>
    </li>
  );
}
