import type { Deps } from '../../platform/deps.ts';
import type { TaskKey } from '../runs/places.table.ts';
import { PURGE_QUEUE, type SessionKey } from '../sessions/sessions.service.ts';
import { ERASE_QUEUE, eraseAccount } from './delete-account.service.ts';
import { type AgentKey, ERASE_AGENT_QUEUE, eraseAgent } from './delete-agent.service.ts';
import { EXCHANGE_PURGE_QUEUE, purgeExchange } from './delete-exchange.service.ts';
import { purgeSession } from './delete-session.service.ts';

/** Registers this feature's durable jobs; call once, before the jobs start. */
export function registerRemovalJobs(deps: Deps): void {
  deps.jobs.handle<SessionKey>(PURGE_QUEUE, (key) => purgeSession(deps, key), { retryLimit: 10 });
  deps.jobs.handle<TaskKey>(EXCHANGE_PURGE_QUEUE, (key) => purgeExchange(deps, key), { retryLimit: 10 });
  deps.jobs.handle<AgentKey>(ERASE_AGENT_QUEUE, (key) => eraseAgent(deps, key), { retryLimit: 20 });
  deps.jobs.handle<{ userId: string }>(ERASE_QUEUE, ({ userId }) => eraseAccount(deps, userId), { retryLimit: 20 });
}
