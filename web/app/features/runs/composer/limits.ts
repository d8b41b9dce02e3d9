import { FREE_LIMITS, type Me } from '@atelier/contract/accounts';

type Standing = Pick<Me, 'account' | 'usage' | 'limits'>;

const isFree = (me: Standing) => me.account.subscriptionStatus !== 'pro';

/** True when a free account has no message or no task left, so the banner replaces the composer. */
export function isAtLimit(me: Standing): boolean {
  if (!isFree(me)) return false;
  const { messages, tasks } = me.limits;
  return (messages !== null && me.usage.messageCount >= messages) || (tasks !== null && me.usage.taskCount >= tasks);
}

/** 'Free tier: x/10 messages, y/50 tasks, z/3 sessions used', or null for Pro. */
export function usageLine(me: Standing): string | null {
  if (!isFree(me)) return null;
  const { usage, limits } = me;
  const messages = `${usage.messageCount}/${limits.messages ?? FREE_LIMITS.messages} messages`;
  const tasks = `${usage.taskCount}/${limits.tasks ?? FREE_LIMITS.tasks} tasks`;
  const sessions = `${usage.sessionCount}/${limits.sessions ?? FREE_LIMITS.sessions} sessions`;
  return `Free tier: ${messages}, ${tasks}, ${sessions} used`;
}
