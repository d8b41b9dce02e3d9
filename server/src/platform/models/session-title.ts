import { isRecord, jsonIn } from '../parsed-json.ts';
import type { AskModel } from './models.ts';
import { offlineTitle } from './offline/title.ts';
import { cutTitle, plainText } from './title-cut.ts';

const PROVIDER_MAX = 60;

/** Asks the model for a title; uses our own when the result is useless, throws when the model fails. */
export async function providerTitle(
  ask: AskModel,
  input: { question: string; answer: string; tokens?: number },
): Promise<string> {
  const text = await ask({
    instructions:
      'You name conversations. Answer with the title alone: three to six words, in the language of the conversation, no quotation marks, no full stop.',
    prompt: `The person wrote: ${JSON.stringify(input.question.slice(0, 2_000))}\nThe answer began: ${JSON.stringify(input.answer.slice(0, 1_000))}`,
    allTokens: input.tokens,
  });
  return cleanTitle(text) ?? offlineTitle(input.question);
}

/** What models put before a title: “Here is a title for it:”, “Titre :”, “标题：”. */
const INTRODUCES =
  /^(?:(?:(?:sure|certainly|of course|okay)[!,.] ?)?(?:here(?:['’]s| is)|voici|hier ist|aquí (?:tienes|está)|aqui está|ecco)\b[^:：]{0,60}|(?:session |suggested |conversation )?(?:title|titel|titre|título|titulo|titolo|tytuł|başlık|name|название|заголовок|عنوان|العنوان|כותרת|शीर्षक|标题|標題|题目|タイトル|題名|제목)) ?[:：–-] ?/iu;
const LABELLED = /[:：]$/;
const THOUGHT_ENDS = /<\/(?:think|thinking|thought|reasoning)>/i;
const THINKS = /^\s*<(?:think|thinking|thought|reasoning)>/i;

/** The line of a model's answer that is the title: without thoughts, a fence, JSON and what introduces it. */
function titleLine(text: string): string {
  const answer = text.split(THOUGHT_ENDS).at(-1) ?? '';
  if (THINKS.test(answer)) return '';
  const json = jsonIn(answer);
  const named = isRecord(json) ? Object.values(json).find((value) => typeof value === 'string') : undefined;
  for (const line of (named ?? answer).split('\n')) {
    const bare = plainText(line.slice(0, 500)).replace(INTRODUCES, '');
    if (bare !== '' && !LABELLED.test(bare) && !line.trimStart().startsWith('```')) return bare;
  }
  return '';
}

/** A model's title in our form, or null when it is empty, too long or a refusal. */
export function cleanTitle(text: string): string | null {
  const bare = titleLine(text);
  if (
    Array.from(bare).length > 2 * PROVIDER_MAX ||
    /^(?:i['’]m sorry|i cannot|i can['’]t|as an ai|sure[,!]|\{|\[)/i.test(bare)
  )
    return null;
  const title = cutTitle(bare, PROVIDER_MAX);
  return /[\p{L}\p{N}]/u.test(title) ? title : null;
}
