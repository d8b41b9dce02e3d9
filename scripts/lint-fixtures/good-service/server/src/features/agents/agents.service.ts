// expect: nothing
import type { Agent } from '@atelier/contract/agents';
import { eq } from 'drizzle-orm';
import { may } from '../../access.ts';
import { AppError } from '../../platform/errors.ts';
import { listSessions } from '../sessions/sessions.service.ts';
import type { SessionRow } from '../sessions/sessions.table.ts';
import { agents } from './agents.table.ts';

export const used = { eq, may, AppError, listSessions, agents };
export type Used = [Agent, SessionRow];
