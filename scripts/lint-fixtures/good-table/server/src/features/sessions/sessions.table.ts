// expect: nothing
import { pgTable } from 'drizzle-orm/pg-core';
import { agents } from '../agents/agents.table.ts';

export const used = { pgTable, agents };
