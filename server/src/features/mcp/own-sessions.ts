import { type McpConnection, type McpTool, McpUnreachable } from '../../platform/mcp/mcp-connection.ts';
import { createTurns } from '../../platform/turns.ts';

const IDLE_MS = 10 * 60_000;
const SESSIONS_MAX = 200;

interface Session {
  opened: Promise<McpConnection>;
  users: number;
  idle: ReturnType<typeof setTimeout> | undefined;
}

type Open = () => Promise<McpConnection>;

declare module '../../platform/deps.ts' {
  interface Deps {
    ownSessions: OwnSessions;
  }
}

/**
 * Connections to people's own servers, each kept for one conversation, so that a browser there stays on its page. In this process's memory:
 * each ends when it was idle for ten minutes, or when there are too many.
 */
export class OwnSessions {
  /** The longest unused first. */
  readonly #sessions = new Map<string, Session>();
  readonly #turns = createTurns(Number.POSITIVE_INFINITY);

  /** Talks over the kept connection, or a new one; `now` is what the server offers at this moment. */
  async use<T>(
    key: string,
    open: Open,
    signal: AbortSignal,
    talk: (connection: McpConnection, now: McpTool[]) => Promise<T>,
  ): Promise<T> {
    const found = (await this.#answering(key, open, signal)) ?? (await this.#answering(key, open, signal));
    if (found === null) throw new McpUnreachable('ended', 'The server ended the connection. Try again.');
    const { session, connection, now } = found;
    try {
      return await talk(connection, now);
    } finally {
      this.#rest(key, session);
    }
  }

  /** Does one thing after another for each key. */
  inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.take(key, new AbortController().signal, work);
  }

  /** Ends all whose key begins so. */
  drop(prefix: string): void {
    for (const [key, session] of this.#sessions) if (key.startsWith(prefix)) void this.#end(key, session);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions].map(([key, session]) => this.#end(key, session)));
  }

  /** A connection that answers: a kept one may have ended unseen, so it is tried before it is used. Null when it had. */
  async #answering(key: string, open: Open, signal: AbortSignal) {
    const kept = this.#sessions.get(key);
    const session = kept ?? this.#begin(key, open);
    session.users += 1;
    clearTimeout(session.idle);
    try {
      const connection = await session.opened;
      return { session, connection, now: await connection.listTools(signal) };
    } catch (error) {
      session.users -= 1;
      void this.#end(key, session);
      signal.throwIfAborted();
      if (kept === undefined) throw error;
      return null;
    }
  }

  #begin(key: string, open: Open): Session {
    for (const [old, session] of this.#sessions) {
      if (this.#sessions.size < SESSIONS_MAX) break;
      if (session.users === 0) void this.#end(old, session);
    }
    const session: Session = { opened: open(), users: 0, idle: undefined };
    this.#sessions.set(key, session);
    session.opened.then(
      (connection) => connection.closed.then(() => this.#end(key, session)),
      () => this.#end(key, session),
    );
    return session;
  }

  #rest(key: string, session: Session): void {
    session.users -= 1;
    clearTimeout(session.idle);
    if (this.#sessions.get(key) !== session) return;
    // Now it is the one used last.
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    if (session.users === 0) session.idle = setTimeout(() => void this.#end(key, session), IDLE_MS).unref();
  }

  #end(key: string, session: Session): Promise<void> {
    if (this.#sessions.get(key) === session) this.#sessions.delete(key);
    clearTimeout(session.idle);
    return session.opened.then((connection) => connection.close()).catch(() => {});
  }
}
