import { ABOUT_SELF, ABOUT_SHARED, type Claim } from './claim.ts';
import { findVerb } from './finite-verbs.ts';
import { isCommonWord, mayBeName, personIn } from './names.ts';
import { HOUSEHOLD, KIN } from './relations.ts';

/** “My dog is called Biscuit.” */
const NAMED = /^is (?:called|named) (?<name>\p{Lu}[\p{L}'’-]+)/u;

/** Heads of what a household or a team arranges: “the house rule is tabs”. */
const ARRANGED =
  /\b(?:rules?|conventions?|password|passcode|passphrase|code|pin|wi-?fi|address|deadline|budget|stand-?up|meeting|retro(?:spective)?|releases?|launch|appointment|wedding|party|exams?|flight|trains?|rent|lease|landlord|plumber|dentist|vet|keys?|spare|team|office|branch|server|staging|alarm|bins?|rubbish|recycling|day|style|guide|boiler|garden|kitchen|bathroom|bedroom|living room|garage|car|van|bike|boat|house|flat|cottage|shed|farm|shop|studio|workshop|allotment|greenhouse|oven|fridge|freezer|washing machine|router|cellar|attic|heating|insurance|warranty|repository|repo|indentation|language|currency|policy)\b/i;
/** “Runs out on 3 February”: the day makes anything somebody's own matter. */
const ON_A_DAY =
  /^(?:is|are|was moved|has moved|moved|runs? out|ends?|starts?|begins?|leaves?|arrives?|expires?|opens?|closes?|falls?|takes place|happens|is due|comes)\b.*\b(?:on (?:the )?\p{L}+day|\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:january|february|march|april|may|june|july|august|september|october|november|december)|(?:january|february|march|april|may|june|july|august|september|october|november|december) (?:the )?\d{1,2}|on the \d{1,2}(?:st|nd|rd|th))\b(?!,? \d{4})/iu;
/** “Half our honey”, “most of my family”. */
const SHARE = /^(?:half|most|all|some|part|both|none|one|two|three|many)(?: of)? (?=(?:my|our) )/i;

/** “My dog is called Biscuit”, “Nora lives in Lisbon”, “the house rule is tabs”. */
export function readThird(clause: string): Claim | undefined {
  const share = SHARE.exec(clause)?.[0] ?? '';
  const words = clause.slice(share.length).split(' ');
  const first = words[0] ?? '';
  const lower = first.toLowerCase();
  const isOwn = lower === 'my' || lower === 'our';
  const isThe = lower === 'the';
  const isKin = KIN.test(first);
  if (!isOwn && !isThe && !isKin && !mayBeName(first)) return undefined;
  const found = findVerb(words, isOwn || isThe ? 2 : 1);
  if (found === undefined) return undefined;
  const subject = share + found.subject.join(' ');
  const predicate = found.predicate.join(' ');
  if (predicate.split(' ').length < 2) return undefined;
  if (!isOwn && !isThe && !isKin && isCommonWord(first)) {
    const whose = /\b(?:(?<own>me|my)|us|our)\b/i.exec(predicate)?.groups;
    return whose && { subject, predicate, kind: 'thing', about: whose.own === undefined ? ABOUT_SHARED : ABOUT_SELF };
  }
  const isHousehold = HOUSEHOLD.test(subject);
  if (isThe && !ARRANGED.test(subject) && !isHousehold && !ON_A_DAY.test(predicate)) return undefined;
  if (isKin) return { subject, predicate, kind: 'person', about: `Your ${subject.toLowerCase()}` };
  const person = isThe && !isHousehold ? undefined : personIn(found.subject, isOwn || isHousehold);
  if (person !== undefined) {
    const named = person.startsWith('Your ') ? NAMED.exec(predicate)?.groups?.name : undefined;
    return { subject, predicate, kind: 'person', about: named ?? person };
  }
  if (!isOwn && !isThe) return undefined;
  return { subject, predicate, kind: 'thing', about: lower === 'my' ? ABOUT_SELF : ABOUT_SHARED };
}
