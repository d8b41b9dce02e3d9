import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { InstallationServer } from '@atelier/contract/operator/tool-servers';
import type { Deps } from '../../../platform/deps.ts';
import { loadClient } from '../../../platform/mcp/connect.ts';
import { type Ending, type McpTool, McpUnreachable } from '../../../platform/mcp/mcp-connection.ts';
import { isSecretName, redact } from '../../../platform/redact.ts';
import { type Asker, ConnectionKeeper, type PooledServer, type Talk } from '../connection-keeper.ts';
import { connectBy } from '../open-fetch.ts';
import { failedOf, isOurs, type McpFailed } from '../server-failure.service.ts';
import { withoutSecrets } from '../server-secrets.ts';
import type { ApprovedTool, ToolSource } from '../tool-source.ts';
import type { OperatorEntry, OperatorServer } from './operator-file.ts';
import { comparePins, findPins } from './operator-pins.service.ts';

/** The operator may name any address. */
const EVERYWHERE = ['0.0.0.0/0', '::/0'];
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

/** How a server is as far as this process knows. */
export type SeenServer = Pick<InstallationServer, 'state' | 'offReason' | 'lastError'>;

export type Context = Pick<Deps, 'config' | 'db' | 'log'>;

declare module '../../../platform/deps.ts' {
  interface Deps {
    /** The operator's tool servers, as this process reaches them. */
    operatorSources: OperatorSource[];
  }
}

/** Processes are dear; connections of others, each a session at its server, are not. */
export const createKeepers = () => ({
  processes: new ConnectionKeeper({ each: 8, all: 32 }),
  addresses: new ConnectionKeeper({ each: 50, all: 200 }),
});

/** One server of the operator's file. Of one that is off, approved tools stay approved for when it can be used. */
export class OperatorSource implements ToolSource {
  readonly name: string;
  readonly id: string;
  readonly key: string;
  /** The file switches it off, or is wrong about it. */
  readonly isOff: boolean;
  readonly changedSentence =
    'The server changed this tool after it was approved. It is off until the operator approves it again.';
  readonly goneSentence = 'The server does not offer this tool any more.';
  readonly #ctx: Context;
  readonly #setup: OperatorEntry['setup'];
  readonly #keeper: ConnectionKeeper;
  readonly #server: PooledServer;
  #last: Ending = { how: '', lastLines: [] };
  #lastError: SeenServer['lastError'] = null;
  #isBroken = false;
  #failedAt = Number.NEGATIVE_INFINITY;
  #firstLook: Promise<unknown> | undefined;

