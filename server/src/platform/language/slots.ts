/** What a person has one of at a time. */
export type Slot = 'home' | 'work' | 'partner' | 'diet';

/** “Live in”, “moved back to”, “live on the fourth floor in Ghent”. */
const LIVES =
  '(?:(?:lives?|living|resides?|based|moved|relocated|settled)(?: now| back| down| away| here)? (?:in|into|to|at)\\b|lives? with (?:me|us)\\b|(?:moved|relocated) from .{2,40}? to\\b|(?:lives?|living) (?:on|near|by|above|with) .{2,40}? in (?=(?-i:\\p{Lu}))|(?:have|has) lived (?:in|at)\\b)';
/** “Work as”, “got a job at”. */
const WORKS =
  '(?:works?|working|started(?: working| a (?:new )?job)?|(?:got|found|have) a job)(?: now)? (?:as|at|for)\\b';
const ALREADY = '(?:(?:am|is|are|have|has|now|just|also|still|currently|recently|been) )*';
const I = "\\b(?:i|we)(?:['’](?:m|re|ve)| am| have| are)? (?:(?:now|just|also|still|currently) )*";

/** In what follows a subject: “moved to Porto”. */
export const PREDICATES: readonly [Slot, RegExp][] = [
  ['home', new RegExp(`^${ALREADY}${LIVES}`, 'iu')],
  ['work', new RegExp(`^${ALREADY}${WORKS}`, 'iu')],
  ['diet', /\b(?:vegetarian|vegan|pescatarian|flexitarian|omnivore|meat)\b/i],
  ['partner', /\b(?:single|dating|married|divorced|separated|engaged|widowed)\b/i],
];

/** In a sentence of somebody who speaks of themselves. */
const SENTENCES: readonly [Slot, RegExp][] = [
  ['home', new RegExp(`${I}${LIVES}|\\b(?:i|we)['’]ve lived (?:in|at)\\b`, 'iu')],
  ['work', new RegExp(`(?:${I}|\\bnow )${WORKS}`, 'iu')],
  [
    'partner',
    /\b(?:i|we)(?:'m| am|'re| are| got)? (?:now )?(?:single|dating|married|engaged|divorced|separated)\b|\bi got (?:divorced|married|engaged)\b/i,
  ],
  ['diet', /\bi(?:'m| am)? (?:now )?(?:an? )?(?:vegetarian|vegan)\b|\bi (?:now )?(?:eat|eating) meat\b/i],
];

/** A quick check for all four: most texts contain none. */
const SLOT_WORD =
  /\b(?:liv(?:e|ed|ing)|reside|based|moved|relocated|settled|work|working|job|single|dating|married|engaged|divorced|separated|vegetarian|vegan|meat|started)\b/i;

/** What of these a text mentions, if any. */
export const slotOf = (text: string): Slot | undefined =>
  SLOT_WORD.test(text) ? SENTENCES.find(([, pattern]) => pattern.test(text))?.[0] : undefined;
