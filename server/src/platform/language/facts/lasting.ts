import { isMomentary } from './clauses.ts';
import type { Claim } from './subjects.ts';

/** What somebody is for long, apart from “a nurse”, “from Porto” and “40 years old”. */
const LASTING =
  'allergic|intolerant|vegetarian|vegan|pescatarian|flexitarian|omnivorous|coeliac|celiac|kosher|halal|teetotal|sober|lactose|gluten|diabetic|asthmatic|epileptic|autistic|dyslexic|deaf|blind|colou?r-?blind|short-?sighted|left-?handed|right-?handed|pregnant|married|single|divorced|widowed|separated|engaged|dating|retired|unemployed|self-?employed|freelance|adopted|bilingual|religious|catholic|muslim|jewish|buddhist|hindu|christian|atheist|born|named|called|based|responsible|in charge|afraid|scared|terrified|fond|keen|interested|passionate|good at|bad at|terrible at|into|learning|studying|training|teaching|writing(?! (?:to|this|that|it)\\b)|building|planning (?:a|an|my|our)|saving|renovating|restoring|expecting|living|working(?! on (?:it|this|that|something)\\b)|raising|running (?:a|an|my|our|the)|moving (?:to|from|back|out|house|home|in (?:with|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter))|getting married|doing (?:a|an|my) (?:phd|doctorate|master|degree|apprenticeship|course)|the (?:eldest|oldest|youngest|middle|head|owner|founder|lead|only|chair|captain|mother|father|treasurer)|on (?:a|an) [\\p{L} -]{2,20}(?:diet|visa|pension)|on (?:medication|insulin|parental leave|maternity leave)|\\d{1,3}(?: years?(?: old)?)?$|from|[\\p{L}-]+-free';
const BE = /^(?:am|are|is|isn['’]t|aren['’]t|was|were) (?<rest>.+)$/iu;
const DEGREES =
  /^(?:(?:not|now|also|still|really|very|severely|slightly|highly|mildly|currently|actually|both|a bit|originally|strictly|no longer|half|almost)[ ,]+)+/i;
const LASTING_START = new RegExp(`^(?:${LASTING})(?![\\p{L}])`, 'iu');
/** “A nurse”, “an only child”; but “a bit tired”, “a fool for asking”. */
const A_NOUN =
  /^an? (?!(?:bit|little|lot|while|moment|mess|fool|wreck|pity|shame|joke|great help|few|huge help|relief|pain)\b)\p{L}/iu;
/** “Nurses”, “retired teachers”. */
const NOUNS =
  /^(?:\p{Ll}+ )?(?:\p{Ll}{2,}(?:ers|ors|ists|ians|ants)|nurses|twins|cousins|siblings|colleagues|vegans)$/u;
/** “Portuguese”, “Ada Lovelace”. */
const CAPITAL = /^\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2}(?:$| (?:and|but|by|with) )/u;

/** What people do again and again. */
const HABITS =
  "have lived|have worked|have studied|have played|live|lived|stay with|work|study|teach|coach|drive|ride|cycle|commute|play|speak|prefer|hate|dislike|detest|loathe|love|adore|like|enjoy|avoid|own|use|wear|collect|eat|drink|cook|bake|sleep|run|swim|climb|hike|dance|sing|paint|draw|knit|sew|garden|grow|breed|raise|keep|volunteer|manage|lead|support|belong|follow|practi[sc]e|deploy|ship|release|meet|celebrate|suffer|weigh|rent|subscribe|wake up|wake|get up|go by|go to|come from|attend|train|code|program|write in|write with|observe|fast|smoke|vape|shop at|bank with|skip|need|take|pay|host|share|brew|sail|ski|surf|row|fish|box|meditate|stick to|stand by|grew up|was born|can['’]t stand|cannot stand|can['’]t (?:eat|drink|have|tolerate|swim|drive|digest|see|hear)|cannot (?:eat|drink|have|tolerate|swim|drive|digest|see|hear)";
