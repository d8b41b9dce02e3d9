import { dropEnd, dropStart } from '../../trim.ts';
import { hasQuestionMark, isQuestion, isRequest } from '../sentences.ts';
import { isName } from './people.ts';

/** What a person says before they come to the point. */
const LEAD_IN =
  /^(?:(?:and|but|so|well|oh|ah|hm+|ok|okay|yes|yeah|no|nope|hi|hello|hey|actually|also|anyway|besides|btw|by the way|fyi|for your information|for the record|in fact|to be honest|honestly|just so you know|as you (?:may )?know|ps|p\.s\.|note|reminder|correction|update|good news|sadly|luckily|unfortunately|fortunately|by now|now|from now on|these days|nowadays|i (?:should|forgot to|wanted to|want to) (?:mention|say|tell you|add)|you should know|i want you to know|i['’]d like you to know|keep in mind|bear in mind|please|don['’]t forget|never forget|remember|note|know|one more thing|another thing|before i forget|i (?:almost|nearly) forgot|speaking of which|this may help|quick note|for context|some context)(?: that)?(?:[,:;!.–—-]+ ?| (?=\S)))/i;

/** What a person adds after the point. */
const ASIDE = /, (?:by the way|btw|actually|in fact|as it happens|to be honest|just so you know|for the record)$/i;

