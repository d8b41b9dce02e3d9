import { setTimeout as pause } from 'node:timers/promises';
import { type Ending, type McpConnection, type McpTool, McpUnreachable } from '../../../platform/mcp/mcp-connection.ts';
import { redact } from '../../../platform/redact.ts';

/** A server that failed is not contacted for this long. */
const REST_MS = 10_000;
/** How long the first requests wait for a server's greeting. */
const FIRST_LOOK_MS = 2_000;
/** How long the operator's own check waits for a server. */
const CHECK_MS = 10_000;
/** A connection that nobody used for this long is ended, and the process behind it. */
const IDLE_MS = 10 * 60_000;
/** How many connections are tried for one call. */
const TRIES = 3;

/** How a server is, for the operator. Nothing in it is secret. */
export interface ServerReport {
  state: 'ready' | 'starting' | 'failed' | 'off';
  tools: number;
  /** Why it is not ready, or how it last ended. */
  reason: string;
  /** What its process last wrote for its operator. */
  lastLines: string[];
}

export interface Connected {
  connection: McpConnection;
  tools: McpTool[];
}

interface Link {
  opened: Promise<Connected>;
  isUp: boolean;
  /** The conversations of the calls under way, and the one of the latest. */
  users: string[];
  last: string;
  idle: ReturnType<typeof setTimeout> | undefined;
  end(): void;
}

/** The connections of several servers that are bounded together, the longest unused first. A server's first one is always allowed. */
export interface ContactPool {
  links: Set<Link>;
  /** How many a server may have, and all of them. */
  each: number;
  all: number;
}

interface Server {
  /** Connects and asks for the tools; gives up when the signal aborts. */
  begin(signal: AbortSignal): Promise<Connected>;
  pool: ContactPool;
  /** What must not stand in a reason or a line. */
  secrets: string[];
  failed(error: unknown, last: Ending): void;
  ended(how: string): void;
}

/**
 * The connections to a server of the operator: begun when they are needed, also after they ended. Each serves one conversation at a time,
 * so that what the server asks is asked there.
 */
export class OperatorContact {
  readonly #server: Server;
  readonly #closing = new AbortController();
  /** The longest unused first. */
  readonly #links = new Set<Link>();
  /** As the server listed them last, on any connection. */
  #tools: McpTool[] = [];
  #last: Ending = { how: '', lastLines: [] };
  #failedAt = Number.NEGATIVE_INFINITY;
  #firstLook: Promise<unknown> | undefined;

  constructor(server: Server) {
    this.#server = server;
  }