const MODAL =
  "(?:don['’]t|do not|doesn['’]t|does not|never|always|usually|often|mostly|mainly|rarely|seldom|sometimes|only|also|still|now|really|currently|both|just|no longer|can|regularly|generally|strongly|absolutely|normally|actually) ";
const HABIT = new RegExp(
  `^(?:${MODAL}){0,3}(?:${HABITS}|have been (?:living|working|learning|studying|married|vegetarian|vegan|playing))\\b(?<object>.*)$`,
  'iu',
);
/** An object that says nothing by itself, or that makes the verb mean something else. */
const VAGUE_OBJECT =
  /^ (?:it|this|that|these|those|them|the (?:idea|way|sound|look|fact|first|second|last|new one|weather|answer)|how|when|what|where|why|to (?:think|say|see|know|believe|do|go|talk|hear|thank|ask|take|get)|(?:my|some) time|(?:a|my) (?:look|break|walk|shower|nap|minute|guess|point|moment|note|seat|picture|breath|second|chance)|care|part|place|off|out|up|over|on it|into|note|so|too|as well|fine|well|wondering|thinking|forgetting|trying|getting|asking|coming back|going|hoping|help|some help|more|advice|ideas?|a hand|a recipe|an? (?:example|answer|idea|suggestion|list|summary|plan))\b|^$/i;
const FREQUENT =
  /\b(?:every|each|daily|weekly|monthly|yearly|once an?|twice an?|times an?|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|on (?:weekends|weekdays)|in the (?:mornings|evenings|afternoons)|always|usually|at weekends)\b/i;

/** “I've never learned to swim”, “I'd rather not get mushrooms”. */
const ALWAYS_SO =
  /^(?:have never (?!heard|seen|thought|known|noticed|tried|said|understood|felt|read|had|used|done|been (?:so|this|that|more|better|happier|asked|told))\p{L}+(?! (?:it|this|that|such|so|of)\b)|would (?:much )?(?:rather|prefer)\b)/iu;
/** “I had pasta for lunch”. */
const MEAL = /^(?:had|ate|have had|have eaten)\b.*\bfor (?:lunch|dinner|breakfast|supper)\b/i;
/** “I always get confused about tides”: said of what is asked. */
const CONFUSED = /^(?:always|often|sometimes|usually) (?:get (?:confused|lost|stuck)|wonder|forget|mix|struggle to)\b/i;
/** “I'm saving for a boat, eight thousand so far”: what follows says how it stands. */
const withoutAside = (predicate: string) => predicate.replace(/, [^,]{2,40} so far$/i, '');

/** What changes a life; the day does not matter. */
const CHANGES =
  /^(?:have |has |had |just |recently |finally |also |already |now |officially )*(?:moved (?!on\b)|relocated|emigrated|started (?:as|at|for|working|learning|university|college|school|a (?:new )?(?:job|company|business|course|diet|degree|family)|my (?:own|new)|an? )|quit|stopped \p{L}+ing|gave up|given up|got (?:married|engaged|divorced|promoted|an? (?:new )?(?:dog|cat|puppy|kitten|job|horse|car|bike|flat|house|daughter|son|tattoo)|rid of|a place|my (?:licence|license|degree|diploma)|two)|became|adopted|bought|sold(?! out\b)|switched|changed (?:jobs?|my (?:name|diet|job|number|address)|our|to|from|schools?)|joined|left (?:my|our|the|(?-i:\p{Lu}))|graduated|retired|turned (?:\d|\p{L}+ty)|inherited|founded|lost my (?:job|dog|cat|mother|father|licence|license)|broke (?:up|my)|married|divorced|adopt)/iu;
