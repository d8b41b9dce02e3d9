import { BASE } from '../stems.ts';

/** What people say again and again of themselves. */
const MODAL =
  "(?:don['’]t|do not|doesn['’]t|does not|never|always|usually|often|mostly|mainly|rarely|seldom|sometimes|hardly ever|only|also|still|now|really|currently|both|just|no longer|can|regularly|generally|strongly|absolutely|normally|actually|typically|tend to|prefer to) ";
/** “Have lived”, “can't stand”: habits that are not one verb in the present. */
const PHRASES =
  "have lived|have worked|have studied|have played|grew up|was born|can['’]t stand|cannot stand|(?:can['’]t|cannot) (?:eat|drink|have|do|handle|bear|stomach|abide|tolerate|swim|drive|digest|see|hear|sing|dance|cook|whistle|ski|ride|read|spell|type|smell|taste|lift|climb|run)|have been (?:living|working|learning|studying|married|vegetarian|vegan|playing)";
/** Verbs that tell of a habit whatever follows. */
const HABITS =
  'live|stay with|work|study|teach|coach|drive|ride|cycle|commute|play|speak|prefer|hate|dislike|detest|loathe|love|adore|like|enjoy|avoid|own|use|wear|collect|eat|drink|cook|bake|sleep|run|swim|climb|hike|dance|sing|paint|draw|knit|sew|garden|grow|breed|raise|keep|volunteer|manage|lead|support|belong|follow|practi[sc]e|deploy|ship|release|meet|celebrate|suffer|weigh|rent|subscribe|wake up|wake|get up|go by|go to|come from|attend|train|code|program|write in|write with|observe|fast|smoke|vape|shop at|bank with|skip|need|take|pay|host|share|brew|sail|ski|surf|row|fish|box|meditate|stick to|stand by';
const HABIT = new RegExp(`^(?:${MODAL}){0,3}(?:${PHRASES}|${HABITS})\\b(?<object>.*)$`, 'iu');
/** An object that says nothing by itself, or that makes the verb mean something else. */
const VAGUE_OBJECT =
  /^ (?:it|this|that|these|those|them|the (?:idea|way|sound|look|fact|first|second|last|new one|weather|answer|plot|actors?|ending|story|film|movie|book|song|scene)|how|when|what|where|why|to (?:think|say|see|know|believe|do|go|talk|hear|thank|ask|take|get)|(?:my|some) time|(?:a|my) (?:look|break|walk|shower|nap|minute|guess|point|moment|note|seat|picture|breath|second|chance)|care|part|place|off|out|up|over|on it|into|note|so|too|as well|fine|well|wondering|thinking|forgetting|trying|getting|asking|coming back|going|hoping|help|some help|more|advice|ideas?|a hand|a recipe|an? (?:example|answer|idea|suggestion|list|summary|plan))\b|^$/i;

/** Any other verb: English tells in the simple present what somebody does again and again. */
const OTHER = new RegExp(
  `^(?:${MODAL}|\\p{Ll}+ly |quite |even |almost |simply ){0,3}(?<verb>\\p{Ll}{2,})(?<object> .+)$`,
  'u',
);
/** Verbs of thought, talk and this very moment. */
const PASSING = new Set(
  `think guess feel hope want wish wonder believe suppose know see hear mean understand agree disagree get remember forget recall appreciate
  thank apologise apologize bet promise swear notice imagine assume doubt expect seem sound look say tell ask try need let consider realise
  realize recognise recognize admit accept recommend suggest propose insist regret owe beg deserve matter worry mind care find give have had
  has am are is was were be been will would shall should may might must can could cannot dare ought do does did not never got gotta gonna wanna
  come go went start begin stop finish end show send call add change move open close turn fix check put set paste attach copy type click press
  enter post write read watch trust miss leave arrive wait stay sit stand lie die kill win lose fail pass happen bring follow explain describe
  refer quote cite argue claim disagree concur second third first so too all both each here there now then well just only`.split(
    /\s+/,
  ),
);
/** Words in “-ed” and “-ing” that are no past and no participle. */
const STEMS_IN_ED = /^(?:need|feed|breed|heed|seed|weed|speed|sing|bring|swing|ring|sting|fling|cling)$/;
/** “I swap the fields and nothing happens”: what somebody is busy with. */
const CONSEQUENCE = /\b(?:and|but|then) (?:it|nothing|then|get|the|that|this|still)\b/i;
const DEFINITE =
  /^ (?:the|its|it|him|her|out|up|down|on|off|back|away|in|into|that|this|whether|if|how|why|what|when|where)\b/i;

/** Whether a predicate tells what somebody does again and again: “play the cello”, “homeschool our kids”. */
export function isHabit(predicate: string): boolean {
  const object = HABIT.exec(predicate)?.groups?.object;
  if (object !== undefined) return !VAGUE_OBJECT.test(object);
  const other = OTHER.exec(predicate)?.groups;
  if (other?.verb === undefined || other.object === undefined) return false;
  const { verb } = other;
  const isPast = BASE.has(verb) || (/(?:ed|ing)$/.test(verb) && !STEMS_IN_ED.test(verb));
  if (isPast || PASSING.has(verb) || verb.endsWith('ly')) return false;
  return !VAGUE_OBJECT.test(other.object) && !DEFINITE.test(other.object) && !CONSEQUENCE.test(other.object);
}

const FREQUENT =
  /\b(?:every|each (?:day|morning|evening|night|week|weekend|month|year|spring|summer|autumn|winter|\p{L}+day)|daily|weekly|monthly|yearly|once an?|twice an?|times an?|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|on (?:weekends|weekdays)|in the (?:mornings|evenings|afternoons)|always|usually|at weekends)\b/iu;

/** “I've never learned to swim”, “I'd rather not get mushrooms”. */
const ALWAYS_SO =
  /^(?:have never (?!heard|seen|thought|known|noticed|tried|said|understood|felt|read|had|used|done|been (?:so|this|that|more|better|happier|asked|told))\p{L}+(?! (?:it|this|that|such|so|of)\b)|would (?:much )?(?:rather|prefer)\b)/iu;

/** Whether it says how often. */
export const isFrequent = (predicate: string): boolean =>
  FREQUENT.test(predicate) && !/^\p{L}+ (?:it|this|that|them)\b|\bevery(?:thing|one|body)\b/iu.test(predicate);
/** “I've always loved the sea”. */
const ALWAYS =
  /^have always (?!(?:thought|wondered|wanted|heard|assumed|believed|felt|known)\b)\p{L}+(?! (?:it|this|that)\b)/iu;

/** Whether it holds without a time: “have never learned to swim”, “would rather get lists”. */
export const isAlwaysSo = (predicate: string): boolean => ALWAYS_SO.test(predicate) || ALWAYS.test(predicate);
