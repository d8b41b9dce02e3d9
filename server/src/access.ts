import { FREE_LIMITS } from '@atelier/contract/accounts';
import { SENTENCES } from '@atelier/contract/errors';
import type { MiddlewareHandler } from 'hono';
import type { Config } from './config.ts';
import { AppError, notFound } from './platform/errors.ts';
import { describeAccess } from './platform/http/open-api.ts';
import { isLocalOnly } from './platform/payments/payment-mode.ts';

/** Who calls, as looked up on this very call. */
export interface Caller {
  uid: string;
  displayName: string;
  email: string;
  plan: 'free' | 'pro';
  authSessionId: string;
  authSessionExpiresAt: Date;
}

export type AppEnv = {
  Variables: {
    caller: Caller;
    /** Looks the caller up once for each request; null when nobody is signed in. */
    findCaller: () => Promise<Caller | null>;
    /** Whether the caller's sign-in ended because the account was disabled. */
    wasDisabled: () => Promise<boolean>;
  };
};

/** `public` anyone, `user` signed in, `pro` signed in with Pro. */
export type AccessRule = 'public' | 'user' | 'pro';

const rules = new WeakMap<object, AccessRule>();

/** Declares who may call a route. A route without such a declaration fails a test. */
export function requires(rule: AccessRule): MiddlewareHandler<AppEnv> {
  const middleware: MiddlewareHandler<AppEnv> = async (c, next) => {
    if (rule === 'public') return next();
    const caller = await c.get('findCaller')();
    if (caller === null) {
      throw new AppError(
        'signed_out',
        (await c.get('wasDisabled')()) ? SENTENCES.accountDisabled : SENTENCES.signedOut,
      );
    }
    if (rule === 'pro' && caller.plan !== 'pro') throw proRequired();
    c.set('caller', caller);
    return next();
  };
  rules.set(middleware, rule);
  return describeAccess(middleware, rule);
}

/** The rule that a middleware declares, undefined where it declares none. */
export const declaredRule = (handler: object): AccessRule | undefined => rules.get(handler);

export const proRequired = (what = 'This') => new AppError('pro_required', `${what} is only available to Pro users.`);

/** How much an account may do in all; null is without limit. */
export function limitsOf(plan: Caller['plan']) {
  if (plan === 'pro') return { messages: null, tasks: null, sessions: null };
  return FREE_LIMITS;
}

/** Accounts that run this installation: those that OPERATORS names, or everybody where only this machine reaches it. */
export const isOperator = (config: Config, email: string) =>
  isLocalOnly(config) || config.OPERATORS.some((name) => name.toLowerCase() === email.toLowerCase());

export const mayPublish = (plan: Caller['plan']) => plan === 'pro';
export const mayUseTools = (plan: Caller['plan']) => plan === 'pro';
/** Pro recalls from every session of the agent, Free from the session at hand. */
export const recallScope = (plan: Caller['plan']) => (plan === 'pro' ? 'agent' : 'session') as 'agent' | 'session';

declare const authorized: unique symbol;
/** A row that was loaded and found to belong to the caller. Mutating functions accept nothing less. */
export type Authorized<T> = T & { readonly [authorized]: true };

/** The row as the caller's own, or the same 404 as for one that does not exist. */
export function owned<T extends { userId: string }>(uid: string, row: T | undefined, what: string): Authorized<T> {
  if (row === undefined || row.userId !== uid) throw notFound(what);
  return row as Authorized<T>;
}