/** What somebody had and no longer has. */
const NO_LONGER =
  /^(?:have |just |recently |finally |also |already |now |officially )*(?:gave away (?:my|our) |gave (?:my|our) (?!seat\b|place\b)[^,]{2,40} away\b|donated (?:my|our) |cancell?ed (?:my|our|the) (?:[^ ,]+ ){0,3}?(?:subscription|membership|contract|policy|insurance|account|licen[cs]e|lease|flight|trip|wedding|holiday|vacation|appointment|party|lessons?|classes|course)\b|cancell?ed (?!\p{L}+day\b)(?-i:\p{Lu})|(?:no longer (?:have|own)|(?:don['’]t|do not) (?:have|own)(?= [^,]{2,40} any ?more$)) (?!the |access )(?<object>.+))/iu;
/** Bought and gone. */
const CONSUMED =
  /\b(?:coffee|tea|lunch|dinner|breakfast|snack|sandwich|drinks?|milk|bread|groceries|tickets?|beer|stamps?|messages?|emails?|calls?|headache|cold|reading|thinking|wondering|looking)\b/i;

const TASK =
  /^(?:(?:also|just|really|only|still|now|simply) )*(?:need|want|ought|plan|intend|try|got|have|have got) to /i;
const NEED = /\bto (?:avoid|take (?:\p{L}+ )?(?:insulin|medication|pills?)|wear|eat|use an?)\b/iu;
/** “I need a coffee”: once had, no longer needed. */
const NEEDED_NOW =
  /^(?:(?:also|just|really|only|still|now|so|definitely|desperately) )*(?:need|want|could use) (?:(?:a|an|another|some|more|one|my|the|big|strong|good|long|quick|little|short|proper|real) )+(?:coffee|espresso|tea|water|drinks?|beer|wine|whisky|snack|food|lunch|dinner|breakfast|sandwich|pizza|chocolate|sugar|caffeine|nap|sleep|rest|break|holiday|vacation|weekend|walk|shower|bath|hug|massage|haircut|distraction|pick-me-up|fresh air|time|space|minute|moment|refill|lift|ride|taxi)\b/iu;
const ABLE = /^(?:(?:also|just|really|only|still|now) )*can (?!not\b)/i;
const SKILL =
  /^(?:(?:also|just|really|only|still|now) )*can (?:also |only |still |barely |hardly )?(?:speak|play|swim|drive|ride|sing|cook|bake|eat|drink|tolerate|code|program|type|dance|ski|sew|knit|sail|fly|dive|draw|paint|hear|see|walk|work)\b(?! (?:it|this|that|on it))/i;

/** “Have also set up the server”: done, not had. */
const DONE =
  /^(?:(?:also|just|recently|already|now) )*(?:\p{L}+ed|set|made|begun|written|built|put|taken|chosen|spent)\b/iu;

const HAVE = /^(?:(?:also|still|now|only|both|currently) )?(?:have|has|had|own|keep)(?: got)? (?<object>.+)$/iu;
const NOT_HAD =
  /^(?:(?:a|an|some|any|no|my|the|another|one|two|few|many|several|such|quick|great|lovely|nice|good|bad|big|little|small|just|got|more|lots of|so much|too much) )*(?:to|been|questions?|problems?|issues?|ideas?|feelings?|looks?|minutes?|moments?|seconds?|hours?|time|chance|doubts?|headaches?|colds?|coffee|tea|lunch|dinner|breakfast|fun|clue|choice|trouble|day|night|morning|evening|weekend|week|walk|chat|think|thought|thoughts|plans|point|reason|words|seen|had|heard|read|tried|done|made|finished|forgotten|lost|found|decided|enough|work|things|stuff|something|nothing|everything|this|that|it|them|hunch|request|favou?r|nap|shower|rest|break|laugh|go|say|news|hope|hard|help|never|always|not|gone|come|taken|given|eaten|just|already|ever|written|learned|noticed|realised|realized|started|told|used|asked)\b/i;

/** What an agent is asked to help with. */
const TROUBLE = /\b(?:questions?|bugs?|errors?|problems?|issues?|ideas?)\b/i;

/** How people judge things for the moment. */
const JUDGEMENT =
  /^(?:(?:so|very|really|quite|pretty|too|all|just|a bit|a little|not|still|already|kind of|also|now|getting|feeling) )*(?:good|great|nice|fine|ok|okay|bad|awful|terrible|tired|exhausted|happy|glad|sad|sick|ill|unwell|angry|upset|busy|late|early|ready|done|slow|fast|full|empty|low|fun|funny|amazing|awesome|wonderful|lovely|delicious|interesting|boring|crazy|weird|strange|annoying|annoyed|cold|hot|warm|wet|over|gone|back|here|there|home|away|open|down|up|wrong|right|correct|clear|simple|easy|hard|difficult|that|this|to|about|how|why|what|because|sure|hungry|thirsty|asleep|awake|stuck|lost|cute|sweet|perfect|sunny|raining|killing|hurting|getting|going|coming|being|doing|having|making|looking|feeling|waiting|trying|acting|broken|dirty|messy|loud|quiet|noisy|beautiful|as|like|out|in (?:a|the) (?:\p{L}+ )?(?:hurry|mood|shower|meeting)|on (?:the|my) (?:way|phone))\b/iu;
/** Subjects of small talk. */
const SMALL =
  /^(?:my|our) (?:[\p{L}'’-]+ ){0,2}?(?:question|questions|point|guess|bad|pleasure|problem|issue|ideas?|thoughts?|day|morning|evening|afternoon|night|weekend|week|head|back hurts|mood|apolog(?:y|ies)|mistake|turn|opinion|understanding|impression|concern|worry|request|message|answer|coffee|tea|lunch|dinner|breakfast|battery|internet|connection|typing|english|fault|eyes|feet|train|bus|walk|sleep|conversation|chat|advice|suggestion|hope|word|bet|first thought)$/iu;
const FIXED_DAY =
  /^(?:my|our) [\p{L}'’-]+(?: [\p{L}'’-]+)* (?:day|night|morning|evening|lunch|dinner|breakfast|coffee|train)$/iu;
/** A goal is stated with “to”. */
const GOAL = /\b(?:goal|aim|dream|resolution|ambition|job|duty|allergy|commute|tradition|routine|habit|policy|rule)$/i;

/** What is said of people, never of cities, languages or composers. */
const PERSONAL =
  /^(?:(?:is|are|isn['’]t|aren['’]t) (?:(?:not|now|also|still|very|severely|no longer|actually) )*(?:allergic|intolerant|vegetarian|vegan|pescatarian|coeliac|celiac|diabetic|asthmatic|pregnant|married|divorced|single|engaged|left-handed|retired|my|our|\d{1,3}(?: years? old)?$)|(?:now |also |still |recently |just )?(?:lives|works (?:as|at|for|with|in)|likes|loves|hates|prefers|dislikes|moved to|can['’]t (?:eat|drink|stand)|doesn['’]t (?:eat|drink|like)|got (?:married|engaged|divorced)|turned \d))\b/i;

/** Whether a claim stays true for long enough, and says enough, to be kept as a fact. */
export function isLasting(claim: Claim, names: ReadonlySet<string>): boolean {
  const { kind, subject, predicate, about } = claim;
  if (kind === 'self') return selfLasts(predicate);
  const isNamed = kind === 'person' && !/^(?:my|our|the) /i.test(subject) && !about.startsWith('Your ');
  // “Ana is a nurse” may be anybody's, unless the person has said who Ana is.
  if (isNamed && !names.has(about) && !PERSONAL.test(predicate) && !/['’]s? \p{Ll}/u.test(subject)) return false;
  if (SMALL.test(subject) && !FIXED_DAY.test(subject)) return false;
  if (isMomentary(predicate)) return CHANGES.test(predicate) && !CONSUMED.test(predicate);
  const be = BE.exec(predicate)?.groups?.rest;
  if (be === undefined) return thirdLasts(claim);
  if (/^w/i.test(predicate))
    return /^(?:born|named|called|from|an?|the|built|founded|married|repaired|serviced|moved|postponed|renamed)\b/i.test(
      be,
    );
  if (/^to\b/i.test(be)) return GOAL.test(subject);
  // “The kids are at school”
  if (/^the /i.test(subject) && kind === 'person' && /^(?:at|in|on|with|off|all) /i.test(be)) return false;
  return !JUDGEMENT.test(be);
}

function thirdLasts({ kind, predicate }: Claim): boolean {
  const had = HAVE.exec(predicate)?.groups?.object;
  if (had !== undefined) return !NOT_HAD.test(had) && !TROUBLE.test(had);
  // “My code doesn't work”: for now.
  if (kind === 'thing' && /^(?:doesn['’]t|does not|don['’]t|do not|won['’]t|can['’]t)\b/i.test(predicate)) return false;
  if (kind === 'person')
    return (
      !/^(?:gets?|got|needs?|go(?:es)?(?! to (?:[\p{L}'’]+ ){0,4}(?:school|university|uni|college|kindergarten|nursery|church|mosque|gym)\b)|comes|left|knows?|can|will|won['’]t|keeps? \p{L}+ing)\b/iu.test(
        predicate,
      ) ||
      CHANGES.test(predicate) ||
      FREQUENT.test(predicate) ||
      /\d|can['’]t/.test(predicate)
    );
  return (
    !/^(?:got|gets|go(?:es)?|knows?|can|needs?|never|works?)\b/i.test(predicate) ||
    FREQUENT.test(predicate) ||
    /\d/.test(predicate)
  );
}

/** “I gave away my piano”, “I no longer have a car”: it ends what was stated before. */
function endsHaving(predicate: string): boolean {
  const ended = NO_LONGER.exec(predicate);
  const object = ended?.groups?.object ?? '';
  return ended !== null && !NOT_HAD.test(object) && !TROUBLE.test(object);
}

function selfLasts(predicate: string): boolean {
  if (CHANGES.test(predicate) || endsHaving(predicate)) return !CONSUMED.test(predicate);
  if (ALWAYS_SO.test(predicate)) return true;
  if (isMomentary(withoutAside(predicate)) || isTask(predicate) || MEAL.test(predicate) || CONFUSED.test(predicate))
    return false;
  const be = BE.exec(predicate)?.groups?.rest;
  if (be !== undefined) return isForLong(be, predicate);
  const had = /^(?:keep|have (?:lived|worked|studied|played|been)\b)/i.test(predicate)
    ? undefined
    : HAVE.exec(predicate)?.groups?.object;
  if (had !== undefined) return !NOT_HAD.test(had) && !TROUBLE.test(had) && !DONE.test(had);
  const object = HABIT.exec(predicate)?.groups?.object;
  if (object !== undefined) return !VAGUE_OBJECT.test(object);
  return FREQUENT.test(predicate) && !/\bevery(?:thing|one|body)\b/i.test(predicate);
}

/** “I need to call them”, “I need a nap”, “I can look at that”: what is done next. But what is done all the time, and what somebody is able to do, last. */
const isTask = (predicate: string): boolean =>
  (TASK.test(predicate) && !FREQUENT.test(predicate) && !NEED.test(predicate)) ||
  (NEEDED_NOW.test(predicate) && !FREQUENT.test(predicate)) ||
  (ABLE.test(predicate) && !SKILL.test(predicate));

function isForLong(be: string, predicate: string): boolean {
  const rest = be.replace(DEGREES, '');
  if (/^was|^were/i.test(predicate))
    return /^(?:born|raised|named|adopted|diagnosed|trained|an? (?!bit|little|lot)\p{L})/iu.test(rest);
  return LASTING_START.test(rest) || A_NOUN.test(rest) || NOUNS.test(rest) || CAPITAL.test(rest);
}
