import { isMomentary } from './clauses.ts';
import { isAlwaysSo, isFrequent, isHabit } from './habits.ts';
import type { Claim } from './read-claim.ts';

const HAVE = /^(?:(?:also|still|now|only|both|currently) )?(?:have|has|had|own|keep)(?: got)? (?<object>.+)$/iu;
const NO_THING =
  /^(?:(?:a|an|some|any|no|my|the|another|one|two|few|many|several|such|quick|great|lovely|nice|good|bad|big|little|small|just|got|more|lots of|so much|too much) )*(?:to|been|questions?|problems?|issues?|ideas?|feelings?|looks?|minutes?|moments?|seconds?|hours?|time|chance|doubts?|headaches?|colds?|coffee|tea|lunch|dinner|breakfast|fun|clue|choice|trouble|day|night|morning|evening|weekend|week|walk|chat|think|thought|thoughts|plans|point|reason|words|seen|had|heard|read|tried|done|made|finished|forgotten|lost|found|decided|enough|work|things|stuff|something|nothing|everything|this|that|it|them|hunch|request|favou?r|nap|shower|rest|break|laugh|go|say|news|hope|hard|help|never|always|not|gone|come|taken|given|eaten|just|already|ever|written|learned|noticed|realised|realized|started|told|used|asked)\b/i;

/** What an agent is asked to help with. */
const TROUBLE = /\b(?:questions?|bugs?|errors?|problems?|issues?|ideas?)\b/i;

/** “Have also set up the server”: done, not had. */
const DONE =
  /^(?:(?:also|just|recently|already|now) )*(?:\p{L}+ed|set|made|begun|written|built|put|taken|chosen|spent)\b/iu;

/** What somebody has, of a predicate such as “have two cats”. */
const objectHad = (predicate: string): string | undefined => HAVE.exec(predicate)?.groups?.object;

/** Whether it is theirs for long: no question, no minute, no trouble that they ask about. */
const isHad = (object: string): boolean => !NO_THING.test(object) && !TROUBLE.test(object);
const isDone = (object: string): boolean => DONE.test(object);

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
const changesLife = (predicate: string): boolean =>
  (CHANGES.test(predicate) || endsHaving(predicate)) && !CONSUMED.test(predicate);

/** Whether it tells of a life at another time: “lost my hearing in 2019”, “used to be a baker”, “are getting a dog in spring”. */
const isHistoryOrPlan = (predicate: string): boolean =>
  (BEFORE.test(predicate) && HISTORY.test(predicate)) || USED_TO.test(predicate) || PLAN.test(predicate);

/** “I gave away my piano”, “I no longer have a car”: it ends what was stated before. */
function endsHaving(predicate: string): boolean {
  const ended = NO_LONGER.exec(predicate);
  const object = ended?.groups?.object ?? '';
  return ended !== null && isHad(object);
}

/** “I had pasta for lunch”. */
const MEAL = /^(?:had|ate|have had|have eaten)\b.*\bfor (?:lunch|dinner|breakfast|supper)\b/i;
/** “I always get confused about tides”: said of what is asked. */
const CONFUSED = /^(?:always|often|sometimes|usually) (?:get (?:confused|lost|stuck)|wonder|forget|mix|struggle to)\b/i;
const TASK =
  /^(?:(?:also|just|really|only|still|now|simply) )*(?:need|want|ought|plan|intend|try|got|have|have got) to /i;
const NEED = /\bto (?:avoid|take (?:\p{L}+ )?(?:insulin|medication|pills?)|wear|eat|use an?)\b/iu;
/** “I need a coffee”: once had, no longer needed. */
const NEEDED_NOW =
  /^(?:(?:also|just|really|only|still|now|so|definitely|desperately) )*(?:need|want|could use) (?:(?:a|an|another|some|more|one|my|the|big|strong|good|long|quick|little|short|proper|real) )+(?:coffee|espresso|tea|water|drinks?|beer|wine|whisky|snack|food|lunch|dinner|breakfast|sandwich|pizza|chocolate|sugar|caffeine|nap|sleep|rest|break|holiday|vacation|weekend|walk|shower|bath|hug|massage|haircut|distraction|pick-me-up|fresh air|time|space|minute|moment|refill|lift|ride|taxi)\b/iu;
