import { forgetContactDraft } from '../contact-draft.ts';
import { forgetDrafts } from '../draft-storage.ts';
import { forgetEarly } from '../early.ts';
import { keys, queryClient } from '../query.ts';
import { fetchSignIn, fetchSignInEnd, type SignIn } from '../sign-in.ts';

/** Everything cached belongs to one user; another one starts empty. */
export function forgetUser(uid: string | undefined) {
  if (uid !== undefined) forgetDrafts(uid);
  forgetEarly();
  forgetContactDraft();
  const others = { predicate: (query: { queryKey: readonly unknown[] }) => query.queryKey[0] !== keys.signIn[0] };
  void queryClient.cancelQueries(others);
  queryClient.removeQueries(others);
}

/** Who is signed in now; what belongs to somebody before is forgotten. */
export async function querySignIn(): Promise<SignIn | null> {
  const before = queryClient.getQueryData<SignIn | null>(keys.signIn);
  const now = await fetchSignIn();
  if (before && before.uid !== now?.uid) forgetUser(before.uid);
  // Not awaited: meanwhile the page would keep asking as if somebody were signed in.
  if (before && now === null) void fetchSignInEnd().then((why) => queryClient.setQueryData(keys.signInEnd, why));
  return now;
}

/** A page that doesn't know yet keeps asking; one that does waits for the live stream. */
export const askAgain = (query: { state: { status: string; data: unknown } }) =>
  query.state.status === 'error' && query.state.data === undefined ? 5000 : false;
