// expect: nothing
import type { Agent } from '@atelier/contract/agents';
import { eq } from 'drizzle-orm';
import { may } from '../../access.ts';
import { AppError } from '../../platform/errors.ts';
import { listAgents } from '../agents/agents.service.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { sessions } from './sessions.table.ts';

export const used = { eq, may, AppError, listAgents, sessions };
export type Used = [Agent, AgentRow];
