import { dropEnd, dropStart } from '../../trim.ts';
import { clausesOf, cutTitle, LOOSE_END } from '../title-cut.ts';

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
/** Words without a meaning of their own. */
const VAGUE =
  /^(?:them|there|one|someone|somebody|something|anyone|anything|that's|makes|sense|sounds|really|however|yeah)$/i;
const EMPTY =
  /^(?:help|advice|tips|guidance|suggestions|feedback|thoughts|ideas|question|questions|do|it|this|that|here|see|look|know|me|you|i|is|are|was|please|good|idea|ideas|figure|out|decision|call|think|decide|that's|it's|way|best|code|current|problem|worth|read)$/i;

/** What somebody is or has: “my daughter Nora is allergic to peanuts”. */
const ABOUT =
  /^(?:[Mm]y|[Oo]ur) (?<whom>(?:[\p{L}&'’-]+ ){0,4}?[\p{L}&'’-]+) (?:is|are|was|has|have|'s) (?:(?:now|also|very|really|a|an|the|called|named) ){0,2}(?<what>\S.*)$/u;

/** A title of at most 40 characters from the person's first message: the first clause that says something, without its introduction; never empty. */
export function offlineTitle(message: string): string {
  const clauses = clausesOf(message).filter(({ text }) => SAYS_SOMETHING.test(text));
  const prose = clauses.filter(({ code }) => !code).map(({ text }) => phraseOf(text));
  const first =
    prose.find((phrase) => mattersIn(phrase) > 1) ?? prose.find((phrase) => mattersIn(phrase) > 0) ?? prose[0];
  return cutTitle(first ?? clauses[0]?.text ?? '') || UNTITLED;
}

/** How many words of a phrase have a meaning of their own. */
const mattersIn = (phrase: string) =>
  (phrase.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? []).filter(
    (word) => !EMPTY.test(word) && !VAGUE.test(word) && !LOOSE_END.has(word),
  ).length;

function phraseOf(text: string): string {
  let rest = text.replace(/,? (?:please|thanks|thank you)[.!?]?$/i, '');
  for (;;) {
    const about = ABOUT.exec(rest)?.groups;
    if (about !== undefined) return aboutSomebody(about.whom ?? '', about.what ?? '');
    const shorter = LEAD_INS.map((pattern) => dropStart(rest.replace(pattern, ''), /[\s,;:–—-]/));
    const next = shorter.find((cut) => cut.length < rest.length && enough(cut));
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
