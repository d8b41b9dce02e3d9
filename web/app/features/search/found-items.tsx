import { SENTENCES } from '@atelier/contract/errors';
import type { Passage } from '@atelier/contract/search';
import { whySentence } from '@atelier/contract/search/why-found';
import { Command } from 'cmdk';
import { IMITATION } from '../../lib/names/imitation.ts';
import { SeenName, SeenText } from '../../lib/names/seen-text.tsx';
import { dayOf } from '../../ui/formats.ts';
import { headingClass, itemClass } from './command-items.tsx';
import type { Result } from './search-results.ts';
import type { TypedSearch } from './use-typed-search.ts';

/** What the search found, each with the reason; for free accounts, how to get it. */
export function Found({ search, onGo }: { search: TypedSearch; onGo: (to: string) => void }) {
  if (search.asked && !search.isPro) {
    return (
      <Command.Group heading="Search" className={headingClass}>
        <Command.Item value="upgrade" onSelect={() => onGo('/billing')} className={itemClass}>
          <span>{SENTENCES.proFeature}</span>
          <span className="text-muted text-sm">Upgrade to search your sessions, memories and agents.</span>
        </Command.Item>
      </Command.Group>
    );
  }
  return search.groups.map(({ heading, results }) => (
    <Command.Group key={heading} heading={heading} className={headingClass}>
      {results.map((result) => (
        <Command.Item key={result.key} value={result.key} onSelect={() => onGo(result.to)} className={itemClass}>
          <ResultLine result={result} />
        </Command.Item>
      ))}
    </Command.Group>
  ));
}

function ResultLine({ result }: { result: Result }) {
  return (
    <>
      <span className="flex items-baseline gap-2">
        <span className="min-w-0 truncate font-semibold">
          <SeenName name={result.title} />
        </span>
        <span className="max-w-2/3 shrink-0 truncate text-muted text-sm">
          {result.at && dayOf(result.at)}
          {result.aside !== '' && result.at && ' · '}
          <SeenName name={result.aside} />
        </span>
      </span>
      {result.imitates !== undefined && (
        <span className="text-sm text-warning">
          {IMITATION} “<SeenName name={result.imitates} />”
        </span>
      )}
      {result.passage.length > 0 && <PassageText passage={result.passage} />}
      <span className="line-clamp-2 text-muted text-sm">{whySentence(result.why)}</span>
    </>
  );
}

function PassageText({ passage }: { passage: Passage }) {
  let at = 0;
  return (
    <span className="line-clamp-2 text-sm">
      {passage.map((part) => {
        at += part.text.length;
        return part.hit ? (
          <mark key={at} className="rounded-sm bg-sunken font-semibold text-ink underline underline-offset-2">
            <SeenText text={part.text} />
          </mark>
        ) : (
          <span key={at}>
            <SeenText text={part.text} />
          </span>
        );
      })}
    </span>
  );
}
