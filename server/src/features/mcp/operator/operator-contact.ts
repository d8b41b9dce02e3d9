import { setTimeout as pause } from 'node:timers/promises';
import { type Ending, type McpConnection, type McpTool, McpUnreachable } from '../../../platform/mcp/mcp-connection.ts';
import { redact } from '../../../platform/redact.ts';

/** A server that failed is not contacted for this long. */
const REST_MS = 10_000;
/** How long the first requests wait for a server's greeting. */
const FIRST_LOOK_MS = 2_000;
/** How long the operator's own check waits for a server. */
const CHECK_MS = 10_000;

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
  /** As the server listed them last. */
  tools: McpTool[];
}

interface Server {
  /** Connects and asks for the tools; gives up when the signal aborts. */
  begin(signal: AbortSignal): Promise<Connected>;
  /** What must not stand in a reason or a line. */
  secrets: string[];
  failed(error: unknown, last: Ending): void;
  ended(how: string): void;
}

/** The one connection to a server of the operator: begun when first needed, and again after it ended. */
export class OperatorContact {
  readonly #server: Server;
  readonly #closing = new AbortController();
  #current: Promise<Connected> | undefined;
  #ready: Connected | undefined;
  #last: Ending = { how: '', lastLines: [] };
  #failedAt = Number.NEGATIVE_INFINITY;
  #firstLook: Promise<unknown> | undefined;

  constructor(server: Server) {
    this.#server = server;
  }

  /** The connection; throws McpUnreachable, at once for a server that failed a moment ago. */
  connected(): Promise<Connected> {
    if (this.#current !== undefined) return this.#current;
    if (performance.now() - this.#failedAt < REST_MS)
      return Promise.reject(new McpUnreachable('ended', this.#last.how));
    const opened = this.#server.begin(this.#closing.signal);
    this.#current = opened;
    opened.then(
      (made) => this.#hold(made),
      (error: unknown) => this.#fail(error),
    );
    return opened;
  }

  /** Begins to connect, and returns the connection if there is one. Only the first callers wait, and not for long. */
  async look(): Promise<Connected | undefined> {
    const contact = this.connected().catch(() => null);
    this.#firstLook ??= Promise.race([contact, pause(FIRST_LOOK_MS, undefined, { ref: false })]);
    await this.#firstLook;
    return this.#ready;
  }

  /** Connects now, and says how that went. */
  async check(): Promise<ServerReport> {
    this.#failedAt = Number.NEGATIVE_INFINITY;
    const contact = this.connected().then(
      ({ tools }) => ({ state: 'ready' as const, tools: tools.length }),
      () => ({ state: 'failed' as const, tools: 0 }),
    );
    const starting = pause(CHECK_MS, { state: 'starting' as const, tools: 0 }, { ref: false });
    const found = await Promise.race([contact, starting]);
    return { ...found, reason: this.#last.how, lastLines: this.#last.lastLines };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const opened = await this.#current?.catch(() => undefined);
    await opened?.connection.close();
  }

  #hold(made: Connected): void {
    this.#ready = made;
    void made.connection.closed.then((ending) => {
      this.#current = undefined;
      this.#ready = undefined;
      this.#last = { how: ending.how, lastLines: this.#clean(ending.lastLines) };
      this.#server.ended(ending.how);
    });
  }

  #fail(error: unknown): void {
    this.#current = undefined;
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
