import { z } from 'zod';
import { ask, beforeAt, nameOf, type ProviderPerson } from './provider-person.ts';

const googlePerson = z.object({
  sub: z.string().min(1),
  email: z.string().nullish(),
  email_verified: z.boolean().nullish(),
  name: z.string().nullish(),
  picture: z.url().nullish().catch(null),
});

/** Google’s addresses, or those of a stand-in, and how to find who signed in. */
export function googleAt(base: string | undefined) {
  const at = (google: string, path: string) => (base === undefined ? google : new URL(base).origin) + path;
  const endpoints = {
    authorizationUrl: at('https://accounts.google.com', '/o/oauth2/v2/auth'),
    tokenUrl: at('https://oauth2.googleapis.com', '/token'),
  };
  const find = async (token: string): Promise<ProviderPerson> => {
    const person = await ask(googlePerson, at('https://openidconnect.googleapis.com', '/v1/userinfo'), token);
    return {
      id: person.sub,
      email: person.email ?? null,
      emailVerified: person.email_verified === true,
      name: nameOf(person.name, beforeAt(person.email)),
      picture: person.picture ?? null,
    };
  };
  return { endpoints, find };
}
