import type { PublicAgent } from '@atelier/contract/explore';
import { Button } from '../../ui/button.tsx';
import { Star } from '../../ui/icons/lucide.ts';
import { useToggleFavorite } from './favorites.api.ts';

/** Adds or removes a favorite; shows the number of favorites. */
export function FavoriteButton({ agent }: { agent: PublicAgent }) {
  const toggle = useToggleFavorite();
  const { creatorId, id, favorited, favoriteCount } = agent;
  return (
    <Button
      size="sm"
      variant="ghost"
      aria-pressed={favorited}
      // One call at a time, so that the last press is also the last one to reach the server.
      onClick={() => !toggle.isPending && toggle.mutate({ creatorId, id, favorited: !favorited })}
    >
      <Star className={favorited ? 'size-4 fill-current' : 'size-4'} />
      Favorite
      <span className="font-mono font-normal text-muted">
        <span className="sr-only">, favorited </span>
        {favoriteCount}
        <span className="sr-only"> {favoriteCount === 1 ? 'time' : 'times'}</span>
      </span>
    </Button>
  );
}
