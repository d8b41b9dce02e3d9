import type { Ending, McpConnection, McpTool } from '../../platform/mcp/mcp-connection.ts';

/** A connection that nobody used for this long is ended, and the process behind it. */
const IDLE_MS = 10 * 60_000;
/** How many connections are tried for one call. */
const TRIES = 3;

/** A tool server, as far as its connections are kept. */
export interface PooledServer {
  key: string;
  /** Whether a conversation may have a connection that another one used, and share one where there may be no more. */
  isShared: boolean;
  /** Gives up when the signal aborts. */
  open(signal: AbortSignal): Promise<McpConnection>;
  /** Whether it failed just now, and is left alone for a while. */
  isResting?(): boolean;
  /** What it offers on a new connection. */
  opened?(tools: McpTool[]): Promise<unknown>;
  failed?(error: unknown): void;
  /** It ended by itself. */
  ended?(ending: Ending): void;
}

/** Whom a connection serves, and until when. */
export interface Asker {
  conversation: string;
  signal: AbortSignal;
}

/**
 * `now` is what the server offers at this moment. `isAlone` says whether no other conversation uses the connection, as happens only when
 * there may be no more.
 */
export type Talk<T> = (connection: McpConnection, now: McpTool[], isAlone: () => boolean) => Promise<T>;

interface OpenConnection {
  connection: McpConnection;
  tools: McpTool[];
}

interface Link {
  server: PooledServer;
  opened: Promise<OpenConnection>;
  /** Once it is open. */
  made: OpenConnection | undefined;
  /** The conversations of the calls under way, and the one of the latest. */
  users: string[];
  last: string;
  idle: ReturnType<typeof setTimeout> | undefined;
}

/**
 * The connections to several tool servers, in this process's memory: begun when they are needed, also after they ended. Each serves one
 * conversation at a time, so that what the server asks is asked there, and a browser there stays on its page.
 */
export class ConnectionKeeper {
  readonly #bounds: { each: number; all: number };
  readonly #closing = new AbortController();
  /** The longest unused first. */
  readonly #links = new Set<Link>();
  /** What each server listed last, on whichever connection; an older one may know less. */
  readonly #lists = new Map<string, McpTool[]>();

  /** Bounds the connections of each server and of all; a first one, and that of a server that isn't shared, is always allowed. */
  constructor(bounds: { each: number; all: number }) {
    this.#bounds = bounds;
  }

  /** A server's tools as it listed them last, once it is connected. */
  async connected(server: PooledServer): Promise<McpTool[]> {
    const [link = this.#begin(server)] = this.#linksOf(server);
    const made = await link.opened;
    this.#rest(link);
    return this.listed(server) ?? made.tools;
  }

  /** The same, where it is connected. */
  listed({ key }: PooledServer): McpTool[] | undefined {
    return this.#lists.get(key);
  }

  /** Talks over the connection that the conversation used before if that is free; throws why there is none, and the signal's reason. */
  async use<T>(server: PooledServer, asker: Asker, talk: Talk<T>, tries = TRIES, mayBegin = true): Promise<T> {
    const { conversation } = asker;
    const link = this.#choose(server, conversation, mayBegin);
    const isKept = link.made !== undefined;
    link.users.push(conversation);
    clearTimeout(link.idle);
    try {
      const made = await this.#answering(link, { isKept, mayFail: tries > 1 }, asker.signal);
      const isAlone = () => link.users.every((user) => user === conversation);
      if (made !== null) return await talk(made.connection, made.tools, isAlone);
    } finally {
      link.users.splice(link.users.indexOf(conversation), 1);
      link.last = conversation;
      this.#rest(link);
    }
    return this.use(server, asker, talk, tries - 1, isKept);
  }

  /** Ends all connections of a server. */
  drop(key: string): void {
    for (const link of this.#links) if (link.server.key === key) void this.#end(link);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#links].map((link) => this.#end(link)));
  }

  readonly #linksOf = ({ key }: PooledServer) => [...this.#links].filter(({ server }) => server.key === key);

  #choose(server: PooledServer, conversation: string, mayBegin: boolean): Link {
    const links = this.#linksOf(server);
    const free = links.filter(({ users }) => users.every((user) => user === conversation));
    const own = free.find(({ users }) => users.length > 0) ?? free.find(({ last }) => last === conversation);
    const preferred = own ?? (server.isShared ? free[0] : undefined);
    if (preferred !== undefined) return preferred;
    const mustBegin = links.length === 0 || !server.isShared;
    const mayHaveMore = mustBegin || (mayBegin && links.length < this.#bounds.each && server.isResting?.() !== true);
    if ((mayHaveMore && this.#makeRoom()) || mustBegin) return this.#begin(server);
    return links.reduce((least, link) => (link.users.length < least.users.length ? link : least));
  }

  /** Makes room for one more connection, in place of an idle one if need be; returns whether there is any. */
  #makeRoom(): boolean {
    if (this.#links.size < this.#bounds.all) return true;
    const idle = [...this.#links].find(({ made, users }) => made !== undefined && users.length === 0);
    if (idle !== undefined) void this.#end(idle);
    return idle !== undefined;
  }

  #begin(server: PooledServer): Link {
    const opened = this.#connect(server);
    const link: Link = { server, opened, made: undefined, users: [], last: '', idle: undefined };
    this.#links.add(link);
    opened.then(
      (made) => {
        link.made = made;
        void made.connection.closed.then((ending) => this.#forget(link) && server.ended?.(ending));
      },
      (error: unknown) => this.#forget(link) && server.failed?.(error),
    );
    return link;
  }

  async #list({ key }: PooledServer, connection: McpConnection, signal?: AbortSignal): Promise<McpTool[]> {
    const tools = await connection.listTools(signal);
    this.#lists.set(key, tools);
    return tools;
  }

  async #connect(server: PooledServer): Promise<OpenConnection> {
    const connection = await server.open(this.#closing.signal);
    try {
      const tools = await this.#list(server, connection);
      await server.opened?.(tools);
      return { connection, tools };
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** A connection whose server answers; null for another try: a kept one may have ended unseen, and not every program can run twice. */
  async #answering(link: Link, { isKept, mayFail }: { isKept: boolean; mayFail: boolean }, signal: AbortSignal) {
    try {
      const made = await link.opened;
      if (isKept) made.tools = await this.#list(link.server, made.connection, signal);
      return made;
    } catch (error) {
      signal.throwIfAborted();
      // Nobody gets it any more; who uses it may go on.
      this.#forget(link);
      if (mayFail && (isKept || (link.server.isShared && this.#linksOf(link.server).length > 0))) return null;
      throw error;
    }
  }

  /** Returns whether it was known. */
  #forget(link: Link): boolean {
    clearTimeout(link.idle);
    const wasKnown = this.#links.delete(link);
    if (this.#linksOf(link.server).length === 0) this.#lists.delete(link.server.key);
    return wasKnown;
  }

  #end(link: Link): Promise<void> {
    this.#forget(link);
    return link.opened.then(({ connection }) => connection.close()).catch(() => {});
  }

  #rest(link: Link): void {
    clearTimeout(link.idle);
    if (link.users.length > 0) return;
    if (!this.#links.has(link)) return void this.#end(link);
    // Now it is the one used last.
    this.#links.delete(link);
    this.#links.add(link);
    link.idle = setTimeout(() => void this.#end(link), IDLE_MS).unref();
  }
}
