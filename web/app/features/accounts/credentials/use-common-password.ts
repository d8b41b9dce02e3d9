import { DEFAULT_PASSWORD_MIN } from '@atelier/contract/accounts';
import { signInCalls } from '@atelier/contract/accounts/sign-in';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../lib/http.ts';
import type { Credentials } from './credential-field.ts';

/** People pause when they have typed a password. */
const PAUSE_MS = 300;

/** Whether the server counts a new password among the first that anybody would guess; false where it can't be asked. */
async function askWhetherCommon(password: string, { username: name, email }: Credentials): Promise<boolean> {
  if (password.length < DEFAULT_PASSWORD_MIN) return false;
  try {
    return (await call(signInCalls.checkPassword, { body: { password, name, email } })).common;
  } catch {
    return false;
  }
}

/** Follows a new password while it is typed. `find` is for one that is sent before there was a pause; each is asked about once. */
export function useCommonPassword() {
  const [isCommon, setIsCommon] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const asked = useRef({ password: '', answer: Promise.resolve(false) });
  useEffect(() => () => clearTimeout(timer.current), []);

  async function find(password: string, values: Credentials): Promise<boolean> {
    clearTimeout(timer.current);
    if (asked.current.password !== password) asked.current = { password, answer: askWhetherCommon(password, values) };
    const answer = await asked.current.answer;
    if (asked.current.password === password) setIsCommon(answer);
    return answer;
  }
  function follow(password: string, values: Credentials) {
    clearTimeout(timer.current);
    if (password !== asked.current.password) setIsCommon(false);
    timer.current = setTimeout(() => void find(password, values), PAUSE_MS);
  }
  return { isCommon, follow, find };
}
