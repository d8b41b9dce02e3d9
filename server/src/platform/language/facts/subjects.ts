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
export const ABOUT_SHARED = 'Shared';

/** People of a life, whom a name may follow, as it may an animal. */
const RELATIONS = new Set(
  `sister brother mother father mum mom mama dad papa parents wife husband partner spouse fiance fiancee son daughter child kid baby twin
  twins cousin aunt uncle niece nephew grandmother grandfather grandma grandpa granny grandson granddaughter stepmother stepfather
  stepson stepdaughter grandchildren girls boys godson goddaughter friend girlfriend boyfriend neighbour neighbor boss manager colleague coworker teammate client
  customer plumber electrician doctor dentist therapist vet teacher tutor coach supervisor professor landlord landlady lawyer accountant
  flatmate roommate housemate assistant intern trainer mentor sisters brothers sons daughters children kids neighbours neighbors in-laws
  mother-in-law father-in-law brother-in-law sister-in-law`.split(/\s+/),
);
const ANIMALS = new Set(
  'dog cat puppy kitten horse pony rabbit parrot hamster tortoise goldfish budgie guinea-pig pet cats dogs'.split(' '),
);
export const isAnimal = (word: string) => ANIMALS.has(word.toLowerCase());
export const isRelation = (word: string) => RELATIONS.has(word.toLowerCase()) || isAnimal(word);

/** The finite verbs with which a lasting statement about a third person or a thing goes on. */
const FINITE =
  "is|are|isn['’]t|aren['’]t|was|were|has|have|hasn['’]t|haven['’]t|had|lives?|lived|works?|worked|moved|moves|likes?|loves?|hates?|prefers?|enjoys?|dislikes?|plays?|speaks?|stud(?:ies|y)|teach(?:es)?|drives?|rides?|eats?|drinks?|can['’]t|cannot|can|doesn['’]t|does not|don['’]t|do not|never|always|usually|often|rarely|only|now|also|still|turns?|turned|starts?|started|begins?|ends?|opens?|closes?|takes?|runs?|meets?|got|gets?|go(?:es)?|comes|wears?|uses?|needs?|owns?|keeps?|sleeps?|costs?|stands?|sits?|stays?|died|became|will|won['’]t|retired|graduated|carr(?:ies|y)|belongs?|celebrates?|arrives?|leaves?|left|quit|stopped|joined|adopted|bought|sold|switched|changed|collects?|grows?|sings?|paints?|reads?|knows?|lies|gave|broke|deploys?|expires?|falls?|allows?|requires?|weighs?|follows?|avoids?";
const VERB = new RegExp(`^(?:${FINITE})$`, 'i');

