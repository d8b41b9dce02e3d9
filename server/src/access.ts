import { setImmediate } from 'node:timers/promises';
import { FREE_LIMITS } from '@atelier/contract/accounts';
import type { AccessRule, KeyRule, PlaceKind, RateKind } from '@atelier/contract/calls';
import { SENTENCES } from '@atelier/contract/errors';
import type { KeyScope } from '@atelier/contract/keys';
import type { Context, MiddlewareHandler } from 'hono';
import type { Config } from './config.ts';
import { boundedStream, createPlaces, createRates, type Rate, readTurn } from './platform/bounds.ts';
import { AppError, notFound } from './platform/errors.ts';
import type { LocalTrust } from './platform/http/local-trust.ts';
import { inSeconds, waitWords } from './platform/language/in-seconds.ts';
import { createTurns } from './platform/turns.ts';

/** The caller, as found for this request. */
export interface Caller {
  uid: string;
  displayName: string;
  email: string;
  plan: 'free' | 'pro';
  /** The sign-in of a person at a browser; none with an API key. */
  authSessionId?: string;
  /** What its API key may do; none for a person at a browser. */
  key?: { id: string; scopes: readonly KeyScope[]; agentIds: readonly string[] | null };
}

export type AppEnv = {
  Variables: {
    caller: Caller;
    /** Finds the caller, once for each request; null when nobody is signed in. */
    findCaller: () => Promise<Caller | null>;
    bounds: Bounds;
    /** Whether the caller's sign-in or key ended because the account was disabled. */
    wasDisabled: () => Promise<boolean>;
    /** Whether an account runs this installation. */
    isOperator: (uid: string) => Promise<boolean>;
  };
};

const rules = new WeakMap<object, { rule: AccessRule; keys: KeyRule }>();

/**
 * How fast one account may act, in each process. People stay below: ten tabs that refetch at each of fifty imports send 2,000 requests,
 * importing a folder of agents by hand sends 50, and the fastest fingers write 10 messages a minute.
 */
export const RATES = {
  reads: { burst: 2_000, perMinute: 3_000 },
  writes: { burst: 150, perMinute: 120 },
  /** Created, copied or imported: 20,000 characters of prompt each. */
  agents: { burst: 60, perMinute: 30 },
  /** Each one notifies everyone. */
  favorites: { burst: 40, perMinute: 60 },
  messages: { burst: 30, perMinute: 30 },
  /** One for each typed letter. */
  searches: { burst: 40, perMinute: 300 },
  /** Of one API key, whatever it does. */
  keys: { burst: 60, perMinute: 60 },
  uploads: { burst: 100, perMinute: 60 },
  /** Looks at shared links, from one network. */
  shared: { burst: 120, perMinute: 120 },
  /** Archives of a whole account. */
  imports: { burst: 6, perMinute: 1 },
  /** Each connects to a server that the caller chose. */
  toolServers: { burst: 20, perMinute: 20 },
  /** What a server has to read; each opened menu asks two times. */
  serverContents: { burst: 40, perMinute: 60 },
} as const satisfies Record<RateKind, Rate>;

/**
 * How many may be under way at once: for one account, and in the whole process. A place may wait for the other side as long as
 * `platform/http/slow-requests.ts` lets it, so one account holds at most a fiftieth of the process's.
 */
export const PLACES = {
  /** A browser holds one for all its tabs. */
  streams: { each: 20, all: 5_000 },
  exports: { each: 1, all: 100 },
  /** A browser downloads six at a time from one host. A bucket has a connection for each of these and of the exports. */
  downloads: { each: 6, all: 300 },
  /** A browser sends one file after another. */
  uploads: { each: 3, all: 150 },
  imports: { each: 1, all: 50 },
  toolServers: { each: 2, all: 100 },
  serverContents: { each: 4, all: 200 },
} as const satisfies Record<PlaceKind, { each: number; all: number }>;

/**
 * What one account may do with the public library within a day, and how many on one network may favorite the same agent within an hour: a few
 * accounts that one person makes don't bring an agent to the top. `ACCOUNT_BOUNDS` raises them too.
 */
export const LIBRARY_BOUNDS = { publications: 20, reports: 10, favoritesNearby: 5 } as const;

/** One of these bounds, as the operator has raised it. */
export const libraryBound = ({ ACCOUNT_BOUNDS }: Pick<Config, 'ACCOUNT_BOUNDS'>, name: keyof typeof LIBRARY_BOUNDS) =>
  Math.floor(LIBRARY_BOUNDS[name] * ACCOUNT_BOUNDS);