  /** The server's tools, once it is connected; throws McpUnreachable, at once for a server that failed a moment ago. */
  async connected(): Promise<McpTool[]> {
    const [link = this.#begin()] = this.#links;
    await link.opened;
    this.#rest(link);
    return this.#tools;
  }

  /**
   * Talks for a conversation, over the connection that it used before if that is free; `now` is what the server offers at this moment.
   * `isAlone` says whether no other conversation uses it, as happens only when there may be no more connections. Throws McpUnreachable.
   */
  async use<T>(
    conversation: string,
    talk: (connection: McpConnection, now: McpTool[], isAlone: () => boolean) => Promise<T>,
    tries = TRIES,
  ): Promise<T> {
    const link = this.#choose(conversation);
    link.users.push(conversation);
    clearTimeout(link.idle);
    try {
      const connection = await this.#answering(link, tries > 1);
      const isAlone = () => link.users.every((user) => user === conversation);
      if (connection !== null) return await talk(connection, this.#tools, isAlone);
    } finally {
      link.users.splice(link.users.indexOf(conversation), 1);
      link.last = conversation;
      this.#rest(link);
    }
    return this.use(conversation, talk, tries - 1);
  }

  /** Begins to connect, and returns the tools if there is a connection. Only the first callers wait, and not for long. */
  async look(): Promise<McpTool[] | undefined> {
    const contact = this.connected().catch(() => null);
    this.#firstLook ??= Promise.race([contact, pause(FIRST_LOOK_MS, undefined, { ref: false })]);
    await this.#firstLook;
    return [...this.#links].some(({ isUp }) => isUp) ? this.#tools : undefined;
  }

  /** Connects now, and says how that went. */
  async check(): Promise<ServerReport> {
    this.#failedAt = Number.NEGATIVE_INFINITY;
    const contact = this.connected().then(
      (tools) => ({ state: 'ready' as const, tools: tools.length }),
      () => ({ state: 'failed' as const, tools: 0 }),
    );
    const starting = pause(CHECK_MS, { state: 'starting' as const, tools: 0 }, { ref: false });
    const found = await Promise.race([contact, starting]);
    return { ...found, reason: this.#last.how, lastLines: this.#last.lastLines };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(
      [...this.#links].map(({ opened }) =>
        opened.then(
          ({ connection }) => connection.close(),
          () => {},
        ),
      ),
    );
  }

  #choose(conversation: string): Link {
    const links = [...this.#links];
    const free = links.filter(({ users }) => users.every((user) => user === conversation));
    const known = free.find(({ users }) => users.length > 0) ?? free.find(({ last }) => last === conversation);
    const found = known ?? free[0];
    if (found !== undefined) return found;
    const [first, ...others] = links;
    if (first === undefined || this.#hasRoom()) return this.#begin();
    return others.reduce((least, link) => (link.users.length < least.users.length ? link : least), first);
  }

  /** Whether there may be one more connection, in place of an idle one of another server if need be. */
  #hasRoom(): boolean {
    const { links, each, all } = this.#server.pool;
    if (this.#links.size >= each || this.#isResting()) return false;
    if (links.size < all) return true;
    const idle = [...links].find(({ isUp, users }) => isUp && users.length === 0);
    idle?.end();
    return idle !== undefined;
  }

  readonly #isResting = () => performance.now() - this.#failedAt < REST_MS;

  #begin(): Link {
    const isResting = this.#isResting();
    const opened = isResting
      ? Promise.reject<Connected>(new McpUnreachable('ended', this.#last.how))
      : this.#server.begin(this.#closing.signal);
    const end = () => {
      this.#forget(link);
      opened.then(({ connection }) => connection.close()).catch(() => {});
    };
    const link: Link = { opened, isUp: false, users: [], last: '', idle: undefined, end };
    if (isResting) return link;
    this.#links.add(link);
    this.#server.pool.links.add(link);
    opened.then(
      (made) => this.#hold(link, made),
      (error: unknown) => this.#fail(link, error),
    );
    return link;
  }

  /** A connection whose server answers; null for another try: a kept one may have ended unseen, and not every program can run twice. */
  async #answering(link: Link, mayFail: boolean): Promise<McpConnection | null> {
    const isKept = link.isUp;
    try {
      const { connection } = await link.opened;
      this.#tools = await connection.listTools();
      return connection;
    } catch (error) {
      if (link.users.length === 1) link.end();
      if (mayFail && (isKept || this.#links.size > 0)) return null;
      throw error;
    }
  }

  #hold(link: Link, { connection, tools }: Connected): void {
    link.isUp = true;
    this.#tools = tools;
    void connection.closed.then((ending) => {
      if (!this.#forget(link)) return;
      this.#last = { how: ending.how, lastLines: this.#clean(ending.lastLines) };
      this.#server.ended(ending.how);
    });
  }

  /** Returns whether it was known. */
  #forget(link: Link): boolean {
    clearTimeout(link.idle);
    this.#server.pool.links.delete(link);
    return this.#links.delete(link);
  }

  #rest(link: Link): void {
    clearTimeout(link.idle);
    if (link.users.length > 0 || !this.#links.has(link)) return;
    for (const links of [this.#links, this.#server.pool.links]) {
      // Now it is the one used last.
      links.delete(link);
      links.add(link);
    }
    link.idle = setTimeout(link.end, IDLE_MS).unref();
  }

  #fail(link: Link, error: unknown): void {
    this.#forget(link);
    this.#failedAt = performance.now();
    const reason = error instanceof Error ? error.message : String(error);
    const secrets = this.#server.secrets.filter((secret) => secret !== '');
    this.#last = {
      // Mostly our own sentence, which may have to name a long path.
      how: secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), reason),
      lastLines: error instanceof McpUnreachable ? this.#clean(error.lastLines) : [],
    };
    this.#server.failed(error, this.#last);
  }

  readonly #clean = (lines: string[]) => lines.map((line) => redact(line, this.#server.secrets));
}
