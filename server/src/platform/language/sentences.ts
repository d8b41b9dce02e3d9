const ABBREVIATED = /\b(?:Mr|Mrs|Ms|Dr|Prof|St|No|approx|e\.g|i\.e|vs|etc)\.$/i;
const QUESTION_START =
  /^(?:(?:and|so|but|ok|okay|well|hi|hello|hey|please)[,\s]+)*(?:who|whom|whose|what|which|when|where|why|how|do|does|did|is|are|was|were|can|could|would|will|should|shall|may|might|has|have|had|am|what's|who's|where's|when's|how's)\b/i;
const REQUEST_START =
  /^(?:please\s+|can you\s+|could you\s+|would you\s+|now\s+)*(?:write|draft|compose|explain|translate|summari[sz]e|suggest|recommend|plan|create|generate|design|calculate|compute|code|program|search|find|look up|list|describe|tell me|show me|give me|help me|make me|compare|rewrite|improve|draw|imagine|brainstorm|outline|teach me|quiz me)\b/i;

/** A sentence ends with its closing quotation mark, bracket or emphasis. */
const END = /(?<=[.!?…]["'”’)\]*_`]{0,3})\s+|\n+|(?<=[。！？])/;

/** Splits at sentence ends and lines; titles such as “Dr.” don't end a sentence. */
export function sentencesOf(text: string): string[] {
  const pieces = text.slice(0, 20_000).split(END);
  const sentences: string[] = [];
  let held = '';
  for (const piece of pieces) {
    const part = piece.trim();
    held = held === '' ? part : `${held} ${part}`;
    // Only the last part: reading everything again at each title would be slow for a text full of “Mr.”.
    if (ABBREVIATED.test(part)) continue;
    if (held !== '') sentences.push(held);
    held = '';
  }
  if (held !== '') sentences.push(held);
  return sentences;
}

/** Whether a text as a whole asks something. */
export function asks(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.endsWith('?') || (QUESTION_START.test(trimmed) && !/[.!]\s/.test(trimmed) && trimmed.length < 200);
}

/** Whether a sentence is a question. */
export const isQuestion = (text: string): boolean => /\?\s*$/.test(text) || QUESTION_START.test(text);

/** Whether a sentence asks for a piece of work. */
export const isRequest = (text: string): boolean => REQUEST_START.test(text);

/** Whether a sentence states something that could answer a question later. */
export const isStatement = (text: string): boolean =>
  !isQuestion(text) && !isRequest(text) && (text.match(/[\p{L}\p{N}]+/gu) ?? []).length >= 3;

const NOTED = /^Noted[^“]{0,40}: “/;
const CANNOT =
  /\bI(?:(?: can(?:no|['’])t| can not|['’]m unable to|['’]m not able to| am unable to| am not able to) (?:do that|help (?:you )?with|access|browse|open|search|send|remember|recall|answer)| (?:do not|don['’]t) (?:know|remember|recall|have (?:any |enough |the |that |this )?(?:access|information|record|memory|knowledge|ability))| have no (?:access|information|record|memory|knowledge)| found nothing)\b/i;
/** Where an answer says so, it does at its beginning: after its title, and an apology. */
const BEGINNING = 3;

/** Whether an answer only quotes what the person said, or says that it can't do or doesn't know what they asked. English only. */
export const saysNothing = (answer: string): boolean =>
  sentencesOf(answer)
    .slice(0, BEGINNING)
    .some((sentence) => NOTED.test(sentence) || (CANNOT.test(sentence) && !/\b(?:but|however)\b/i.test(sentence)));
