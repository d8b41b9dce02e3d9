import { v7 as uuidv7 } from 'uuid';
import { remember } from '../server/src/features/memory/memory.service.ts';
import type { Database } from '../server/src/platform/database/database.ts';

const TURNS_A_SESSION = 40;

interface Place {
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

/** Stores texts in sessions of forty, and returns the last session. */
export async function storeTexts(database: Database, place: Place, texts: string[]): Promise<string> {
  let sessionId = '';
  for (let i = 0; i < texts.length; i += TURNS_A_SESSION) {
    sessionId = uuidv7();
    const keys = { ...place, sessionId };
    await database.executeSql(`insert into chat_sessions (user_id, id, agent_id, name) values ($1, $2, $3, 'Bench')`, [
      keys.userId,
      sessionId,
      keys.agentId,
    ]);
    const entries = texts.slice(i, i + TURNS_A_SESSION).map((text, at) => {
      const kind = at % 2 === 0 ? ('person' as const) : ('agent' as const);
      return { ...keys, kind, text, timestamp: new Date(Date.UTC(2026, 0, 1) + (i + at) * 1_000) };
    });
    await database.db.transaction((tx) => remember(tx, entries));
  }
  return sessionId;
}
