import type { Me, User } from '@atelier/contract/accounts';
import { skipToken, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { LoadingPage } from '../ui/page/loading-page.tsx';
import { afterContent } from '../ui/when-idle.ts';
import { forgetContactDraft } from './contact-draft.ts';
import { forgetDrafts } from './draft-storage.ts';
import { forgetEarly } from './early.ts';
import { errorText } from './http.ts';
import { watchConnection } from './live/connection.ts';
import { createRefresher } from './live/refresh-schedule.ts';
import { keys, queryClient } from './query.ts';
import type { ReturnState } from './return-place.ts';
import { fetchMe, fetchSignIn, fetchSignInEnd, postSignOut, type SignIn } from './sign-in.ts';
import { onSignInChange, tellSignInChange } from './sign-in-channel.ts';
import { markSignedIn } from './sign-in-mark.ts';

export interface Auth {
  user: User | null;
  /** True until it is first known who is signed in. */
  loading: boolean;
  /** Plan, usage, limits and models of the signed-in user. */
  me: Me | null;
  /** The error of a failed first attempt, which is being retried. */
  trouble: string | null;
  /** True after signing out on purpose: nothing of the old visit is remembered. */
  left: boolean;
  /** Why the last sign-in ended, if not on purpose. */
  ended: string | null;
  /** Refetches who is signed in, the plan and the usage. Throws ApiError without an answer. */
  refresh: () => Promise<void>;
  /** Signs out, in every tab. Throws ApiError when the server can't be reached. */
  signOut: () => Promise<void>;
}

const AuthContext = createContext<Auth | null>(null);

/** Everything cached belongs to one user; another one starts empty. */
function forgetUser(uid: string | undefined) {
  if (uid !== undefined) forgetDrafts(uid);
  forgetEarly();
  forgetContactDraft();
  const others = { predicate: (query: { queryKey: readonly unknown[] }) => query.queryKey[0] !== keys.signIn[0] };
  void queryClient.cancelQueries(others);
  queryClient.removeQueries(others);
}

async function querySignIn(): Promise<SignIn | null> {
  const before = queryClient.getQueryData<SignIn | null>(keys.signIn);
  const now = await fetchSignIn();
  if (before && before.uid !== now?.uid) forgetUser(before.uid);
  // Not awaited: meanwhile the page would keep asking as if somebody were signed in.
  if (before && now === null) void fetchSignInEnd().then((why) => queryClient.setQueryData(keys.signInEnd, why));
  return now;
}

/** A page that doesn't know yet keeps asking; one that does waits for the live stream. */
const askAgain = (query: { state: { status: string; data: unknown } }) =>
  query.state.status === 'error' && query.state.data === undefined ? 5000 : false;

/** Renews the session before it ends, and notices when it ends. */
function useProactiveRefresh(signIn: SignIn | null | undefined) {
  const [refresher] = useState(() =>
    createRefresher(async () => {
      const fresh = await queryClient.fetchQuery({
        queryKey: keys.signIn,
        queryFn: querySignIn,
        staleTime: 0,
        retry: 0,
      });
      return fresh?.expiresAt ?? null;
    }),
  );
  const expiresAt = signIn?.expiresAt;
  useEffect(() => {
    if (expiresAt === undefined) refresher.stop();
    else refresher.follow(expiresAt);
  }, [refresher, expiresAt]);
  useEffect(() => refresher.stop, [refresher]);
}

/** How long after a failure to load the live code again, in milliseconds. */
const LIVE_AGAIN_MS = 2000;

/** Follows changes for `uid`. Pages for visitors need none of this, so the code is loaded at the first sign-in, after the content. */
function followLive(uid: string): () => void {
  let stop: (() => void) | undefined;
  let wanted = true;
  const begin = () => {
    import('./live/live.ts').then(
      ({ startLive }) => {
        if (wanted) stop = startLive(uid);
      },
      () => {
        if (wanted) setTimeout(begin, LIVE_AGAIN_MS);
      },
    );
  };
  const forget = afterContent(begin);
  return () => {
    wanted = false;
    forget();
    stop?.();
  };
}

/** Knows who is signed in, for every page below it. Used once, in the root. */
export function AuthProvider({ children }: { children: ReactNode }) {
  const [left, setLeft] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const signIn = useQuery({ queryKey: keys.signIn, queryFn: querySignIn, refetchInterval: askAgain });
  const ended = useQuery<string>({ queryKey: keys.signInEnd, queryFn: skipToken });
  const uid = signIn.data?.uid;
  const account = useQuery({
    queryKey: keys.me,
    queryFn: ({ signal }) => fetchMe(signal),
    refetchInterval: askAgain,
    enabled: uid !== undefined,
  });
  useProactiveRefresh(signIn.data);

  // Ignore an answer about another user than the one signed in (another tab was faster).
  const answer = uid === undefined ? null : account.data;
  const me = answer && answer.user.uid !== uid ? undefined : answer;
  const loading = signIn.data === undefined || me === undefined;
  const accepted = me?.user.uid;
  const mismatch = answer ? answer.user.uid !== uid : false;

  useEffect(() => {
    if (mismatch) void queryClient.invalidateQueries({ queryKey: keys.signIn });
  }, [mismatch]);
  useEffect(watchConnection, []);
  useEffect(() => {
    if (!loading) markSignedIn(accepted !== undefined);
  }, [loading, accepted]);
  useEffect(() => (accepted === undefined || leaving ? undefined : followLive(accepted)), [accepted, leaving]);
  useEffect(() => {
    if (accepted === undefined) return;
    setLeft(false);
    queryClient.removeQueries({ queryKey: keys.signInEnd });
  }, [accepted]);
  useEffect(
    () =>
      onSignInChange((change) => {
        if (change === 'left') setLeft(true);
        void queryClient.invalidateQueries({ queryKey: keys.signIn });
      }),
    [],
  );

  const refresh = useCallback(async () => {
    await queryClient.fetchQuery({ queryKey: keys.signIn, queryFn: querySignIn, staleTime: 0 });
    await queryClient.fetchQuery({ queryKey: keys.me, queryFn: ({ signal }) => fetchMe(signal), staleTime: 0 });
  }, []);
  const signOut = useCallback(async () => {
    // Requests still on their way, or sent again by the stream, would be refused after the sign-out.
    setLeaving(true);
    await queryClient.cancelQueries();
    try {
      await postSignOut();
      setLeft(true);
      const uid = queryClient.getQueryData<SignIn | null>(keys.signIn)?.uid;
      queryClient.setQueryData(keys.signIn, null);
      forgetUser(uid);
      tellSignInChange('left');
    } finally {
      setLeaving(false);
    }
  }, []);

  const trouble = signIn.failureReason ?? account.failureReason;
  const value = useMemo<Auth>(
    () => ({
      user: me?.user ?? null,
      me: me ?? null,
      loading,
      trouble: loading && trouble ? errorText(trouble) : null,
      left,
      ended: left ? null : (ended.data ?? null),
      refresh,
      signOut,
    }),
    [me, loading, trouble, left, ended.data, refresh, signOut],
  );
  return <AuthContext value={value}>{children}</AuthContext>;
}

/** Who is signed in, and what they may do. */
export function useAuth(): Auth {
  const auth = use(AuthContext);
  if (auth === null) throw new Error('useAuth needs an AuthProvider above it');
  return auth;
}

/** Shows its content only to signed-in users. Others go to sign-up, which brings them back. Renders nothing without a user. */
export function RequireUser({ children }: { children: ReactNode }) {
  const { user, loading, trouble, left, refresh } = useAuth();
  const { pathname, search, hash } = useLocation();
  if (loading) return <LoadingPage trouble={trouble} onRetry={() => void refresh().catch(() => {})} />;
  if (user !== null) return children;
  const state: ReturnState = left ? {} : { from: `${pathname}${search}${hash}` };
  return <Navigate to="/signup" replace state={state} />;
}
