import { isQuestion, isRequest, sentencesOf } from './offline-sentences.ts';

export type Intent =
  | 'identity'
  | 'instructions'
  | 'greeting'
  | 'thanks'
  | 'recap'
  | 'request'
  | 'question'
  | 'statement';

const IDENTITY =
  /\b(?:are|r) (?:you|u)\b[^.?!]{0,30}\b(?:gpt|chatgpt|open ?ai|claude|gemini|llama|mistral|an? (?:ai|bot|robot|human|person|machine|language model)|real|human)\b|\b(?:what|which) (?:\w+ ){0,3}(?:model|llm|ai) (?:are you|is this|do you use|answers)|\bwho (?:are you|made you|built you)\b|\bwhat are you\b\s*\??$/i;
const INSTRUCTIONS =
  /\b(?:what (?:are|were) your (?:instructions|orders|rules)|your (?:system )?prompt|what (?:do|can) you do|what are you (?:for|here for))\b/i;
const GREETING =
  /^(?:hi|hello|hey|hiya|howdy|good (?:morning|afternoon|evening|day)|greetings)(?:[\s,]+(?:there|again|you|everyone|all|\p{Lu}\p{L}+))*[\s!.,]*$/iu;
const THANKS =
  /^(?:(?:ok(?:ay)?|great|perfect|cool|super|wonderful|nice|good)[\s,.!]*)*(?:thanks?|thank you|thx|cheers|much appreciated)?(?:[\s,]+(?:a lot|so much|very much|again|that helps|that's all|you|bye|goodbye))*[\s!.,]*$/i;
const RECAP =
  /\bwhat (?:do you|did you|have you) (?:know|remember|note|noted|learn|learned)\b|\bwhat (?:have|did) i (?:told?|tell|say|said|mention|mentioned)\b|\b(?:summari[sz]e|list|recap|repeat) (?:everything |all |what )?(?:that )?(?:i|you know|we|our|my)\b/i;

/** What a message wants. Questions and requests are recognised by their last sentence, since people lead up to them. */
export function intentOf(text: string): Intent {
  const trimmed = text.trim();
  if (IDENTITY.test(trimmed)) return 'identity';
  if (GREETING.test(trimmed)) return 'greeting';
  if (THANKS.test(trimmed)) return 'thanks';
  if (INSTRUCTIONS.test(trimmed)) return 'instructions';
  const sentences = sentencesOf(trimmed);
  const asks = sentences.some((sentence) => /\?\s*$/.test(sentence)) || isQuestion(sentences.at(-1) ?? '');
  if (RECAP.test(trimmed)) return 'recap';
  if (sentences.some((sentence) => isRequest(sentence))) return 'request';
  return asks ? 'question' : 'statement';
}
