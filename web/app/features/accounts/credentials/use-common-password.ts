import { passwordCheck } from '@atelier/contract/accounts';
import { useEffect, useRef, useState } from 'react';
import { request } from '../../../lib/http.ts';
import type { Credentials } from './credential-field.ts';

/** People pause when they have typed a password. */
const PAUSE_MS = 300;

/** Whether the server counts a new password among the first that somebody would guess; false where it can't be asked. */
async function askWhetherCommon(password: string, { username: name, email }: Credentials): Promise<boolean> {
  try {
    return (await request(passwordCheck, 'POST', '/api/auth/check-password', { password, name, email })).common;
  } catch {
    return false;
  }
}

/** Follows a new password as it is typed; `find` answers at once for one that is sent before that. */
export function useCommonPassword() {
  const [isCommon, setIsCommon] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef('');
  useEffect(() => () => clearTimeout(timer.current), []);

  async function find(password: string, values: Credentials): Promise<boolean> {
    clearTimeout(timer.current);
    latest.current = password;
    const answer = password !== '' && (await askWhetherCommon(password, values));
    if (latest.current === password) setIsCommon(answer);
    return answer;
  }
  function follow(password: string, values: Credentials) {
    clearTimeout(timer.current);
    if (password !== latest.current) setIsCommon(false);
    timer.current = setTimeout(() => void find(password, values), PAUSE_MS);
  }
  return { isCommon, follow, find };
}
