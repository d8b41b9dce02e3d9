import { type Statement, statementsOf } from './statements.ts';

/**
 * Whether a person's later statement makes an earlier one untrue. The rules prefer precision: when both may be true, neither supersedes.
 */
export function supersedes(later: string, earlier: string): boolean {
  return anyReplaces(statementsOf(later), statementsOf(earlier));
}

/** Whether one of the later statements replaces one of the earlier. */
export function anyReplaces(later: Statement[], earlier: Statement[]): boolean {
  return later.some((now) => earlier.some((then) => replaces(now, then)));
}

function replaces(now: Statement, then: Statement): boolean {
  if (now.ended.size === 0 && sameSet(now.about, then.about) && sameSet(now.value, then.value)) return false;
  return fillsSlot(now, then) || ends(now, then) || changes(now, then) || redefines(now, then);
}

/** A new home, employer or partner replaces the old one. */
function fillsSlot(now: Statement, then: Statement): boolean {
  if (!now.self || !then.self || now.slot === undefined || now.slot !== then.slot) return false;
  // The same place or person again is no change.
  return !(now.value.size > 0 && sameSet(now.value, then.value));
}

/** “I sold the Golf”, after “I drive a Golf”. */
function ends(now: Statement, then: Statement): boolean {
  if (now.ended.size === 0 || then.ended.size > 0) return false;
  const whole = new Set([...then.about, ...then.value]);
  return [...now.ended].every((stem) => whole.has(stem)) && (now.self === then.self || !now.self);
}

/** “The exam was postponed to Monday”, after “The exam is on Thursday”. */
function changes(now: Statement, then: Statement): boolean {
  if (!now.changes) return false;
  const topic = then.about;
  const shared = [...topic].filter((stem) => now.about.has(stem));
  const covered = shared.length > 0 && shared.length === Math.min(topic.size, now.about.size);
  return covered && differInKind(now, then);
}

/** “My favourite colour is blue”, after “My favourite colour is green”. */
function redefines(now: Statement, then: Statement): boolean {
  if (now.self || then.self || !sameSet(now.about, then.about)) return false;
  const favourite = now.about.has('favorit') || now.about.has('favourit');
  return (favourite && !sameSet(now.value, then.value)) || (now.changes && differInKind(now, then));
}

/** Both give a value of one kind, but not the same; or both give one of no known kind. */
function differInKind(now: Statement, then: Statement): boolean {
  if (now.value.size === 0 || then.value.size === 0 || sameSet(now.value, then.value)) return false;
  const time = (s: Statement) => s.kinds.has('weekday') || s.kinds.has('month') || s.kinds.has('number');
  return (time(now) && time(then)) || (!time(now) && !time(then));
}

const sameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>) => a.size === b.size && [...a].every((x) => b.has(x));
