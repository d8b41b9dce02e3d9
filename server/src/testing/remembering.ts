import { type MemoryEntry, type RecallQuery, recall, remember } from '../features/memory/memory.service.ts';
import type { TestApp, TestUser } from './harness.ts';

/** A session of an agent of somebody, as hidden keys. */
export type Place = Pick<MemoryEntry, 'userId' | 'agentId' | 'sessionId'>;
/** A bare string is the person's. */
export type Line = string | { agent: string };

/** Stores and recalls past the routes; `app` and `person` are asked for when they are needed. */
export function rememberingOf(app: () => TestApp, person: () => TestUser) {
  let clock = Date.UTC(2026, 0, 1);
  const query = async (text: string, ...values: string[]) => (await app().deps.database.executeSql(text, values)).rows;

  return {
    query,
    /** When the last line was stored, in milliseconds since 1970; each is a second later than the one before. */
    now: () => clock,

    /** A new session of an agent by this name, which is made where it is missing. */
    async openPlace(user: TestUser = person(), name = 'Field Notes'): Promise<Place> {
      await app().request('POST', '/api/agents', { as: user, body: { name, prompt: 'p' } });
      const slug = name.toLowerCase().replaceAll(' ', '-');
      const sessionId = await app().startSession(user, slug);
      const [row] = await query(
        'select agent_id from chat_sessions where user_id = $1 and id = $2',
        user.uid,
        sessionId,
      );
      return { userId: user.uid, agentId: String(row?.agent_id), sessionId };
    },

    /** Stores lines in one transaction, as an exchange is stored. */
    async store(place: Place, ...lines: Line[]) {
      const entries = lines.map((line): MemoryEntry => {
        clock += 1_000;
        const said =
          typeof line === 'string'
            ? { kind: 'person' as const, text: line }
            : { kind: 'agent' as const, text: line.agent };
        return { ...place, ...said, timestamp: new Date(clock) };
      });
      await app().deps.db.transaction((tx) => remember(tx, entries));
    },

    ask: (place: Place, text: string, more: Partial<Pick<RecallQuery, 'scope' | 'limit'>> = {}) =>
      recall(app().deps, { ...place, scope: 'agent', limit: 5, text, ...more }),
  };
}

export const textsOf = (recalled: { text: string }[]) => recalled.map((memory) => memory.text);
