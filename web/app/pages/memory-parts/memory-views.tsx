import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Facts } from './facts.tsx';
import { Said } from './said.tsx';

/** The two views, and the way between them. */
export function Shelf() {
  const { isSaid, agentId } = useView();
  return (
    <>
      <nav aria-label="Views" className="-mt-2 flex gap-5 border-b">
        <ViewLink to={addressOf('facts', agentId)} current={!isSaid}>
          Facts
        </ViewLink>
        <ViewLink to={addressOf('said', agentId)} current={isSaid}>
          Messages
        </ViewLink>
      </nav>
      {isSaid ? <Said /> : <Facts />}
    </>
  );
}

function useView() {
  const [search] = useSearchParams();
  return { isSaid: search.get('view') === 'said', agentId: search.get('agentId') ?? '' };
}

function addressOf(view: 'facts' | 'said', agentId: string): string {
  const query = new URLSearchParams({
    ...(view === 'said' ? { view } : {}),
    ...(agentId === '' ? {} : { agentId }),
  });
  return query.size === 0 ? '/memory' : `/memory?${query}`;
}

function ViewLink({ to, current, children }: { to: string; current: boolean; children: ReactNode }) {
  return (
    <Link
      to={to}
      aria-current={current ? 'page' : undefined}
      className="-mb-px inline-flex min-h-10 items-center border-transparent border-b-2 text-muted hover:text-ink aria-[current=page]:border-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink touch:min-h-11"
    >
      {children}
    </Link>
  );
}
