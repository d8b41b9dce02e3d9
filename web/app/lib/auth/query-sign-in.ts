import type { Me } from '@atelier/contract/accounts';
import { forgetEarly } from '../early.ts';
import { keys, queryClient } from '../query.ts';
import { fetchMe, fetchSignIn, fetchSignInEnd, type SignIn } from '../sign-in.ts';
import { claimTyped, endTyped } from '../typed/typed.ts';

/** Everything cached belongs to one user; another one starts empty. */
export function forgetUser() {
  forgetEarly();
  const others = { predicate: (query: { queryKey: readonly unknown[] }) => query.queryKey[0] !== keys.signIn[0] };
  void queryClient.cancelQueries(others);
  queryClient.removeQueries(others);
}

/** Who is signed in now; what is cached of somebody before is forgotten, and what they typed kept as long as it may be. */
export async function querySignIn(): Promise<SignIn | null> {
  const before = queryClient.getQueryData<SignIn | null>(keys.signIn);
  const now = await fetchSignIn();
  // First: what closes with the page is kept, or belongs to the person who comes.
  if (now === null) endTyped();
  else await claimTyped(now.uid);
  if (before && before.uid !== now?.uid) forgetUser();
  // Not awaited: meanwhile the page would keep asking as if somebody were signed in.
  if (before && now === null) void fetchSignInEnd().then((why) => queryClient.setQueryData(keys.signInEnd, why));
  return now && { ...now, position: before === undefined ? now.position : before?.position };
}

/** The signed-in account; null when the server no longer accepts it, which ends the sign-in for this page. */
export async function queryMe({ signal }: { signal?: AbortSignal } = {}): Promise<Me | null> {
  const account = await fetchMe(signal);
  if (account === null) endTyped();
  return account;
}

/** A page that doesn't know yet keeps asking; one that does waits for the live stream. */
export const askAgain = (query: { state: { status: string; data: unknown } }) =>
  query.state.status === 'error' && query.state.data === undefined ? 5000 : false;

/** Asks who is signed in, and the plan and the usage. What is on its way was asked before, and may not know of what the person wants to see. */
export async function refresh(): Promise<void> {
  for (const query of [
    { queryKey: keys.signIn, queryFn: querySignIn },
    { queryKey: keys.me, queryFn: queryMe },
  ]) {
    await queryClient.cancelQueries({ queryKey: query.queryKey });
    await queryClient.fetchQuery<unknown>({ ...query, staleTime: 0 });
  }
}