/** How many of those that hold a place work at once; one that waits for the other side doesn't count. */
const AT_WORK = { exports: 1, downloads: 8, imports: 5 };

type TurnKind = 'exports' | 'downloads';

export interface Bounds {
  /** Counts one; throws 429 with the seconds to wait when the account is too fast. */
  spend(uid: string, kind: RateKind): void;
  /** Takes a place and returns how to give it back; throws 429 when none is left. */
  enter(uid: string, kind: PlaceKind): () => void;
  /**
   * Takes a place, and begins to answer when it is the account's turn; the place is given back when the answer's body ends in any way. Of those
   * that wait, the one goes first that was sent least, or whose answer will have least `bytes`, if they are known.
   */
  hold(uid: string, kind: TurnKind, answer: () => Promise<Response>, bytes?: () => Promise<number>): Promise<Response>;
  /** Does work when it is the account's turn. */
  work<T>(uid: string, kind: keyof typeof AT_WORK, task: () => Promise<T>, before?: number): Promise<T>;
}

const NEVER = new AbortController().signal;

export const tooMany = (retryAfterSeconds: number, message = 'Too many requests in a short time.') =>
  new AppError('too_many_requests', `${message} Please try again in ${inSeconds(retryAfterSeconds)}.`, {
    retryAfterSeconds,
  });

/** Refuses what is bounded by the hour or the day. */
export const tooManyFor = (retryAfterSeconds: number, message: string) =>
  new AppError('too_many_requests', `${message} Please try again in ${waitWords(retryAfterSeconds)}.`, {
    retryAfterSeconds,
  });

/** The bounds of one process; `factor` raises all, for installations of programs. `streams`: live streams one account may hold. */
export function createBounds(factor: number, streams: number = PLACES.streams.each): Bounds {
  const rates = createRates();
  const places = createPlaces();
  const turns = {
    exports: createTurns(AT_WORK.exports),
    downloads: createTurns(AT_WORK.downloads),
    imports: createTurns(AT_WORK.imports * factor),
  };
  const bounds: Bounds = {
    spend(uid, kind) {
      const { burst, perMinute } = RATES[kind];
      const wait = rates.take(`${kind}|${uid}`, { burst: burst * factor, perMinute: perMinute * factor });
      if (wait > 0) throw tooMany(wait);
    },
    enter(uid, kind) {
      const { each, all } = kind === 'streams' ? { ...PLACES.streams, each: streams } : PLACES[kind];
      const leave = places.enter([
        [`${kind}|${uid}`, each * factor],
        [kind, all * factor],
      ]);
      if (leave === null) throw tooMany(5, 'Too many of these go on at once.');
      return leave;
    },
    async hold(uid, kind, answer, bytes) {
      const leave = bounds.enter(uid, kind);
      try {
        const expected = (await bytes?.()) ?? 0;
        // Other requests go between two pieces, so that nobody waits for all the long ones.
        const take = <T>(task: () => Promise<T>, sent: number) =>
          bounds.work(uid, kind, () => task().finally(setImmediate), Math.max(sent, expected));
        return await take(async () => {
          const response = await answer();
          const reader = response.body?.getReader();
          if (reader === undefined) leave();
          return new Response(reader && boundedStream(reader, leave, take, await readTurn(reader)), response);
        }, 0);
      } catch (error) {
        leave();
        throw error;
      }
    },
    work: (uid, kind, task, before) => turns[kind].take(uid, NEVER, task, before),
  };
  return bounds;
}

/** Declares who may call a route, which bound its calls count against, and with which keys. A test fails for a route without it. */
export function requires(rule: AccessRule, kind?: RateKind, keys: KeyRule = 'none'): MiddlewareHandler<AppEnv> {
  const middleware: MiddlewareHandler<AppEnv> = async (c, next) => {
    if (rule === 'public') return next();
    const caller = await c.get('findCaller')();
    if (rule === 'operator') await requireOperator(c, caller);
    if (caller === null) {
      const sentence = keys === 'none' ? SENTENCES.signedOut : SENTENCES.keyNeeded;
      const activity = c.req.header('authorization') === undefined ? undefined : ('key_unknown' as const);
      // Clients of MCP answer a 401 by registering for a sign-in that isn't there, and never show its words.
      const code = activity !== undefined && c.req.path.startsWith('/mcp/') ? 'forbidden' : 'signed_out';
      throw new AppError(code, (await c.get('wasDisabled')()) ? SENTENCES.accountDisabled : sentence, { activity });
    }
    checkKey(c.get('bounds'), caller, keys);
    if (rule === 'pro' && caller.plan !== 'pro') throw proRequired();
    c.get('bounds').spend(caller.uid, kind ?? (c.req.method === 'GET' ? 'reads' : 'writes'));
    c.set('caller', caller);
    return next();
  };
  rules.set(middleware, { rule, keys });
  return middleware;
}

