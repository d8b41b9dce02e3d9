import type { Me } from '@atelier/contract/accounts';
import { describe, expect, test } from 'vitest';
import { isAtLimit, usageLine } from './limits.ts';

const standing = (messageCount: number, taskCount: number, plan: 'free' | 'pro' = 'free') => ({
  account: {
    subscriptionStatus: plan,
    subscriptionTier: plan,
    agentsCreated: 0,
    createdAt: '2026-01-01T00:00:00.000Z',
    lastUpdated: '2026-01-01T00:00:00.000Z',
    lastPaidAt: null,
    lastReference: null,
  } satisfies Me['account'],
  usage: { messageCount, taskCount, sessionCount: 2 },
  limits: plan === 'pro' ? { messages: null, tasks: null, sessions: null } : { messages: 10, tasks: 50, sessions: 3 },
});

describe('isAtLimit', () => {
  test('at 10 messages or at 50 tasks, not before', () => {
    expect(isAtLimit(standing(9, 49))).toBe(false);
    expect(isAtLimit(standing(10, 10))).toBe(true);
    expect(isAtLimit(standing(3, 50))).toBe(true);
  });

  test('never for Pro', () => {
    expect(isAtLimit(standing(1000, 1000, 'pro'))).toBe(false);
  });
});

test('the usage line stands letter for letter, and only for free accounts', () => {
  expect(usageLine(standing(4, 5))).toBe('Free tier: 4/10 messages, 5/50 tasks, 2/3 sessions used');
  expect(usageLine(standing(4, 5, 'pro'))).toBeNull();
});
