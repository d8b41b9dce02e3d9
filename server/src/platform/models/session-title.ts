import type { Ask } from './models.ts';
import { offlineTitle } from './offline/title.ts';
import { plainText } from './title-clauses.ts';
import { cutTitle } from './title-cut.ts';

const PROVIDER_MAX = 60;

/** Asks the model for a title; uses our own when the result is useless, throws when the model fails. */
export async function providerTitle(ask: Ask, input: { question: string; answer: string }): Promise<string> {
  const text = await ask({
    instructions:
      'You name conversations. Answer with the title alone: three to six words, in the language of the conversation, no quotation marks, no full stop.',
    prompt: `The person wrote: ${JSON.stringify(input.question.slice(0, 2_000))}\nThe answer began: ${JSON.stringify(input.answer.slice(0, 1_000))}`,
  });
  return cleanTitle(text) ?? offlineTitle(input.question);
}

/** A model's title in our form, or null when it is empty, too long or a refusal. */
export function cleanTitle(text: string): string | null {
  const line = text.split('\n').find((part) => part.trim() !== '');
  const bare = plainText((line ?? '').slice(0, 500)).replace(/^(?:title|session title|name)\s*[:–-]\s*/i, '');
  if (
    Array.from(bare).length > 2 * PROVIDER_MAX ||
    /^(?:i['’]m sorry|i cannot|i can['’]t|as an ai|sure[,!]|\{|\[)/i.test(bare)
  )
    return null;
  const title = cutTitle(bare, PROVIDER_MAX);
  return /[\p{L}\p{N}]/u.test(title) ? title : null;
}