const ABLE = /^(?:(?:also|just|really|only|still|now) )*can (?!not\b)/i;
const SKILL =
  /^(?:(?:also|just|really|only|still|now) )*can (?:also |only |still |barely |hardly )?(?:speak|play|swim|drive|ride|sing|cook|bake|eat|drink|tolerate|code|program|type|dance|ski|sew|knit|sail|fly|dive|draw|paint|hear|see|walk|work)\b(?! (?:it|this|that|on it))/i;

/** “I need to call them”, “I need a nap”, “I can look at that”: what is done next. But what is done all the time, and what somebody is able to do, last. */
const isTask = (predicate: string): boolean =>
  (TASK.test(predicate) && !isFrequent(predicate) && !NEED.test(predicate)) ||
  (NEEDED_NOW.test(predicate) && !isFrequent(predicate)) ||
  (ABLE.test(predicate) && !SKILL.test(predicate));

/** What is done, eaten or needed now and has no place among facts. */
const isPassing = (predicate: string): boolean => isTask(predicate) || MEAL.test(predicate) || CONFUSED.test(predicate);

/** What somebody is for long, apart from “a nurse”, “from Porto” and “40 years old”. */
const LASTING =
  'allergic|intolerant|vegetarian|vegan|pescatarian|flexitarian|omnivorous|coeliac|celiac|kosher|halal|teetotal|sober|lactose|gluten|diabetic|asthmatic|epileptic|autistic|dyslexic|deaf|blind|colou?r-?blind|short-?sighted|left-?handed|right-?handed|pregnant|married|single|divorced|widowed|separated|engaged|dating|retired|unemployed|self-?employed|freelance|adopted|bilingual|religious|catholic|muslim|jewish|buddhist|hindu|christian|atheist|born|named|called|based|responsible|in charge|afraid|scared|terrified|fond|keen|interested|passionate|good at|bad at|terrible at|into|learning|studying|training|teaching|writing(?! (?:to|this|that|it)\\b)|building|planning (?:a|an|my|our)|saving|renovating|restoring|expecting|living|working(?! on (?:it|this|that|something)\\b)|raising|running (?:a|an|my|our|the)|moving (?:to|from|back|out|house|home|in (?:with|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter))|getting married|doing (?:a|an|my) (?:phd|doctorate|master|degree|apprenticeship|course)|the (?:eldest|oldest|youngest|middle|head|owner|founder|lead|only|chair|captain|mother|father|treasurer)|on (?:a|an) [\\p{L} -]{2,20}(?:diet|visa|pension)|on (?:medication|insulin|parental leave|maternity leave)|\\d{1,3}(?: years?(?: old)?)?(?=$|,| and\\b)|(?:\\d+|two|three|four|five|six|seven|eight|nine|ten) (?:of us|in (?:my|our|the)\\b|people\\b)|from|[\\p{L}-]+-free';
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

/** “I'm saving for a boat, eight thousand so far”: what follows says how it stands. */
const withoutAside = (predicate: string) => predicate.replace(/, [^,]{2,40} so far$/i, '');

