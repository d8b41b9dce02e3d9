import type { PublicAgent } from '@atelier/contract/explore';
import { Link } from 'react-router';
import { publicAgentPath } from '../../lib/addresses.ts';
import { IMITATION } from '../../lib/names/imitation.ts';
import { SeenName, SeenText } from '../../lib/names/seen-text.tsx';

/** Tags as hashtags; each leads to the agents that carry it. */
export function TagLinks({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul aria-label="Tags" className="flex flex-wrap gap-x-3 gap-y-1">
      {tags.map((tag) => (
        <li key={tag}>
          <Link
            to={`/explore?${new URLSearchParams({ tag })}`}
            className="inline-flex items-center rounded text-muted text-sm underline-offset-4 hover:text-ink hover:underline touch:min-h-11"
          >
            #{tag}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Says of an agent whose name looks like an earlier one’s that it is another author’s. */
export function ImitationMark({ imitates }: Pick<PublicAgent, 'imitates'>) {
  if (imitates === null) return null;
  return (
    <p className="text-sm text-warning">
      {IMITATION}{' '}
      <Link
        to={publicAgentPath(imitates.creatorId, imitates.agentId)}
        className="inline-flex items-center rounded underline underline-offset-2 touch:min-h-11"
      >
        “<SeenName name={imitates.name} />”
      </Link>
    </p>
  );
}

/** Ways to begin with an agent. */
export function Starters({ starters, whole = false }: { starters: readonly string[]; whole?: boolean }) {
  if (starters.length === 0) return null;
  return (
    <ul aria-label="Ways to begin" className="flex flex-col gap-1 text-sm">
      {starters.map((starter, at) => (
        <li key={at} className={whole ? '' : 'truncate'}>
          “<SeenText text={starter} />”
        </li>
      ))}
    </ul>
  );
}
