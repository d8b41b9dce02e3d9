import type { Me, User } from '@atelier/contract/accounts';
import { SENTENCES } from '@atelier/contract/errors';
import { skipToken, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { LoadingPage } from '../ui/page/loading-page.tsx';
import { afterContent } from '../ui/when-idle.ts';
import { askAgain, forgetUser, queryMe, querySignIn, refresh } from './auth/query-sign-in.ts';
import { onSignInChange, tellSignInChange } from './auth/sign-in-channel.ts';
import { endEarly } from './early.ts';
import { errorText, leaveBy } from './http.ts';
import { watchConnection } from './live/connection.ts';
import { createRefresher } from './live/refresh-schedule.ts';
import { keys, queryClient } from './query.ts';
import type { ReturnState } from './return-place.ts';
import { postSignOut, type SignIn } from './sign-in.ts';
import { markSignedIn } from './sign-in-mark.ts';
import { typed } from './typed/typed.ts';

export interface Auth {
  user: User | null;
  /** True until it is first known who is signed in. */
  loading: boolean;
  /** Plan, usage, limits and models of the signed-in user. */
  me: Me | null;
  /** The error of a failed first attempt, which is being retried. */
  trouble: string | null;
  /** True after signing out on purpose: nothing of the old visit is remembered. */
  signedOutOnPurpose: boolean;
  /** Why the last sign-in ended, if not on purpose. */
  ended: string | null;
  /** Refetches who is signed in, the plan and the usage. Throws ApiError without an answer. */
  refresh: () => Promise<void>;
  /** Signs out, in every tab. Throws ApiError when the server can't be reached. */
  signOut: () => Promise<void>;
}

export const AuthContext = createContext<Auth | null>(null);

/** Who is signed in, and what they may do. */
export function useAuth(): Auth {
  const auth = use(AuthContext);
  if (auth === null) throw new Error('useAuth needs an AuthProvider above it');
  return auth;
}

/** Shows its content only to signed-in users. Others go to sign-up, which brings them back. Renders nothing without a user. */
export function RequireUser({ children }: { children: ReactNode }) {
  const { user, loading, trouble, signedOutOnPurpose, refresh } = useAuth();
  const { pathname, search, hash } = useLocation();
  if (loading) {
    const retry = () => void refresh().catch(() => {});
    return <LoadingPage noSession={SENTENCES.noSession} trouble={trouble} onRetry={retry} />;
  }
  if (user !== null) return children;
  const state: ReturnState = signedOutOnPurpose ? {} : { from: `${pathname}${search}${hash}` };
  return <Navigate to="/signup" replace state={state} />;
}

/** Knows who is signed in, for every page below it. Used once, in the root. */
export function AuthProvider({ children }: { children: ReactNode }) {
  const [signedOutOnPurpose, setSignedOutOnPurpose] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const signIn = useQuery({ queryKey: keys.signIn, queryFn: querySignIn, refetchInterval: askAgain });
  const ended = useQuery<string>({ queryKey: keys.signInEnd, queryFn: skipToken });
  const uid = signIn.data?.uid;
  const account = useQuery({
    queryKey: keys.me,
    queryFn: queryMe,
    refetchInterval: askAgain,
    enabled: uid !== undefined,
  });
  useProactiveRefresh(signIn.data);

  // Ignore an answer about another user than the one signed in (another tab was faster).
  const answer = uid === undefined ? null : account.data;
  const me = answer && answer.user.uid !== uid ? undefined : answer;
  const loading = signIn.data === undefined || me === undefined;
  const accepted = me?.user.uid;
  const plan = me?.account.subscriptionStatus ?? null;
  const mismatch = answer ? answer.user.uid !== uid : false;

  useEffect(() => {
    if (mismatch) void queryClient.invalidateQueries({ queryKey: keys.signIn });
  }, [mismatch]);
  useEffect(watchConnection, []);
  useEffect(() => {
    if (!loading) markSignedIn(plan);
  }, [loading, plan]);
  useEffect(() => (accepted === undefined || leaving ? undefined : followLive(accepted)), [accepted, leaving]);
  useEffect(() => {
    if (accepted === undefined) return;
    setSignedOutOnPurpose(false);
    queryClient.removeQueries({ queryKey: keys.signInEnd });
  }, [accepted]);
  useEffect(
    () =>
      onSignInChange((change) => {
        if (change === 'left') {
          setSignedOutOnPurpose(true);
          typed.recheck();
        }
        void queryClient.invalidateQueries({ queryKey: keys.signIn });
      }),
    [],
  );

  const signOut = useCallback(async () => {
    // Requests still on their way, or sent again by the stream, would be refused after the sign-out.
    setLeaving(true);
    void queryClient.cancelQueries();
    endEarly();
    try {
      await leaveBy(async () => {
        await postSignOut();
        setSignedOutOnPurpose(true);
        typed.forget();
        queryClient.setQueryData(keys.signIn, null);
        forgetUser();
        tellSignInChange('left');
      });
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
      signedOutOnPurpose,
      ended: signedOutOnPurpose ? null : (ended.data ?? null),
      refresh,
      signOut,
    }),
    [me, loading, trouble, signedOutOnPurpose, ended.data, signOut],
  );
  return <AuthContext value={value}>{children}</AuthContext>;
}

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
        const since = queryClient.getQueryData<SignIn | null>(keys.signIn)?.position;
        if (wanted) stop = startLive(uid, since);
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
