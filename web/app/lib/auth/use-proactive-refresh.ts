import { useEffect, useState } from 'react';
import { createRefresher } from '../live/refresh-schedule.ts';
import { keys, queryClient } from '../query.ts';
import type { SignIn } from '../sign-in.ts';
import { querySignIn } from './query-sign-in.ts';

/** Renews the session before it ends, and notices when it ends. */
export function useProactiveRefresh(signIn: SignIn | null | undefined) {
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