/** The answer to an address that nothing is at, and to one that is the operator's alone. */
export const NOTHING_HERE = 'There is nothing at this address.';

/** 404, as if there were no such call, unless an operator asks at a browser. */
async function requireOperator(c: Context<AppEnv>, caller: Caller | null): Promise<void> {
  const isOperator = caller !== null && caller.key === undefined && (await c.get('isOperator')(caller.uid));
  if (!isOperator) throw new AppError('not_found', NOTHING_HERE);
}

/** Takes a place for as long as the request is answered; throws 429 when none is left. */
export const holdsPlace =
  (kind: PlaceKind): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const leave = c.get('bounds').enter(c.get('caller').uid, kind);
    await next().finally(leave);
  };

/** Counts a call with a key; 403 when the route takes none, or not with its scopes. */
function checkKey(bounds: Bounds, { key }: Caller, keys: KeyRule): void {
  if (key === undefined) return;
  bounds.spend(key.id, 'keys');
  if (keys === 'none') throw new AppError('forbidden', 'This can’t be done with an API key. Sign in instead.');
  if (keys !== 'any') requireScope({ key }, keys);
}

/** 403 for a key without the scope. */
export function requireScope({ key }: Pick<Caller, 'key'>, scope: KeyScope): void {
  if (mayByKey({ key }, scope)) return;
  throw new AppError('forbidden', `This API key may not ${scope}. Use a key with the permission “${scope}”.`);
}

export const mayByKey = ({ key }: Pick<Caller, 'key'>, scope: KeyScope) => key?.scopes.includes(scope) ?? true;

/** The caller's agent if the key reaches it; otherwise the same 404 as for a missing one. */
export function reached<T extends { id: string }>({ key }: Caller, agent: T): T {
  if (key === undefined || key.agentIds === null || key.agentIds.includes(agent.id)) return agent;
  throw notFound('This agent', { activity: 'key_refused' });
}

/** The rule that a middleware declares, or undefined. */
export const declaredRule = (handler: object): AccessRule | undefined => rules.get(handler)?.rule;
export const declaredKeys = (handler: object): KeyRule | undefined => rules.get(handler)?.keys;

export const proRequired = (what = 'This') => new AppError('pro_required', `${what} is only available to Pro users.`);

/** An account's total limits; null means unlimited. */
export function limitsOf(plan: Caller['plan']) {
  if (plan === 'pro') return { messages: null, tasks: null, sessions: null };
  return FREE_LIMITS;
}

/** What decides whether an account runs this installation. */
export interface OperatorSigns {
  email: string;
  emailVerified: boolean;
  /** The first of all accounts that there are. */
  isFirst: boolean;
}

/**
 * Accounts that run this installation: those in OPERATORS whose email is confirmed, because anybody may sign up with any address; and the
 * first one when it asks from this machine where nobody else can.
 */
export const isOperator = (
  { config, trust }: { config: Pick<Config, 'OPERATORS'>; trust: LocalTrust },
  { email, emailVerified, isFirst }: OperatorSigns,
) =>
  (isFirst && trust.refusal() === null) ||
  (emailVerified && config.OPERATORS.some((name) => name.toLowerCase() === email.toLowerCase()));

export const mayPublish = (plan: Caller['plan']) => plan === 'pro';
export const mayUseTools = (plan: Caller['plan']) => plan === 'pro';
/** Pro recalls from all of the agent's sessions, Free only from the current one. */
export const recallScope = (plan: Caller['plan']) => (plan === 'pro' ? 'agent' : 'session') as 'agent' | 'session';

declare const authorized: unique symbol;
/** A row that was loaded and belongs to the caller. Mutating functions accept nothing less. */
export type Authorized<T> = T & { readonly [authorized]: true };

/** The row if it is the caller's own; otherwise the same 404 as for a missing one. */
export function owned<T extends { userId: string }>(uid: string, row: T | undefined, what: string): Authorized<T> {
  if (row === undefined || row.userId !== uid) throw notFound(what);
  return row as Authorized<T>;
}