/** “My dog is called Biscuit.” */
export const NAMED = /^is (?:called|named) (?<name>\p{Lu}[\p{L}'’-]+)/u;

/** A verb in the third person that may say something lasting. */
const DOES =
  /^(?!(?:wants|thinks|seems|looks|feels|sends|hopes|wonders|guesses|means|says|asks|was|is|does)$)\p{Ll}{3,20}s$/u;

/** What starts a sentence with a capital letter and is nobody's name. */
const NO_NAME = new Set(
  `the this that these those it there here what when where who why how yes no not and but so or if as in on at to for from with by of my our
  your his her its their he she they we you i today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday january
  february march april may june july august september october november december nice good great thanks thank please sorry well oh ok okay
  just still also maybe everything everyone everybody somebody someone nobody nothing something anything all some many most both one two
  three people life work time god hello hi hey`.split(/\s+/),
);
const NAME = /^\p{Lu}[\p{L}'’-]+$/u;
/** Heads of what a household or a team arranges: “the house rule is tabs”. */
const ARRANGED =
  /\b(?:rules?|conventions?|password|passcode|passphrase|code|pin|wi-?fi|address|deadline|budget|stand-?up|meeting|retro(?:spective)?|releases?|launch|appointment|wedding|party|exams?|flight|trains?|rent|lease|landlord|plumber|dentist|vet|keys?|spare|team|office|branch|server|staging|alarm|bins?|rubbish|recycling|day|style|guide|boiler|garden|kitchen|bathroom|bedroom|living room|garage|car|bike|cellar|attic|heating|insurance|warranty|repository|repo|indentation|language|currency|policy)\b/i;
/** “Mum”, as a name. */
const KIN = /^(?:Mum|Mom|Mummy|Dad|Daddy|Mama|Papa|Grandma|Grandpa|Granny|Gran|Nan|Nana|Grandad)$/;
/** Those of a household whom people call “the”. */
const HOUSEHOLD = /^the (?:twins|kids|children|baby|girls|boys|grandchildren|in-laws|dogs?|cats?|pets)\b/i;
const SUBJECT_WORDS = 8;

/** Reads a clause as subject and predicate; undefined when it is about nothing that belongs to the person. */
export function readClaim(clause: string): Claim | undefined {
  return readSelf(clause) ?? readReaction(clause) ?? readReversed(clause) ?? readThird(clause);
}

const SELF =
  /^(?<subject>i|we|(?:both|all|most|some|two|three|four|five|six|seven) of us)(?:(?<short>['’](?:m|ve|re|d))| )(?<rest>.*)$/iu;
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

function readReaction(clause: string): Claim | undefined {
  const read = REACTION.exec(clause)?.groups;
  if (read?.what === undefined || read.does === undefined) return undefined;
  const whom = (read.whom ?? read.eater ?? 'me').toLowerCase();
  const about = whom === 'me' ? ABOUT_SELF : whom === 'us' ? ABOUT_SHARED : whom.replace(/^(?:my|our)/, 'Your');
  return { subject: read.what, predicate: read.does, kind: 'thing', about };
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

function readThird(clause: string): Claim | undefined {
  const words = clause.split(' ');
  const first = words[0] ?? '';
  const lower = first.toLowerCase();
  const isOwn = lower === 'my' || lower === 'our';
  const isThe = lower === 'the';
  const isKin = KIN.test(first);
  if (!isOwn && !isThe && !isKin && !(NAME.test(first) && !NO_NAME.has(withoutVerb(lower)))) return undefined;
  const found = findVerb(words, isOwn || isThe ? 2 : 1);
  if (found === undefined) return undefined;
  const subject = found.subject.join(' ');
  const predicate = found.predicate.join(' ');
  if (predicate.split(' ').length < 2) return undefined;
  const isHousehold = HOUSEHOLD.test(subject);
  if (isThe && !ARRANGED.test(subject) && !isHousehold) return undefined;
  if (isKin && found.subject.length === 1) return { subject, predicate, kind: 'person', about: `Your ${lower}` };
  const person = isThe && !isHousehold ? undefined : personIn(found.subject, isOwn || isHousehold);
  if (person !== undefined) {
    const named = person.startsWith('Your ') ? NAMED.exec(predicate)?.groups?.name : undefined;
    return { subject, predicate, kind: 'person', about: named ?? person };
  }
  if (!isOwn && !isThe) return undefined;
  return { subject, predicate, kind: 'thing', about: lower === 'my' ? ABOUT_SELF : ABOUT_SHARED };
}

/** “I'll” and “here's” are no names either. */
const withoutVerb = (word: string) => word.replace(/['’](?:ll|d|s|re|ve|m)$/u, '');

/** The first finite verb after the subject's first words; “My name's Ada” has it in its last. */
function findVerb(words: string[], from: number) {
  const limit = Math.min(words.length, SUBJECT_WORDS);
  for (let at = from; at < limit; at += 1) {
    const word = words[at] ?? '';
    if (VERB.test(word)) return { subject: words.slice(0, at), predicate: words.slice(at) };
  }
  for (let at = from; at < limit; at += 1) {
    const before = words[at - 1] ?? '';
    // “My neighbour feeds our cat”: any verb, right after a person.
    if (isRelation(before) || (at > 1 && NAME.test(before))) {
      if (DOES.test(words[at] ?? '')) return { subject: words.slice(0, at), predicate: words.slice(at) };
    }
  }
  for (let at = from - 1; at < Math.min(limit, from + 2); at += 1) {
    const bare = /^(?<noun>.+)['’]s$/u.exec(words[at] ?? '')?.groups?.noun;
    const next = words[at + 1] ?? '';
    if (bare !== undefined && /^(?:an?|the|called|named|from|allergic|vegetarian|vegan|\d.*|\p{Lu}.*)$/u.test(next)) {
      return { subject: [...words.slice(0, at), bare], predicate: ['is', ...words.slice(at + 1)] };
    }
  }
  return undefined;
}

/** A person's name in a subject, or “Your sister”; undefined for a thing. */
function personIn(subject: string[], isOwn: boolean): string | undefined {
  const words = subject.map((word) => word.replace(/,$/, ''));
  // “My sister's birthday” is still about her.
  const owner = words.findIndex((word) => /['’]s?$/u.test(word));
  const whom = (owner < 0 ? words : words.slice(0, owner + 1)).map((word) => word.replace(/['’]s?$/u, ''));
  const relation = whom.findIndex(isRelation);
  if (isOwn && relation < 0) return undefined;
  const names = whom.slice(isOwn ? relation + 1 : 0).filter((word) => NAME.test(word));
  if (names.length > 0) return names.slice(0, 2).join(whom.includes('and') ? ' and ' : ' ');
  const next = isOwn ? whom[relation + 1] : undefined;
  if (next !== undefined && /^\p{Ll}+$/u.test(next) && whom.length === relation + 2) {
    return next.replace(/^./u, (letter) => letter.toUpperCase());
  }
  return isOwn
    ? `Your ${whom
        .slice(1, relation + 1)
        .join(' ')
        .toLowerCase()}`
    : undefined;
}
