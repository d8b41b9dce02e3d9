import { dropEnd, dropStart } from '../../trim.ts';
import { type Clause, clausesOf } from '../title-clauses.ts';
import { cutTitle, LOOSE_END } from '../title-cut.ts';

const UNTITLED = 'New conversation';
const SAYS_SOMETHING = /[\p{L}\p{N}]{2}|\p{N} ?[-+*/^=] ?\p{N}/u;

/** Introductions before the subject itself; removed one after another. */
const LEAD_INS: RegExp[] = [
  /^(?:hi|hello|hey|hiya|dear|ok|okay|so|well|please|thanks|thank you|sorry|also|and|but|now|actually|basically|hmm|um|good (?:morning|afternoon|evening))\b(?: (?:there|again|everyone|all|team)\b)?[\s,.!:;–—-]*/i,
  /^(?:can|could|would|will) you (?:(?:please|maybe|kindly|also) )?(?=\S)/i,
  /^(?:do you (?:know|think|have)|have any|any (?:idea|tips|advice|suggestions) (?:on|about|for|how)|(?:tell me|show me|let me know)(?: about)?|explain to me|walk me through|i (?:was|am|'m) (?:just )?(?:wondering|curious|asking)|i'm (?:just )?(?:wondering|curious)) (?=\S)/i,
  /^what(?:'s| is| are) (?:the |a |some )?(?:best|good|right) ways? (?:to|of|for) (?=\S)/i,
  /^i(?:'d| would) (?:like|love) (?:you )?(?:to )?(?:(?:know|learn|hear|ask|understand) )?(?:more )?(?:about )?/i,
  /^i(?:'m| am) (?:\w+ ){0,3}(?:trying|looking|planning|hoping|going|thinking|working|struggling|aiming|stuck|torn|worried|concerned|stressed|confused|interested|excited|unsure|sure|trouble|issues|problems|ready|mood) (?:to|for|on|with|at|about|between|in|of|if|that) /i,
  /^i(?:'m| am) (?:considering|using|wondering about) (?=\S)/i,
  /^i(?:'ve| have) (?:\w+ ){0,2}been (?:trying|looking|thinking|working|meaning|planning|struggling) (?:to|for|on|with|about|at) /i,
  /^i (?:\w+ ){0,2}(?:want|need|have|wish|tried|decided|plan|hope) (?:you |help )?(?:to|with) /i,
  /^(?:i (?:need|want) (?:some |your )?(?:help|advice|guidance|tips|feedback) (?:with|on|about|in)|i have a question about|i'm getting|i want|i need|i've got|i got|what about|how about) (?=\S)/i,
  /^(?:help|assist|support|guide|teach|advise)(?: me| us)?(?: to| with| on| in| through| out with)? (?=\S)/i,
  /^(?:remember|note|keep in mind|know|figure out|find out|make sure|understand|learn|see|think about|talk about|decide|determine|if|whether|that)(?: that| on| about| if| whether)?:? (?=\S)/i,
  /^(?:give|offer|provide|share|suggest|recommend|show|send|write|create|make|draft|compose|generate|prepare|build|develop|design|come up with|find|list|get)(?: me| us)? (?:some|a few|a good|a|an|the|my|any|your) (?=\S)/i,
  /^(?:some|a few|a|an|the|any|your|my) (?=\S)/i,
];
/** A clause that begins like this asks for something. */
const ASKS =
  /^(?:please |and |but |so |also )*(?:(?:can|could|would|will) you|help me|please|what|how|why|when|where|which|who|should|is it|is there|are there|do you|does|did|explain|write|create|give|show|tell|suggest|recommend|find|fix|translate|summari[sz]e|compare|plan|list|remember|note)\b/i;
/** Words without a meaning of their own: a clause with them says little by itself. */
const VAGUE = /\b(?:this|that|it|these|those|them|him|her|there|one|some|something|anything)\b/gi;
const EMPTY =
  /^(?:help|advice|tips|guidance|suggestions|feedback|thoughts|ideas|question|questions|do|it|this|that|here|see|look|know|me|you|i|is|are|was|please|good|idea|ideas|figure|out|decision|call|think|decide|that's|it's|way|best|code|current|problem|worth|read)$/i;

/** What somebody is or has: “my daughter Nora is allergic to peanuts”. */
const ABOUT =
  /^(?:[Mm]y|[Oo]ur) (?<whom>(?:[\p{L}&'’-]+ ){0,4}?[\p{L}&'’-]+) (?:is|are|was|has|have|'s) (?:(?:now|also|very|really|a|an|the|called|named) ){0,2}(?<what>\S.*)$/u;

/** A title of at most 40 characters from the person's first message: its subject, without the introduction; never empty. */
export function offlineTitle(message: string): string {
  const read = clausesOf(message).map(readClause);
  // Earlier clauses count a little more.
  const worths = read.map(({ worth }, at) => worth - 0.2 * at);
  const best = read[worths.indexOf(Math.max(...worths))];
  return (best && cutTitle(best.phrase)) || UNTITLED;
}

interface Reading {
  phrase: string;
  worth: number;
}

/** A clause as a phrase, and how much it says about the conversation's subject. */
function readClause({ text, code }: Clause): Reading {
  if (!SAYS_SOMETHING.test(text)) return { phrase: '', worth: 0 };
  if (code) return { phrase: text, worth: 1 };
  const phrase = phraseOf(text);
  const words = (phrase.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? []).filter((word) => !EMPTY.test(word));
  const matter = words.filter((word) => !LOOSE_END.has(word)).length;
  const vague = (phrase.match(VAGUE) ?? []).length;
  const asks = matter > 1 && (ASKS.test(text) || text.endsWith('?'));
  // Four words are enough. An instruction or a question says what is wanted, the rest what it is about.
  const worth = 2 + Math.min(4, matter) - Math.min(3, 1.5 * vague) + (asks ? 2.5 : 0) - (matter === 0 ? 4 : 0);
  return { phrase: SAYS_SOMETHING.test(phrase) ? phrase : text, worth };
}

function phraseOf(text: string): string {
  let rest = text.replace(/,? (?:please|thanks|thank you)[.!?]?$/i, '');
  for (;;) {
    const about = ABOUT.exec(rest)?.groups;
    if (about !== undefined) return aboutSomebody(about.whom ?? '', about.what ?? '');
    const shorter = LEAD_INS.map((pattern) => dropStart(rest.replace(pattern, ''), /[\s,;:–—-]/));
    const next = shorter.find((left) => left.length < rest.length && enough(left));
    if (next === undefined) return rest;
    rest = next;
  }
}

/** What is left has to mean something by itself. */
const enough = (text: string) =>
  SAYS_SOMETHING.test(text) &&
  !EMPTY.test(dropEnd(text, /[\s.!?]/)) &&
  !/^(?:of|to|with|about|for|on|in|at|me|us)\b/i.test(text);

/** “Nora, allergic to peanuts”; “Favourite colour: teal”. */
function aboutSomebody(whom: string, what: string): string {
  const name = /(?:^| )(?<name>\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?)$/u.exec(whom)?.groups?.name;
  const [matter = ''] = what.split(/[,;.!?] |[.!?]$/, 1);
  return name === undefined ? `${whom}: ${matter}` : `${name}, ${matter}`;
}