  /** Starts nothing yet. */
  constructor(ctx: Context, { name, key, setup }: OperatorEntry, keepers: ReturnType<typeof createKeepers>) {
    this.name = name;
    this.id = key;
    this.key = key;
    this.isOff = 'off' in setup;
    this.#ctx = ctx;
    this.#setup = setup;
    this.#keeper = 'server' in setup && 'command' in setup.server ? keepers.processes : keepers.addresses;
    this.#server = {
      key,
      isShared: true,
      isResting: () => this.#isResting(),
      open: (signal) => this.#open(signal),
      opened: (tools) => {
        this.#isBroken = false;
        return this.compare(tools);
      },
      failed: (error) => this.#fail(error),
      ended: ({ how, lastLines }) => {
        this.#last = { how: this.#blank(how), lastLines: this.#clean(lastLines) };
        this.#noteError(this.#last.how);
        // Not its lines: it may have written what people asked it.
        ctx.log.info('mcp.ended', { server: name, how });
      },
    };
  }

  async approvedTools(): Promise<ApprovedTool[]> {
    const pins = await findPins(this.#ctx, this.key);
    if (pins.length > 0) return this.#approved(pins);
    const tools = await this.#keeper.connected(this.#server).catch(() => null);
    return tools === null ? [] : this.compare(tools);
  }

  /** Only the first callers wait, and not for long. */
  async refreshedTools(): Promise<ApprovedTool[]> {
    // Once a slow server answers, its stored tools notify every open page.
    const contact = this.#keeper.connected(this.#server).catch(() => null);
    this.#firstLook ??= Promise.race([contact, pause(FIRST_LOOK_MS, undefined, { ref: false })]);
    await this.#firstLook;
    const tools = this.#keeper.listed(this.#server);
    return tools === undefined ? this.#approved(await findPins(this.#ctx, this.key)) : this.compare(tools);
  }

  writes = ({ readOnly }: McpTool): boolean => !readOnly;

  use<T>(asker: Asker, talk: Talk<T>): Promise<T> {
    return this.#keeper.use(this.#server, asker, talk);
  }

  /** Returns the approved tools that it still offers. */
  async compare(now: McpTool[]): Promise<ApprovedTool[]> {
    const pins = await comparePins(this.#ctx, this.key, now);
    return this.#approved(pins).filter(({ tool }) => now.some(({ name }) => name === tool.name));
  }

  explain = (error: unknown): McpFailed => failedOf(error, this.name);

  /** How it is, without contacting it. */
  seen(): SeenServer {
    if ('off' in this.#setup) return { state: 'off', offReason: this.#setup.off, lastError: null };
    const isReady = this.#keeper.listed(this.#server) !== undefined;
    const state = isReady ? 'ready' : this.#isBroken ? 'failed' : 'unknown';
    return { state, offReason: null, lastError: this.#lastError };
  }

  /** Contacts it now, and says how that went. */
  async check(): Promise<ServerReport> {
    if ('off' in this.#setup) return { state: 'off', tools: 0, reason: this.#setup.off, lastLines: [] };
    this.#failedAt = Number.NEGATIVE_INFINITY;
    const contact = this.#keeper.connected(this.#server).then(
      (tools) => ({ state: 'ready' as const, tools: tools.length }),
      () => ({ state: 'failed' as const, tools: 0 }),
    );
    const starting = pause(CHECK_MS, { state: 'starting' as const, tools: 0 }, { ref: false });
    const outcome = await Promise.race([contact, starting]);
    return { ...outcome, reason: this.#last.how, lastLines: this.#last.lastLines };
  }

  close(): Promise<void> {
    return this.#keeper.close();
  }

  #approved(pins: Awaited<ReturnType<typeof findPins>>): ApprovedTool[] {
    return pins.flatMap(({ approved, changedAt }) =>
      approved === null ? [] : [{ tool: approved, off: changedAt === null ? undefined : this.changedSentence }],
    );
  }

  async #open(signal: AbortSignal) {
    if ('off' in this.#setup) throw new McpUnreachable('ended', 'The operator’s file switches this server off.');
    if (this.#isResting()) throw new McpUnreachable('ended', this.#last.how);
    return open(this.#ctx, this.key, this.#setup.server, signal);
  }

  readonly #isResting = () => performance.now() - this.#failedAt < REST_MS;

  #fail(error: unknown): void {
    if (isOurs(error)) return this.#ctx.log.error('mcp.pins', error, { server: this.name });
    if (this.#isResting()) return;
    this.#failedAt = performance.now();
    const reason = error instanceof Error ? error.message : String(error);
    this.#last = {
      // Mostly our own sentence, which may have to name a long path.
      how: this.#blank(reason),
      lastLines: error instanceof McpUnreachable ? this.#clean(error.lastLines) : [],
    };
    const { how, lastLines } = this.#last;
    this.#noteError(how);
    this.#ctx.log.error('mcp.connect', error, { server: this.name, reason: how, lastLines });
  }

  #noteError(reason: string): void {
    this.#isBroken = true;
    this.#lastError = { at: new Date().toISOString(), reason };
  }

  get #secrets(): string[] {
    if ('off' in this.#setup) return [];
    const { server } = this.#setup;
    if ('command' in server) return Object.values(server.env).filter((secret) => secret !== '');
    // Of `Bearer abc` also `abc`; longer ones first, so that none is left in part.
    const headers = Object.values(server.headers).flatMap((value) => [value, value.slice(value.indexOf(' ') + 1)]);
    const secrets = [...headers, new URL(server.url).search].filter((secret) => secret !== '');
    return secrets.toSorted((a, b) => b.length - a.length);
  }

  readonly #blank = (text: string) =>
    this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text);

  readonly #clean = (lines: string[]) => lines.map((line) => redact(line, this.#secrets));
}

/** A connection to a server, without the secrets of the file: everybody with Pro can call its tools. */
async function open({ config }: Context, key: string, server: OperatorServer, signal: AbortSignal) {
  const client = await loadClient();
  const connection =
    'command' in server
      ? await client.connectStdio({ ...server, folder: join(resolve(config.DATA_DIR), 'mcp', key) }, signal)
      : await connectBy(EVERYWHERE, (fetchFrom) =>
          client.connectHttp({ ...server, fetchFrom }, server.transport === 'sse' ? 'sse' : undefined),
        );
  const settings =
    'command' in server ? server.env : { ...Object.fromEntries(new URL(server.url).searchParams), ...server.headers };
  // The others may well be words of its answers.
  const secrets = Object.entries(settings).filter(([name]) => isSecretName(name));
  // Its descriptions are approved as they are.
  const { listTools } = connection;
  return { ...withoutSecrets(connection, { headers: Object.fromEntries(secrets) }), listTools };
}
