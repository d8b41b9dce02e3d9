import { generateText, type LanguageModel } from 'ai';

const TITLE_MAX = 60;
const SAYS_SOMETHING = /[\p{L}\p{N}]{2}/u;
const UNTITLED = 'New conversation';
/** What people put before the matter itself. */
const LEAD_IN =
  /^(?:(?:hi|hello|hey|ok(?:ay)?|so|well|please|thanks|good (?:morning|afternoon|evening))(?:\s+(?:there|again|everyone))?[\s,.!:;–—-]+)+|^(?:(?:can|could|would|will) you(?: please)?|please|i(?:'d| would) like (?:you )?to(?: know)?|i want (?:you )?to|tell me(?: about)?|help me(?: to| with)?|do you know|remember(?: that)?|note(?: that)?)\s+/i;

/** A title of at most 60 characters from the person's own first words; never empty. */
export function offlineTitle(question: string): string {
  let words = plainText(question);
  for (let round = 0; round < 4; round += 1) {
    const rest = words.replace(LEAD_IN, '');
    if (rest === words || !SAYS_SOMETHING.test(rest)) break;
    words = rest;
  }
  words = words.split(/(?<=[.!?])\s+/).find((part) => SAYS_SOMETHING.test(part)) ?? '';
  const title = finish(words);
  return title === '' ? UNTITLED : title;
}

/** Asks the model for a title; its nonsense is replaced by our own, its failure is thrown. */
export async function providerTitle(
  model: LanguageModel,
  input: { question: string; answer: string },
  signal: AbortSignal,
): Promise<string> {
  const { text } = await generateText({
    model,
    instructions:
      'You name conversations. Answer with the title alone: three to six words, in the language of the conversation, no quotation marks, no full stop.',
    prompt: `The person wrote: ${JSON.stringify(input.question.slice(0, 2_000))}\nThe answer began: ${JSON.stringify(input.answer.slice(0, 1_000))}`,
    abortSignal: signal,
    maxRetries: 0,
  });
  return cleanTitle(text) ?? offlineTitle(input.question);
}

/** A model's title in our shape, or null where it is none: empty, a speech, a refusal. */
export function cleanTitle(text: string): string | null {
  const thought = text.replace(/<think>[\s\S]*?<\/think>/gi, '');
  const line = thought.split('\n').find((part) => part.trim() !== '') ?? '';
  const bare = plainText(line).replace(/^(?:title|session title|name)\s*[:–-]\s*/i, '');
  if (
    Array.from(bare).length > 2 * TITLE_MAX ||
    /^(?:i['’]m sorry|i cannot|i can['’]t|as an ai|sure[,!]|\{|\[)/i.test(bare)
  )
    return null;
  const title = finish(bare);
  return /[\p{L}\p{N}]/u.test(title) ? title : null;
}

/** Markdown, links and control characters out; one line. */
function plainText(text: string): string {
  return text
    .slice(0, 2_000)
    .toWellFormed()
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/<[^>]{0,200}>/g, ' ')
    .replace(/[*_`#>|~]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Cut at a word, bare of quotation marks and closing punctuation, first letter large. */
function finish(text: string): string {
  const bare = (part: string) => part.replace(/^[\s"'“”‘’«»(\-–—:;,.]+|[\s"“”‘’«»\-–—:;,.!?…'(]+$/gu, '');
  const points = Array.from(bare(text));
  let title = points.join('');
  if (points.length > TITLE_MAX) {
    const cut = points.slice(0, TITLE_MAX + 1).join('');
    const atWord = cut.lastIndexOf(' ');
    title = bare(atWord > TITLE_MAX / 3 ? cut.slice(0, atWord) : points.slice(0, TITLE_MAX).join(''));
  }
  return title.replace(/^\p{Ll}/u, (first) => first.toUpperCase());
}
