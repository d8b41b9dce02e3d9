import type { SavedPrompt } from '@atelier/contract/prompts';

/** The id of the list in the page, and of each of its options. */
export const MENU = 'prompt-menu';
export const optionId = (index: number) => `${MENU}-${index}`;

/** Longer texts that begin with a slash are messages. */
const QUERY_MAX = 60;

/** What is searched for by a composer's text: what follows a slash at its start. Null for a message. */
export function slashQuery(text: string): string | null {
  return text.startsWith('/') && !text.includes('\n') && text.length <= QUERY_MAX ? text.slice(1) : null;
}

/** The prompts that a query may mean: names that begin with it first, then names and texts that contain it. */
export function matchPrompts(prompts: readonly SavedPrompt[], query: string): SavedPrompt[] {
  const sought = query.trim().toLowerCase();
  const rank = ({ name, text }: SavedPrompt) => {
    const at = name.toLowerCase().indexOf(sought);
    if (at === 0) return 0;
    if (at > 0) return 1;
    return text.toLowerCase().includes(sought) ? 2 : 3;
  };
  return prompts
    .map((prompt) => ({ prompt, rank: rank(prompt) }))
    .filter((ranked) => ranked.rank < 3)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ prompt }) => prompt);
}

/** A composer's text with a prompt in it: in the place of nothing or of a search, behind anything else. */
export const withPrompt = (text: string, prompt: string): string =>
  text.trim() === '' || slashQuery(text) !== null ? prompt : `${text.trimEnd()}\n\n${prompt}`;
