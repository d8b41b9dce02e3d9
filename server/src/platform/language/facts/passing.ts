import { isFrequent } from './habits.ts';

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
export const isPassing = (predicate: string): boolean =>
  isTask(predicate) || MEAL.test(predicate) || CONFUSED.test(predicate);
