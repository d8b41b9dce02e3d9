import type { ActivityEvent } from '@atelier/contract/accounts/activity';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect } from 'vitest';
import { accountActivity } from '../features/accounts/activity/activity.table.ts';
import { runAdminCommand } from '../features/operator/operator.service.ts';
import { createLog } from '../platform/log.ts';
import { type Answer, cookieOf, type TestUser } from './harness.ts';
import { app, comeBack, opensInstallation } from './left-ways.ts';
import * as ways from './ways-in.ts';
import { nextCodeOf } from './ways-in.ts';

// An account whose owner asks over HTTP, and what is noted of it.

const ADDRESS = '203.0.113.77';
export const NETWORK = '203.0.113.0/24';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const FROM = { 'x-forwarded-for': ADDRESS, 'user-agent': FIREFOX };
export const [PASSWORD, NEW_PASSWORD, WRONG] = ['zebra horse staple', 'zebra giraffe staple', 'zebra guess'];

export interface Line {
  event: string;
  account: string | null;
  [field: string]: unknown;
}
export let owner: TestUser;
export const lines: Line[] = [];
/** What must stand in no line and no row: beside fixed words, tokens and codes that come up. */
export const secrets: string[] = [];

/** Lets each test of a file begin with one account, its owner signed in. */
export async function opensAccount(): Promise<void> {
  const log = createLog((line) => void lines.push(JSON.parse(line)));
  await opensInstallation({ env: { TRUSTED_PROXIES: '127.0.0.1' }, log });
  beforeEach(async () => {
    lines.length = 0;
    secrets.splice(0, secrets.length, ADDRESS, 'zebra', 'Zebra', '@example.com', 'Laptop', 'Cron');
    owner = await signUp();
  });
  // Everything that was noted, whichever test caused it.
  afterEach(async () => {
    const noted = JSON.stringify([lines, await app.deps.db.select().from(accountActivity)]);
    expect(secrets.filter((secret) => secret !== '' && noted.includes(secret))).toEqual([]);
  });
}

export const request = (method: string, path: string, more: { as?: TestUser; body?: unknown; headers?: object } = {}) =>
  app.request(method, path, { ...more, headers: { ...FROM, ...more.headers } });
export const post = (path: string, body: unknown, as?: TestUser) =>
  request('POST', `/api/auth${path}`, { body, ...(as === undefined ? {} : { as }) });

export function asUser(answer: Answer, email: string): TestUser {
  expect(answer.status).toBe(200);
  const cookie = cookieOf(answer.headers);
  secrets.push(decodeURIComponent(/session_token=([^;]+)/u.exec(cookie)?.[1] ?? 'none').split('.')[0] ?? '');
  return { uid: answer.body.user.id, email, cookie };
}
async function signUp(email = `owner-${crypto.randomUUID()}@example.com`): Promise<TestUser> {
  return asUser(await post('/sign-up/email', { name: 'Ada Zebra', email, password: PASSWORD }), email);
}
export const signIn = (password = PASSWORD, email = owner.email) => post('/sign-in/email', { email, password });

export const admin = (...args: string[]) => runAdminCommand(app.deps, args);

export async function turnOnTwoFactor() {
  const { secret, usedCode, backupCodes } = await ways.turnOnTwoFactor({ request }, owner, PASSWORD);
  secrets.push(secret, `"${usedCode}"`, `"${nextCodeOf(secret)}"`, ...backupCodes);
  return { secret, backupCodes };
}
/** A sign-in that waits for its code. */
export async function halfIn(): Promise<TestUser> {
  const half = await signIn();
  expect(half.body.twoFactorRedirect).toBe(true);
  return { ...owner, cookie: cookieOf(half.headers) };
}

export const addPasskey = () => ways.addPasskey({ request }, owner, PASSWORD);
export const atGoogle = (begun: Answer, cookie = '') => comeBack(begun, 'ada', cookie, FROM);
export const linkGoogle = async () =>
  atGoogle(await post('/link-social', { provider: 'google', password: PASSWORD }, owner), owner.cookie);

export const rowsOf = (event: ActivityEvent) =>
  app.deps.db.select().from(accountActivity).where(eq(accountActivity.event, event));
export const linesOf = (event: ActivityEvent) => lines.filter((line) => line.event === `security.${event}`);
