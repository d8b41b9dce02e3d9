import { hasQuestionMark, isQuestion, isRequest, sentencesOf } from '../../language/sentences.ts';
import { dropEnd } from '../../trim.ts';

type Intent = 'identity' | 'instructions' | 'greeting' | 'thanks' | 'recap' | 'request' | 'question' | 'statement';

const IDENTITY =
  /\b(?:what|which) (?:\w+ ){0,3}(?:model|llm|ai) (?:are you|is this|do you use|answers)|\bwho (?:are you|made you|built you)\b/i;
const ARE_YOU = /\b(?:are|r) (?:you|u)\b/gi;
const MACHINE =
  /\b(?:gpt|chatgpt|open ?ai|claude|gemini|llama|mistral|an? (?:ai|bot|robot|human|person|machine|language model)|real|human)\b/i;
/** How far after “are you” it may be, in characters. */
const NEAR = 30;
const INSTRUCTIONS =
  /\b(?:what (?:are|were) your (?:instructions|orders|rules)|your (?:system )?prompt|what (?:do|can) you do|what are you (?:for|here for))\b/i;
const GREETING = /^(?:hi|hello|hey|hiya|howdy|good (?:morning|afternoon|evening|day)|greetings)\b/i;
const GREETED = new Set(['there', 'again', 'you', 'everyone', 'all']);
const PRAISE = /^(?:ok|okay|great|perfect|cool|super|wonderful|nice|good)\b/;
const THANKS = /^(?:thanks?|thank you|thx|cheers|much appreciated)\b/;
const AFTER_THANKS = /^(?:a lot|so much|very much|again|that helps|that's all|you|bye|goodbye)\b/;
/** A greeting or thanks is not longer than this, in words. */
const COURTESY_MAX = 12;
const RECAP =
  /\bwhat (?:do you|did you|have you) (?:know|remember|note|noted|learn|learned)\b|\bwhat (?:have|did) i (?:told?|tell|say|said|mention|mentioned)\b|\b(?:summari[sz]e|list|recap|repeat) (?:everything |all |what )?(?:that )?(?:i|you know|we|our|my)\b/i;

/** What a message wants. Its last sentence decides whether it is a question or a request, since people lead up to them. */
export function intentOf(text: string): Intent {
  const trimmed = text.trim();
  if (asksIdentity(trimmed)) return 'identity';
  const courtesy = courtesyOf(trimmed);
  if (courtesy !== undefined) return courtesy;
  if (INSTRUCTIONS.test(trimmed)) return 'instructions';
  const sentences = sentencesOf(trimmed);
  const asks = sentences.some(hasQuestionMark) || isQuestion(sentences.at(-1) ?? '');
  if (RECAP.test(trimmed)) return 'recap';
  if (sentences.some((sentence) => isRequest(sentence))) return 'request';
  return asks ? 'question' : 'statement';
}

function asksIdentity(text: string): boolean {
  if (IDENTITY.test(text) || /\bwhat are you$/i.test(dropEnd(text, /[\s?]/))) return true;
  return [...text.matchAll(ARE_YOU)].some(({ index, 0: { length } }) => {
    const rest = text.slice(index + length, index + length + 2 * NEAR).split(/[.?!]/, 1)[0] ?? '';
    return (MACHINE.exec(rest)?.index ?? Infinity) <= NEAR;
  });
}

/** A message that only greets or thanks. */
function courtesyOf(text: string): 'greeting' | 'thanks' | undefined {
  const words = text
    .slice(0, 200)
    .split(/[\s,.!]+/)
    .filter((word) => word !== '');
  if (text.length > 200 || words.length === 0 || words.length > COURTESY_MAX) return undefined;
  const phrase = words.join(' ');
  const greeting = GREETING.exec(phrase)?.[0];
  if (greeting !== undefined) {
    const greeted = phrase
      .slice(greeting.length)
      .split(' ')
      .filter((word) => word !== '');
    // Somebody by name, or everyone.
    if (greeted.every((word) => GREETED.has(word.toLowerCase()) || /^\p{Lu}\p{L}+$/u.test(word))) return 'greeting';
  }
  const drop = (rest: string, pattern: RegExp) => rest.replace(pattern, '').trimStart();
  let rest = phrase.toLowerCase();
  while (PRAISE.test(rest)) rest = drop(rest, PRAISE);
  rest = drop(rest, THANKS);
  while (rest !== phrase.toLowerCase() && AFTER_THANKS.test(rest)) rest = drop(rest, AFTER_THANKS);
  return rest === '' ? 'thanks' : undefined;
}
