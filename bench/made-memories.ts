import { v7 as uuidv7 } from 'uuid';
import { remember } from '../server/src/features/memory/memory.service.ts';
import type { Database } from '../server/src/platform/database/database.ts';

const TURNS_A_SESSION = 40;

export interface Place {
  userId: string;
  agentId: string;
}

/** A user with an agent. */
export async function makeAgent(database: Database): Promise<Place> {
  const place = { userId: uuidv7(), agentId: uuidv7() };
  await database.executeSql(`insert into "user" (id, name, email) values ($1, 'Bench', $1 || '@bench')`, [
    place.userId,
  ]);
  await database.executeSql(
    `insert into agents (user_id, id, slug, name, prompt, model, temperature, memory_enabled)
     values ($1, $2, 'bench', 'Bench', 'p', 'gpt-4', 0.5, true)`,
    [place.userId, place.agentId],
  );
  return place;
}

/** A session in which all of this was said, in one transaction; returns its id. */
export async function storeSession(
  database: Database,
  { userId, agentId }: Place,
  said: { kind: 'person' | 'agent'; speaker?: string; text: string; timestamp: Date }[],
): Promise<string> {
  const sessionId = uuidv7();
  await database.executeSql(`insert into chat_sessions (user_id, id, agent_id, name) values ($1, $2, $3, 'Bench')`, [
    userId,
    sessionId,
    agentId,
  ]);
  const entries = said.map((one) => ({ userId, agentId, sessionId, ...one }));
  await database.db.transaction((tx) => remember(tx, entries));
  return sessionId;
}

/** Stores texts in sessions of forty, and returns the last session. */
export async function storeTexts(database: Database, place: Place, texts: string[]): Promise<string> {
  let sessionId = '';
  for (let i = 0; i < texts.length; i += TURNS_A_SESSION) {
    const said = texts.slice(i, i + TURNS_A_SESSION).map((text, at) => ({
      kind: at % 2 === 0 ? ('person' as const) : ('agent' as const),
      text,
      timestamp: new Date(Date.UTC(2026, 0, 1) + (i + at) * 1_000),
    }));
    sessionId = await storeSession(database, place, said);
  }
  return sessionId;
}
