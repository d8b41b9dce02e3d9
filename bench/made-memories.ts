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

/** Stores texts, one transaction per session, and returns the last session. */
export async function storeTexts(database: Database, place: Place, texts: string[]): Promise<string> {
  let sessionId = '';
  for (let i = 0; i < texts.length; i += TURNS_A_SESSION) {
    sessionId = uuidv7();
    await database.executeSql(`insert into chat_sessions (user_id, id, agent_id, name) values ($1, $2, $3, 'Bench')`, [
      place.userId,
      sessionId,
      place.agentId,
    ]);
    const entries = texts.slice(i, i + TURNS_A_SESSION).map((text, at) => ({
      ...place,
      sessionId,
      kind: at % 2 === 0 ? ('person' as const) : ('agent' as const),
      text,
      timestamp: new Date(Date.UTC(2026, 0, 1) + (i + at) * 1_000),
    }));
    await database.db.transaction((tx) => remember(tx, entries));
  }
  return sessionId;
}

/** The words of a text for the floor. */
export const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);
