import { isHad } from './having.ts';

/** What changes a life; the day does not matter. */
const CHANGES =
  /^(?:have |has |had |just |recently |finally |also |already |now |officially )*(?:moved (?!on\b)|relocated|emigrated|started (?:as|at|for|working|learning|university|college|school|a (?:new )?(?:job|company|business|course|diet|degree|family)|my (?:own|new)|an? )|quit|stopped \p{L}+ing|gave up|given up|got (?:married|engaged|divorced|promoted|an? (?:new )?(?:dog|cat|puppy|kitten|job|horse|car|bike|flat|house|daughter|son|tattoo)|rid of|a place|my (?:licence|license|degree|diploma)|two)|became|adopted|bought|sold(?! out\b)|switched|changed (?:jobs?|my (?:name|diet|job|number|address)|our|to|from|schools?)|joined|left (?:my|our|the|(?-i:\p{Lu}))|graduated|retired|turned (?:\d|\p{L}+ty)|inherited|founded|lost my (?:job|dog|cat|mother|father|licence|license)|broke (?:up|my)|married|divorced|adopt)/iu;
/** What somebody had and no longer has. */
const NO_LONGER =
  /^(?:have |just |recently |finally |also |already |now |officially )*(?:gave away (?:my|our) |gave (?:my|our) (?!seat\b|place\b)[^,]{2,40} away\b|donated (?:my|our) |cancell?ed (?:my|our|the) (?:[^ ,]+ ){0,3}?(?:subscription|membership|contract|policy|insurance|account|licen[cs]e|lease|flight|trip|wedding|holiday|vacation|appointment|party|lessons?|classes|course)\b|cancell?ed (?!\p{L}+day\b)(?-i:\p{Lu})|(?:no longer (?:have|own)|(?:don['’]t|do not) (?:have|own)(?= [^,]{2,40} any ?more$)) (?!the |access )(?<object>.+))/iu;
/** Bought and gone. */
const CONSUMED =
  /\b(?:coffee|tea|lunch|dinner|breakfast|snack|sandwich|drinks?|milk|bread|groceries|tickets?|beer|stamps?|messages?|emails?|calls?|headache|cold|reading|thinking|wondering|looking)\b/i;

/** Something of this size is told with its year or the age one had: “I broke my arm when I was ten”. */
const HISTORY =
  /^(?:\p{Ll}+ )?\p{Ll}+ .*\b(?:in (?:19|20)\d\d|when (?:i|we) (?:was|were) (?:\p{L}+|\d+)|as a (?:child|kid|boy|girl|teenager|student)|(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twenty|many|some) (?:years|decades) ago|at (?:university|college))\b/iu;
const USED_TO = /^used to (?!(?:it|this|that|think|believe|know)\b)\p{L}/iu;
const BEFORE =
  /^(?:lost|broke|had|was|were|studied|worked|lived|learned|learnt|went|met|won|trained|played|taught|ran|spent|served|emigrated|moved|did|wrote|built|came|got|split|divorced|separated|married|founded|fled|passed|grew|used)\b/i;
const WHEN =
  '(?:in|from|until|by|next|this|at the (?:end|beginning) of|on the) (?:early |late |mid-?)?(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|year|month|easter|christmas|20\\d\\d|\\d{1,2}(?:st|nd|rd|th)?)';
/** “We're getting a second dog in spring”. */
const PLAN = new RegExp(
  `^(?:am|are) (?:\\p{Ll}+ly |also |now )?(?!thinking|hoping|wondering|trying|looking|feeling)\\p{Ll}+ing .*\\b${WHEN}\\b`,
  'iu',
);

/** Whether it changes a life: “moved to Porto”, “gave away my piano”; but not “bought a coffee”. */
export const changesLife = (predicate: string): boolean =>
  (CHANGES.test(predicate) || endsHaving(predicate)) && !CONSUMED.test(predicate);

/** Whether it tells of a life at another time: “lost my hearing in 2019”, “used to be a baker”, “are getting a dog in spring”. */
export const isHistoryOrPlan = (predicate: string): boolean =>
  (BEFORE.test(predicate) && HISTORY.test(predicate)) || USED_TO.test(predicate) || PLAN.test(predicate);

/** “I gave away my piano”, “I no longer have a car”: it ends what was stated before. */
function endsHaving(predicate: string): boolean {
  const ended = NO_LONGER.exec(predicate);
  const object = ended?.groups?.object ?? '';
  return ended !== null && isHad(object);
}
