import { ABOUT_SELF, ABOUT_SHARED, type Claim } from './claim.ts';
import { isRelation, NAME } from './people.ts';
import { readThird } from './third-person.ts';

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
