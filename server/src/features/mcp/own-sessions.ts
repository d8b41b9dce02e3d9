import { type McpConnection, type McpTool, McpUnreachable } from '../../platform/mcp/mcp-connection.ts';

const IDLE_MS = 10 * 60_000;
const SESSIONS_MAX = 200;

interface Session {
  opened: Promise<McpConnection>;
  users: number;
  idle: ReturnType<typeof setTimeout> | undefined;
}

/** Connections to people's own servers, each kept for one conversation, so that a browser there stays on its page. */
export interface OwnSessions {
  /** Talks over the kept connection, or a new one; `now` is what the server offers at this moment. */
  use<T>(
    key: string,
    open: () => Promise<McpConnection>,
    signal: AbortSignal,
    talk: (connection: McpConnection, now: McpTool[]) => Promise<T>,
  ): Promise<T>;
  /** Does one thing after another for each key. */
  inTurn<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Ends all whose key begins so. */
  drop(prefix: string): void;
  close(): Promise<void>;
}

declare module '../../platform/deps.ts' {
  interface Deps {
    ownSessions: OwnSessions;
  }
}

/** The sessions of this process; each ends when it was idle for ten minutes, or when there are too many. */
export function createOwnSessions(): OwnSessions {
  const turns = new Map<string, Promise<unknown>>();
  // The longest unused first.
  const sessions = new Map<string, Session>();

  function end(key: string, session: Session): Promise<void> {
    if (sessions.get(key) === session) sessions.delete(key);
    clearTimeout(session.idle);
    return session.opened.then((connection) => connection.close()).catch(() => {});
  }

  function begin(key: string, open: () => Promise<McpConnection>): Session {
    for (const [old, session] of sessions) {
      if (sessions.size < SESSIONS_MAX) break;
      if (session.users === 0) void end(old, session);
    }
    const session: Session = { opened: open(), users: 0, idle: undefined };
    sessions.set(key, session);
    session.opened.then(
      (connection) => connection.closed.then(() => end(key, session)),
      () => end(key, session),
    );
    return session;
  }

  /** A connection that answers: a kept one may have ended unseen, so it is tried before it is used. */
  async function answering(key: string, open: () => Promise<McpConnection>, signal: AbortSignal) {
    const kept = sessions.get(key);
    const session = kept ?? begin(key, open);
    session.users += 1;
    clearTimeout(session.idle);
    try {
      const connection = await session.opened;
      return { session, connection, now: await connection.listTools(signal) };
    } catch (error) {
      session.users -= 1;
      void end(key, session);
      signal.throwIfAborted();
      if (kept === undefined) throw error;
      return null;
    }
  }

  function rest(key: string, session: Session): void {
    session.users -= 1;
    clearTimeout(session.idle);
    if (sessions.get(key) !== session) return;
    // Now it is the one used last.
    sessions.delete(key);
    sessions.set(key, session);
    if (session.users === 0) session.idle = setTimeout(() => void end(key, session), IDLE_MS).unref();
  }

  return {
    use: async (key, open, signal, talk) => {
      const found = (await answering(key, open, signal)) ?? (await answering(key, open, signal));
      if (found === null) throw new McpUnreachable('ended', 'The server ended the connection. Try again.');
      const { session, connection, now } = found;
      try {
        return await talk(connection, now);
      } finally {
        rest(key, session);
      }
    },
    inTurn: (key, work) => {
      const before = turns.get(key) ?? Promise.resolve();
      const mine = before.then(work, work);
      const done = mine
        .catch(() => {})
        .finally(() => {
          if (turns.get(key) === done) turns.delete(key);
        });
      turns.set(key, done);
      return mine;
    },
    drop: (prefix) => {
      for (const [key, session] of sessions) if (key.startsWith(prefix)) void end(key, session);
    },
    close: async () => {
      await Promise.all([...sessions].map(([key, session]) => end(key, session)));
    },
  };
}