/** Not a fact of today: a condition, a wish, a guess. */
const UNREAL =
  /\b(?:if|unless|suppose|supposing|imagine|pretend|assume|assuming|let['’]?s|what if|might|could|couldn['’]t|would|wouldn['’]t|should|wish|hope|hoping|hopefully|maybe|perhaps|possibly|probably|guess|i think|i believe|i suppose|i feel like|not sure|someday|one day|dream(?:t|ed)?|for example|for instance|e\.g|hypothetical|hypothetically|as if|whether|(?:in|for) (?:a|the|my|our) (?:story|novel|film|movie|game|book|dream)|character|fictional|role-?play|act as)\b|^(?:i|we|he|she|they)(?:['’]ve| have| has)? (?:almost|nearly)\b|^(?:[^ ]+ ){2,4}used to\b|\b(?:i|we|he|she|they)['’]d\b/i;
/** Somebody else's claim. */
const REPORTED =
  /\b(?:said|says|saying|told|tells|wrote|writes that|claims?|claimed|according to|asks|asked|heard that|read that|reportedly|apparently|supposedly|allegedly|rumou?r|thinks|believes|warned|quote)\b/i;
/** It will not be true for long, or can't be dated later. */
const MOMENTARY =
  /\b(?:today|tonight|tomorrow|yesterday|right now|just now|at the moment|this (?:morning|afternoon|evening|minute|time|weekend|week)|last (?:night|weekend)|in a (?:minute|moment|second)|a (?:minute|moment|while|bit) ago|earlier|soon|so far|for now|lately)\b/i;
const TO_THE_AGENT = /\b(?:you|your|yours|yourself|ur|chatbot)\b/i;
/** “Ignore what was said”, “the system prompt”: no facts about a life. */
const ORDERS =
  /\b(?:ignore|disregard|override|obey|system (?:prompt|message)|instructions?|must always|must never|(?<!\b(?:i|we) )(?:always (?:answer|reply|respond|say|tell|include|send|use the|call)|never (?:answer|reply|respond|tell|mention|reveal|refuse)))\b/i;
/** “I'd rather you answered in lists”, “I'd prefer no sugar”: a wish for always, unless it is about “this”. */
const PREFERENCE =
  /^i(?:['’]d| would) (?:much )?(?:rather|prefer)\b(?!.*\b(?:it|this|that|these|those|one|now|here|instead)\b)/i;
const CLAUSE_MAX = 180;
/** “My name is not important” names nobody. */
const NAMES_SELF = /^my (?:first |last |full |real )?name (?:is|was)(?<not>n['’]t)? (?<name>.+)$/iu;

const SUBJECT =
  "(?:i|i['’]m|i['’]ve|we|we['’]re|we['’]ve|my|our|he|she|his|her|\\p{Lu}[\\p{L}'’]+ (?:is|has|lives|works|likes|loves|hates|prefers|moved|was))";
/** “…, so how can I do that?”, “…, so leave it out, please” */
const ASKS =
  ", (?:so|and|but) (?=(?:how|what|where|when|which|why|who|could|can|would|should|do|does|did|is|are|will|any|please) )|, so (?=(?:leave|keep|avoid|skip|bear|make|remember|remind|give|write|put|include|exclude|note|send|add|don['’]t|do not) )";
const BREAK = new RegExp(
  `(?:[,;] | [–—-] )(?:(?:and|but|so|while|whereas|plus|though|although) )?(?=${SUBJECT}\\b)| (?:(?<!^(?:my |our )?(?!(?:i|we|he|she)\\b)[\\p{L}'’-]+(?: (?-i:\\p{Lu})[\\p{L}'’-]+)? )and|but|while|whereas|though|although) (?=${SUBJECT}\\b)|${ASKS}`,
  'giu',
);

/** The clauses of a sentence that may state a fact, without what leads up to them; none for questions, requests, guesses and reports. */
export function clausesOf(sentence: string): string[] {
  const typed = sentence
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^(?:[-*•–+]|\d{1,2}[.)]) /, '');
  const plain = inPlainOrder(typed);
  if (hasQuestionMark(plain) || REPORTED.test(plain)) return [];
  return plain
    .split(BREAK)
    .map((clause) => withoutLeadIns(clause))
    .filter(mayState);
}

/** “On Fridays I cook”, and whatever else stands before its subject. */
const FIRST_PLACE =
  /^(?<place>(?:on|at|in|since|for|during|every|after|before) [^,:;]{2,40}?),? (?=(?:i|we|i['’]m|i['’]ve|my|our|the) \S)(?<rest>[^?]*)$/iu;
const NAME_FIRST = /^(?<name>\p{Lu}[\p{L}'’-]{1,30}), (?<whose>my|our) (?<what>[\p{L} -]{2,30}), /u;
const NAME_BESIDE =
  /^(?<whose>my|our|the) (?<what>[\p{L} -]{2,30}), (?<name>(?-i:\p{Lu})[\p{L}'’-]{1,30}(?: and (?-i:\p{Lu})[\p{L}'’-]{1,30})?), /iu;
const WHO = /^(?<whom>(?:my|our) [^,]{2,40}|\p{Lu}[\p{L}'’-]{1,30}), who (?<says>[^,]{3,80}), /iu;

/** A sentence with its names, asides and places where a simple sentence has them, and with the apostrophes that were left out. */
function inPlainOrder(sentence: string): string {
  const text = sentence
    .replace(/^im (?=[\p{Ll}\d])/iu, "I'm ")
    .replace(/^ive (?=\p{Ll})/iu, "I've ")
    .replaceAll(/\b(do|does|ca|is|wo)nt\b/gi, "$1n't")
    .replace(NAME_FIRST, '$<whose> $<what> $<name> ')
    .replace(NAME_BESIDE, '$<whose> $<what> $<name> ');
  const who = WHO.exec(text);
  const { whom, says } = who?.groups ?? {};
  if (who !== null && whom !== undefined)
    return `${whom} ${dropEnd(text.slice(who[0].length), /[.! ]/)}, and ${whom} ${says}`;
  const first = FIRST_PLACE.exec(text)?.groups;
  if (first?.place === undefined || first.rest === undefined) return text;
  const place = first.place.replace(/^\p{Lu}/u, (letter) => letter.toLowerCase());
  return `${dropEnd(first.rest, /[.! ]/)} ${place}`;
}

function mayState(clause: string): boolean {
  if (clause.length > CLAUSE_MAX || isQuestion(clause) || isRequest(clause)) return false;
  if (ORDERS.test(clause)) return false;
  const self = NAMES_SELF.exec(clause)?.groups;
  if (self !== undefined && (self.not !== undefined || !isName(self.name ?? ''))) return false;
  return (
    PREFERENCE.test(clause) || !(UNREAL.test(clause) || TO_THE_AGENT.test(clause.replace(/^you can (?=call me)/i, '')))
  );
}

/** Whether a statement is about now only. */
export const isMomentary = (clause: string): boolean => MOMENTARY.test(clause);

function withoutLeadIns(clause: string): string {
  // “Some facts about me: …”; whose words follow “she wrote:” is decided before.
  const named = clause.replace(/^[^:.!?]{1,40}: (?=\p{L})/u, '');
  let rest = dropEnd(dropStart(named, /[\s,;:–—("'-]/), /[\s.!…,;:)]/);
  for (;;) {
    const next = dropStart(rest.replace(LEAD_IN, ''), /[\s,;:–—-]/);
    if (next === rest || next === '') return dropEnd(rest, /[\s.!…,;:]/).replace(ASIDE, '');
    rest = next;
  }
}
