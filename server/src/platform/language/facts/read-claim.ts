import { HOUSEHOLD, isCommonWord, isRelation, KIN, mayBeName, NAME, personIn } from './people.ts';

/** Whom or what a clause is about, and what it says of it. */
export interface Claim {
  /** As it was written: “My sister Nora”. */
  subject: string;
  predicate: string;
  kind: 'self' | 'person' | 'thing';
  /** For a list of facts: “You”, a name, “Your sister”, “Shared”. */
  about: string;
}

export const ABOUT_SELF = 'You';
const ABOUT_SHARED = 'Shared';

/** Reads a clause as subject and predicate; undefined when it is about nothing that belongs to the person. */
export function readClaim(clause: string): Claim | undefined {
  return readSelf(clause) ?? readReaction(clause) ?? readReversed(clause) ?? readThird(clause);
}

const SELF =
  /^(?<subject>i|we|(?:my |our )?[\p{L}'’-]+(?: (?-i:\p{Lu})[\p{L}'’-]+)? and i|(?:both|all|most|some|two|three|four|five|six|seven) of us)(?:(?<short>['’](?:m|ve|re|d))| )(?<rest>.*)$/iu;
const FULL = new Map([
  ['m', 'am'],
  ['ve', 'have'],
  ['re', 'are'],
  ['d', 'would'],
]);

function readSelf(clause: string): Claim | undefined {
  const read = SELF.exec(clause)?.groups;
  if (read?.subject === undefined) return undefined;
  const rest = (read.rest ?? '').trim();
  const verb = read.short === undefined ? '' : `${FULL.get(read.short.slice(1).toLowerCase()) ?? ''} `;
  const isWe = read.subject.toLowerCase() !== 'i';
  return {
    subject: read.subject.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()),
    predicate: `${verb}${rest}`,
    kind: 'self',
    about: isWe ? ABOUT_SHARED : ABOUT_SELF,
  };
}

/** “Shellfish makes me ill”, “Peanuts give my son hives”. */
const REACTION =
  /^(?<what>(?!(?:it|this|that|these|those|he|she|they|you|what|which|there)\b)\p{L}[\p{L}'’ -]{1,40}?) (?<does>(?:always )?(?:makes?|gives?) (?<whom>me|us|(?:my|our) \p{L}+) (?:\p{L}+ ){0,2}?(?:ill|sick|sneeze|cough|itch|wheeze|vomit|dizzy|sleepy|nauseous|bloated|anxious|hives|migraines?|headaches?|heartburn|cramps|nightmares|(?:a|an) (?:rash|stomach ache|asthma attack))\b.*|(?:does|do)(?:n['’]t| not) agree with (?<eater>me|us|(?:my|our) \p{L}+)\b.*)$/iu;

/** “Loud restaurants are hard for me”, “Stairs are a problem for my mother”. */
const FOR_SOMEBODY =
  /^(?<what>(?!(?:the|a|an|it|this|that|these|those|he|she|they|you|what|which|there|here|everything|something|nothing|all|both|some|step)\b)\p{L}[\p{L}'’ -]{2,40}?) (?<does>(?:is|are|aren['’]t|isn['’]t) [^,;:]{2,50}? (?:for|to) (?<whom>me|us|(?:my|our) \p{L}+)\b.*)$/iu;

function readReaction(clause: string): Claim | undefined {
  const read = (REACTION.exec(clause) ?? FOR_SOMEBODY.exec(clause))?.groups;
  if (read?.what === undefined || read.does === undefined) return undefined;
  const about = aboutWhom(read.whom ?? read.eater ?? 'me');
  return { subject: read.what, predicate: read.does, kind: 'thing', about };
}

/** “Me”, “us”, “my mother”; “my health” is about oneself. */
function aboutWhom(written: string): string {
  const [whose = '', who = ''] = written.toLowerCase().split(' ');
  if (isRelation(who)) return `Your ${who}`;
  return whose === 'me' || whose === 'my' ? ABOUT_SELF : ABOUT_SHARED;
}

/** “Nora is my sister”, “Tabs are our house rule”. */
const REVERSED = /^(?<value>[^,;:]{1,60}?) (?<verb>is|are) (?<whose>my|our) (?<what>[\p{L}'’ -]{2,50})$/iu;

function readReversed(clause: string): Claim | undefined {
  const read = REVERSED.exec(clause)?.groups;
  if (read?.value === undefined || read.what === undefined) return undefined;
  const words = read.value.split(' ');
  if (words.some((word) => /^(?:it|this|that|he|she|they|there|here|what|which|who|i|my|our)$/i.test(word)))
    return undefined;
  const predicate = `${read.verb} ${read.whose} ${read.what}`;
  if (isRelation(read.what.split(' ').at(-1) ?? '')) {
    return NAME.test(words[0] ?? '')
      ? { subject: read.value, predicate, kind: 'person', about: read.value }
      : undefined;
  }
  return {
    subject: read.value,
    predicate,
    kind: 'thing',
    about: read.whose?.toLowerCase() === 'my' ? ABOUT_SELF : ABOUT_SHARED,
  };
}

/** The finite verbs with which a lasting statement about a third person or a thing goes on. */
const FINITE =
  "is|are|isn['’]t|aren['’]t|was|were|has|have|hasn['’]t|haven['’]t|had|lives?|lived|works?|worked|moved|moves|likes?|loves?|hates?|prefers?|enjoys?|dislikes?|plays?|speaks?|stud(?:ies|y)|teach(?:es)?|taught|built|founded|raised|drives?|rides?|eats?|drinks?|can['’]t|cannot|can|doesn['’]t|does not|don['’]t|do not|never|always|usually|often|rarely|only|now|also|still|turns?|turned|starts?|started|begins?|ends?|opens?|closes?|takes?|runs?|meets?|got|gets?|go(?:es)?|comes|wears?|uses?|needs?|owns?|keeps?|sleeps?|costs?|stands?|sits?|stays?|died|became|will|won['’]t|must|retired|graduated|carr(?:ies|y)|belongs?|celebrates?|arrives?|leaves?|left|quit|stopped|joined|adopted|bought|sold|switched|changed|collects?|grows?|sings?|paints?|reads?|knows?|lies|gave|broke|deploys?|expires?|falls?|allows?|requires?|weighs?|follows?|avoids?";
const VERB = new RegExp(`^(?:${FINITE})$`, 'i');

/** A verb in the third person that may say something lasting. */
const DOES =
  /^(?!(?:wants|thinks|seems|looks|feels|sends|hopes|wonders|guesses|means|says|asks|was|is|does)$)\p{Ll}{3,20}s$/u;

const SUBJECT_WORDS = 8;

/** What goes wrong for the moment. */
const TROUBLES =
  /^(?:hurts|fails|crashes|breaks|shows|returns|throws|prints|loads|compiles|freezes|hangs|aches|itches|says|keeps|looks|seems|feels)$/;
const NO_VERB =
  /^(?:in|at|on|of|off|with|from|and|or|who|that|which|to|for|by|about|as|than|both|all|too|here|there|back|home|just)$/;
/** Past verbs that need a time or a relative to say something. */
const PAST =
  /^(?:split|divorced|separated|married|met|passed|founded|emigrated|fled|came|won|lost|served|worked|grew|broke)$/;

/** Another clause begins. */
const ANOTHER = /^(?:i|we|he|she|they|you|it|when|because|if)$/i;

/** The first finite verb after the subject's first words; “My name's Ada” has it in its last. */
function findVerb(words: string[], from: number) {
  const limit = Math.min(words.length, SUBJECT_WORDS);
  for (let at = from; at < limit; at += 1) {
    const word = words[at] ?? '';
    const isPast = PAST.test(word) && isRelation(words[at - 1] ?? '');
    if (isPast || VERB.test(word)) return { subject: words.slice(0, at), predicate: words.slice(at) };
    if (ANOTHER.test(word)) break;
  }
  for (let at = from; at < limit; at += 1) {
    const before = words[at - 1] ?? '';
    // “My neighbour feeds our cat”: any verb, right after a person.
    const word = words[at] ?? '';
    const isPlural = isRelation(before) && /(?:s|children)$/i.test(before);
    const isOwnThing = /^(?:my|our)$/i.test(words[0] ?? '') && at > 1 && !TROUBLES.test(word);
    if (isRelation(before) || isOwnThing || (at > 1 && NAME.test(before))) {
      if (DOES.test(word) || (isPlural && /^\p{Ll}{3,}$/u.test(word) && !NO_VERB.test(word)))
        return { subject: words.slice(0, at), predicate: words.slice(at) };
    }
  }
  for (let at = from - 1; at < Math.min(limit, from + 2); at += 1) {
    const bare = /^(?<noun>.+)['’]s$/u.exec(words[at] ?? '')?.groups?.noun;
    const next = words[at + 1] ?? '';
    if (
      bare !== undefined &&
      /^(?:an?|the|on|in|at|near|called|named|from|allergic|vegetarian|vegan|\d.*|\p{Lu}.*)$/u.test(next)
    ) {
      return { subject: [...words.slice(0, at), bare], predicate: ['is', ...words.slice(at + 1)] };
    }
  }
  return undefined;
}

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
function readThird(clause: string): Claim | undefined {
  const share = SHARE.exec(clause)?.[0] ?? '';
  const words = clause.slice(share.length).split(' ');
  const first = words[0] ?? '';
  const lower = first.toLowerCase();
  const isOwn = lower === 'my' || lower === 'our';
  const isThe = lower === 'the';
  const isKin = KIN.test(first);
  if (!isOwn && !isThe && !isKin && !mayBeName(first)) return undefined;
  const verb = findVerb(words, isOwn || isThe ? 2 : 1);
  if (verb === undefined) return undefined;
  const subject = share + verb.subject.join(' ');
  const predicate = verb.predicate.join(' ');
  if (predicate.split(' ').length < 2) return undefined;
  if (!isOwn && !isThe && !isKin && isCommonWord(first)) {
    const whose = /\b(?:(?<own>me|my)|us|our)\b/i.exec(predicate)?.groups;
    return whose && { subject, predicate, kind: 'thing', about: whose.own === undefined ? ABOUT_SHARED : ABOUT_SELF };
  }
  const isHousehold = HOUSEHOLD.test(subject);
  if (isThe && !ARRANGED.test(subject) && !isHousehold && !ON_A_DAY.test(predicate)) return undefined;
  if (isKin) return { subject, predicate, kind: 'person', about: `Your ${subject.toLowerCase()}` };
  const person = isThe && !isHousehold ? undefined : personIn(verb.subject, isOwn || isHousehold);
  if (person !== undefined) {
    const named = person.startsWith('Your ') ? NAMED.exec(predicate)?.groups?.name : undefined;
    return { subject, predicate, kind: 'person', about: named ?? person };
  }
  if (!isOwn && !isThe) return undefined;
  return { subject, predicate, kind: 'thing', about: lower === 'my' ? ABOUT_SELF : ABOUT_SHARED };
}
