import type { PublicAgent } from '@atelier/contract/explore';
import { Link } from 'react-router';
import { publicAgentPath } from '../../lib/addresses.ts';
import { IMITATION } from '../../lib/names/imitation.ts';
import { SeenName } from '../../lib/names/seen-text.tsx';

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
