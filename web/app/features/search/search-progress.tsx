import { SENTENCES } from '@atelier/contract/errors';
import { errorText } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import type { TypedSearch } from './use-typed-search.ts';

/** The progress of the search, below the list. */
export function Progress({ search }: { search: TypedSearch }) {
  const { q, asked, isPro, loaded, error, again, groups, late } = search;
  const nothing = groups.length === 0 ? `Nothing was found for “${q}”.` : '';
  const said = error
    ? errorText(error)
    : loaded
      ? [nothing, late ? SENTENCES.wordsOnly : ''].filter(Boolean).join(' ')
      : 'Searching…';
  return (
    <div className="flex flex-wrap items-center gap-x-3 px-5 text-muted text-sm">
      <p role="status" className="py-2 empty:hidden">
        {asked && isPro ? said : ''}
      </p>
      {asked && isPro && error && (
        <Button size="sm" className="my-2" onClick={again}>
          Try again
        </Button>
      )}
    </div>
  );
}
