import { NEW_AGENT } from '@atelier/contract/agents';
import { sql } from 'drizzle-orm';
import type { Db } from '../../../platform/database/database.ts';
import { agents } from '../../agents/agents.table.ts';

/** A deleted agent, which its sessions still name. */
export const insertDeletedAgent = (db: Db, agent: { userId: string; id: string; name: string; slug: string }) =>
  db
    .insert(agents)
    .values({ ...NEW_AGENT, ...agent, prompt: '', deletedAt: sql`now()` })
    .onConflictDoNothing();