/** How people judge things for the moment. */
const JUDGEMENT =
  /^(?:(?:so|very|really|quite|pretty|too|all|just|a bit|a little|not|still|already|kind of|also|now|getting|feeling) )*(?:good|great|nice|fine|ok|okay|bad|awful|terrible|tired|exhausted|happy|glad|sad|sick|ill|unwell|angry|upset|busy|late|early|ready|done|slow|fast|full|empty|low|fun|funny|amazing|awesome|wonderful|lovely|delicious|interesting|boring|crazy|weird|strange|annoying|annoyed|cold|hot|warm|wet|over|gone|back|here|there|home|away|open|down|up|wrong|right|correct|clear|simple|easy|hard|difficult|that|this|to|about|how|why|what|because|sure|hungry|thirsty|asleep|awake|stuck|lost|cute|sweet|perfect|sunny|raining|killing|hurting|getting|going|coming|being|doing|having|making|looking|feeling|waiting|trying|acting|broken|dirty|messy|loud|quiet|noisy|beautiful|as|like|out|in (?:a|the) (?:\p{L}+ )?(?:hurry|mood|shower|meeting)|on (?:the|my) (?:way|phone))\b/iu;
/** “Hard for me”, “bad for my mother”. */
const FOR_SOMEBODY = /^[^,;:]{2,50} (?:for|to) (?:me|us|(?:my|our) \p{L}+)\b/iu;
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
  if (isMomentary(predicate)) return changesLife(predicate);
  if (kind === 'person' && isHistoryOrPlan(predicate)) return true;
  const be = BE.exec(predicate)?.groups?.rest;
  if (be === undefined) return thirdLasts(claim);
  if (/^w/i.test(predicate))
    return /^(?:born|named|called|from|an?|the|built|founded|married|repaired|serviced|moved|postponed|renamed)\b/i.test(
      be,
    );
  if (/^to\b/i.test(be)) return GOAL.test(subject);
  // “The kids are at school”
  if (/^the /i.test(subject) && kind === 'person' && /^(?:at|in|on|with|off|all) /i.test(be)) return false;
  return FOR_SOMEBODY.test(be) || !JUDGEMENT.test(be);
}

function thirdLasts({ kind, predicate }: Claim): boolean {
  const had = objectHad(predicate);
  if (had !== undefined) return isHad(had);
  // “My code doesn't work”: for now.
  if (kind === 'thing' && /^(?:doesn['’]t|does not|don['’]t|do not|won['’]t|can['’]t)\b/i.test(predicate)) return false;
  if (kind === 'person')
    return (
      !/^(?:gets?|got|needs?|go(?:es)?(?! to (?:[\p{L}'’]+ ){0,4}(?:school|university|uni|college|kindergarten|nursery|church|mosque|gym)\b)|comes|left|knows?|can|will|won['’]t|keeps? \p{L}+ing)\b/iu.test(
        predicate,
      ) ||
      changesLife(predicate) ||
      isFrequent(predicate) ||
      /\d|can['’]t/.test(predicate)
    );
  return (
    !/^(?:got|gets|go(?:es)?(?! to (?:the|a|an|our|my|\p{Lu}))|knows?|can|needs?|never|works?)\b/iu.test(predicate) ||
    isFrequent(predicate) ||
    /\d/.test(predicate)
  );
}

function selfLasts(predicate: string): boolean {
  if (changesLife(predicate) || isAlwaysSo(predicate)) return true;
  if (isMomentary(withoutAside(predicate)) || isPassing(predicate)) return false;
  if (isHistoryOrPlan(predicate)) return true;
  const be = BE.exec(predicate)?.groups?.rest;
  if (be !== undefined) return isForLong(be, predicate);
  const had = /^(?:keep|have (?:lived|worked|studied|played|been)\b)/i.test(predicate)
    ? undefined
    : objectHad(predicate);
  if (had !== undefined) return isHad(had) && !isDone(had);
  return isHabit(predicate) || isFrequent(predicate);
}

function isForLong(be: string, predicate: string): boolean {
  const rest = be.replace(DEGREES, '');
  if (/^was|^were/i.test(predicate))
    return /^(?:born|raised|named|adopted|diagnosed|trained|an? (?!bit|little|lot)\p{L})/iu.test(rest);
  return LASTING_START.test(rest) || A_NOUN.test(rest) || NOUNS.test(rest) || CAPITAL.test(rest);
}
