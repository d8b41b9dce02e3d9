import { USER_NAME_MAX } from '@atelier/contract/accounts/bodies';
import { cleanName } from '@atelier/contract/names/names';
import type { z } from 'zod';
import { userName } from '../accounts.credentials.ts';

/** What a provider says of somebody, reduced to what an account has. */
export interface ProviderPerson {
  id: string;
  email: string | null;
  emailVerified: boolean;
  name: string;
  picture: string | null;
}

const PATIENCE_MS = 10_000;

/** What a provider answers about the owner of a token. Throws when it refuses, or answers something else. */
export async function ask<T>(schema: z.ZodType<T>, url: string, token: string): Promise<T> {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': 'atelier' },
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!response.ok) {
    const answered = { provider: new URL(url).host, status: response.status };
    throw Object.assign(new Error(`the sign-in provider answered ${response.status}`), answered);
  }
  return schema.parse(await response.json());
}

/** The first that people may call themselves here, as long as a username may be. */
export const nameOf = (...names: (string | null | undefined)[]): string =>
  names
    .map((name) =>
      cleanName(
        Array.from(cleanName(name ?? ''))
          .slice(0, USER_NAME_MAX)
          .join(''),
      ),
    )
    .find((name) => userName.safeParse(name).success) ?? 'Somebody';

export const beforeAt = (email: string | null | undefined) => email?.split('@')[0];
