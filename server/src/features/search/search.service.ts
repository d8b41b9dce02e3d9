import type { SearchAnswer, SearchQuery } from '@atelier/contract/search';
import type { Caller } from '../../access.ts';
import { searchWords } from '../../platform/database/text-search.ts';
import type { Deps } from '../../platform/deps.ts';
import { findByMeaning } from '../memory/near.service.ts';
import { relatedTerms, spelledTerms } from '../memory/wording.service.ts';
import { findByTerms } from './find-by-terms.service.ts';
import { findTitles, readNear } from './find-near.service.ts';
import { join, NOTHING } from './found.ts';

/**
 * Searches the caller's own data and public agents: first for all typed words, in any form, the last one perhaps a prefix; then for related
 * words; then by meaning, if there is an embedding model. If nothing was found, words that look mistyped are tried with one letter changed.
 * Text without a word finds nothing.
 */
export async function search(ctx: Deps, caller: Caller, { q, limit }: SearchQuery): Promise<SearchAnswer> {
  const words = searchWords(q);
  if (words.length === 0) return { ...NOTHING, meaning: 'none' };
  const { uid } = caller;
  const meant = findByMeaning(ctx, { userId: uid, text: q, titles: () => findTitles(ctx, uid) });
  let found = await findByTerms(ctx, caller, { words, terms: words, limit });
  const related = relatedTerms(words);
  if (related !== undefined) {
    const beside = { words, terms: related, without: words, limit, besides: found };
    found = join(found, await findByTerms(ctx, caller, beside), limit);
  }
  const { state, near, titles } = await meant;
  found = join(found, await readNear(ctx, caller, { q, near, titles }), limit);
  const spelled = Object.values(found).every((kind) => kind.length === 0) ? spelledTerms(words) : undefined;
  if (spelled !== undefined) found = await findByTerms(ctx, caller, { words, terms: spelled, limit });
  return { ...found, meaning: state };
}
