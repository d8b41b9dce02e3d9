import type { AccessRule, KeyRule } from '@atelier/contract/calls';
import type { KeyScope } from '@atelier/contract/keys';
import { eq } from 'drizzle-orm';
import { declaredKeys, declaredRule } from '../access.ts';
import { profiles, user } from '../features/accounts/accounts.table.ts';
import type { TestApp, TestUser } from './harness.ts';

/** Somebody who may send a request: with a cookie, with an API key, or with nothing. */
export interface Actor {
  name: string;
  headers: Record<string, string>;
  plan: 'free' | 'pro';
  /** False for those whom the server must not know any more. */
  isKnown: boolean;
  /** Runs this installation. */
  isOperator?: true;
  /** The scopes of the API key, for those who come with one. */
  scopes?: readonly KeyScope[];
}

/** A route as the app knows it, with what it declares. */
export interface RuledRoute {
  method: string;
  path: string;
  rule: AccessRule;
  keys: KeyRule;
}

type Route = { method: string; path: string; handler: object };

/** The declared rule of every route; throws for a route without one. */
export function ruledRoutes(routes: readonly Route[]): RuledRoute[] {
  const ours = routes.filter(({ path }) => !path.endsWith('*'));
  return [...Map.groupBy(ours, ({ method, path }) => `${method} ${path}`)].map(([name, handlers]) => {
    const [method = '', path = ''] = name.split(' ');
    const ruled = handlers.find(({ handler }) => declaredRule(handler) !== undefined);
    const rule = ruled && declaredRule(ruled.handler);
    if (ruled === undefined || rule === undefined) throw new Error(`${name} has no access rule`);
    return { method, path, rule, keys: declaredKeys(ruled.handler) ?? 'none' };
  });
}

/** What a route must answer an actor: a refusal's status, or `in`. */
export function expectedOf({ path, rule, keys }: RuledRoute, actor: Actor): 401 | 403 | 404 | 'in' {
  if (rule === 'public') return 'in';
  // Everybody but the operator is told that nothing is there.
  if (rule === 'operator') return actor.isOperator === true ? 'in' : 404;
  // A client of MCP would take 401 for a sign-in that it should begin.
  if (!actor.isKnown) return path.startsWith('/mcp/') && 'authorization' in actor.headers ? 403 : 401;
  if (actor.scopes !== undefined && (keys === 'none' || (keys !== 'any' && !actor.scopes.includes(keys)))) return 403;
  return rule === 'pro' && actor.plan === 'free' ? 403 : 'in';
}

const cookie = ({ cookie: value }: TestUser) => ({ cookie: value, origin: 'http://localhost' });

/** An API key of the user, as a header. */
export async function keyHeaders(app: TestApp, as: TestUser, wish: object = {}): Promise<Record<string, string>> {
  const { body } = await app.request('POST', '/api/keys', { as, body: { name: 'Key', ...wish } });
  return { authorization: `Bearer ${body.key.secret}` };
}

/** Everybody who might ask for something of the owner's. */
export async function everybody(app: TestApp, owner: TestUser): Promise<Actor[]> {
  const [other, banned, lapsed] = [await app.signUpPro('Eve'), await app.signUpPro('Ban'), await app.signUpPro('Lara')];
  const free = await app.signUp('Fred');
  await app.request('POST', '/api/agents', { as: owner, body: { name: 'Elsewhere', prompt: 'Be kind.' } });
  const keyOf = async (as: TestUser, name: string, scopes: KeyScope[], agentIds?: string[]): Promise<Actor> => {
    const headers = await keyHeaders(app, as, { scopes, ...(agentIds && { agentIds }) });
    return { name, headers, plan: 'pro', isKnown: true, scopes };
  };
  const actors: Actor[] = [
    { name: 'anonymous', headers: {}, plan: 'free', isKnown: false },
    { name: 'another', headers: cookie(other), plan: 'pro', isKnown: true },
    { name: 'free', headers: cookie(free), plan: 'free', isKnown: true },
    { name: 'disabled', headers: cookie(banned), plan: 'pro', isKnown: false },
    await keyOf(owner, 'key to read', ['read']),
    await keyOf(owner, 'key to talk', ['talk']),
    await keyOf(owner, 'key for both', ['read', 'talk']),
    await keyOf(owner, 'key of another agent', ['read', 'talk'], ['elsewhere']),
    await keyOf(other, 'key of another', ['read', 'talk']),
    { ...(await keyOf(lapsed, 'key of a lapsed account', ['read', 'talk'])), plan: 'free' },
    { ...(await keyOf(banned, 'key of a disabled account', ['read', 'talk'])), isKnown: false },
    { ...(await keyOf(owner, 'revoked key', ['read', 'talk'])), isKnown: false },
  ];
  const { keys } = await app.call(owner, 'GET', '/api/keys');
  await app.call(owner, 'DELETE', `/api/keys/${keys[0].id}`);
  await app.deps.db.update(user).set({ banned: true }).where(eq(user.id, banned.uid));
  await app.deps.db.update(profiles).set({ subscriptionStatus: 'free' }).where(eq(profiles.userId, lapsed.uid));
  return actors;
}

export const ownerOf = (owner: TestUser): Actor => ({
  name: 'owner',
  headers: cookie(owner),
  plan: 'pro',
  isKnown: true,
  isOperator: true,
});
