import { AGENT_LIMITS } from '@atelier/contract/agents';
import { SEARCH_MAX } from '@atelier/contract/explore';
import { Link, useLocation } from 'react-router';
import { ChoiceField, SearchField } from '../../ui/list/filters.tsx';
import { type ExploreFilters as Filters, usePublicTags } from './explore.api.ts';

export interface ExploreFiltersProps {
  filters: Filters;
  onChange: (change: Partial<Filters>) => void;
}

// As it stands on the cards.
const asTag = (typed: string) => typed.toLowerCase().replace(/^#/u, '');

/** Filters public agents by words and by one exact tag, and orders them. */
export function ExploreFilters({ filters: { q, tag, sort }, onChange }: ExploreFiltersProps) {
  return (
    <search className="flex flex-col gap-4">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-4 sm:grid-cols-[2fr_1fr_1fr]">
        <div className="col-span-2 sm:col-span-1">
          <SearchField
            label="Search by words"
            words={q}
            maxLength={SEARCH_MAX}
            placeholder="In names and descriptions"
            onChange={(words) => onChange({ q: words })}
          />
        </div>
        <SearchField
          label="Search by tag"
          words={tag}
          clean={asTag}
          maxLength={AGENT_LIMITS.tag}
          placeholder="travel"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(next) => onChange({ tag: next })}
        />
        <ChoiceField
          label="Sort by"
          all="Most favorites"
          choices={[{ id: 'new', name: 'Newest' }]}
          chosen={sort}
          onChange={(order) => onChange({ sort: order })}
        />
      </div>
      <TagChips tag={tag} />
    </search>
  );
}

/** The tags that public agents have. The one that filters comes first where it is rare; pressed again, it filters no more. */
function TagChips({ tag }: { tag: string }) {
  const { search } = useLocation();
  const tags = usePublicTags().data ?? [];
  const to = (next: string) => {
    const filters = new URLSearchParams(search);
    if (next === tag) filters.delete('tag');
    else filters.set('tag', next);
    return `/explore?${filters}`;
  };
  const shown = tag === '' || tags.includes(tag) ? tags : [tag, ...tags];
  return (
    // One line, which is there before the tags are: nothing moves when they come. It scrolls where it is too narrow, and fades at the edge.
    <ul
      aria-label="Tags of public agents"
      className="flex min-h-8 gap-2 max-lg:mask-r-from-[calc(100%-2rem)] max-lg:overflow-x-auto max-lg:pr-8 max-lg:[scrollbar-width:none] touch:min-h-11"
    >
      {shown.map((one) => (
        <li key={one} className="min-w-0 max-w-36 max-lg:shrink-0">
          <Link
            to={to(one)}
            replace
            preventScrollReset
            aria-current={one === tag || undefined}
            title={`#${one}`}
            className="-outline-offset-2 block truncate rounded-full border px-3 text-muted text-sm leading-8 hover:border-edge hover:text-ink aria-[current]:border-ink aria-[current]:bg-sunken aria-[current]:font-semibold aria-[current]:text-ink touch:leading-11"
          >
            #{one}
          </Link>
        </li>
      ))}
    </ul>
  );
}
