/** What a person has one of at a time. */
type Slot = 'home' | 'work' | 'partner' | 'diet';

/** “Live in”, “moved back to”, “live on the fourth floor in Ghent”. */
const LIVES =
  '(?:(?:lives?|living|resides?|based|moved|relocated|settled)(?: now| back| down| away| here)? (?:in|into|to|at)\\b|lives? with (?:me|us)\\b|(?:moved|relocated) from .{2,40}? to\\b|(?:lives?|living) (?:on|near|by|above|with) .{2,40}? in (?=(?-i:\\p{Lu}))|(?:have|has) lived (?:in|at)\\b)';
/** “Work as”, “got a job at”. */
const WORKS =
  '(?:works?|working|started(?: working| a (?:new )?job)?|(?:got|found|have) a job)(?: now)? (?:as|at|for)\\b';
const EATS =
  '(?:(?:(?:an?|became|strict|strictly) )*(?:vegetarian|vegan|pescatarian|flexitarian|omnivore)\\b|(?:eats?|eating) meat\\b)';
const ALREADY = '(?:(?:am|is|are|have|has|now|just|also|still|currently|recently|been) )*';

/** In what follows a subject: “moved to Porto”. */
const PREDICATES: readonly [Slot, RegExp][] = [
  ['home', new RegExp(`^${ALREADY}${LIVES}`, 'iu')],
  ['work', new RegExp(`^${ALREADY}${WORKS}`, 'iu')],
  ['diet', new RegExp(`^${ALREADY}${EATS}`, 'iu')],
  [
    'partner',
    new RegExp(`^${ALREADY}(?:got )?(?:single|dating|married|divorced|separated|engaged|widowed)\\b(?!-)`, 'iu'),
  ],
];

const SELF = /\b(?:i|we)(?:['’](?:m|re|ve))? /i;

/** The one that a predicate tells, if any. */
export const slotIn = (predicate: string): Slot | undefined =>
  PREDICATES.find(([, pattern]) => pattern.test(predicate))?.[0];

/** The one that somebody mentions of themselves, if any. */
export const slotOf = (text: string): Slot | undefined => text.split(SELF).slice(1).map(slotIn).find(Boolean);
