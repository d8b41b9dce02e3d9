import { z } from 'zod';
import { ask, nameOf, type ProviderPerson } from './provider-person.ts';

const githubPerson = z.object({
  id: z.number().int(),
  login: z.string(),
  name: z.string().nullish(),
  avatar_url: z.url().nullish().catch(null),
});
const githubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** GitHub’s addresses, or those of a stand-in, and how to find who signed in. */
export function githubAt(base: string | undefined) {
  const site = base === undefined ? 'https://github.com' : new URL(base).origin;
  const api = base === undefined ? 'https://api.github.com' : `${site}/api/v3`;
  const endpoints = {
    authorizationUrl: `${site}/login/oauth/authorize`,
    tokenUrl: `${site}/login/oauth/access_token`,
  };
  const find = async (token: string): Promise<ProviderPerson> => {
    const person = await ask(githubPerson, `${api}/user`, token);
    const email = (await ask(githubEmails, `${api}/user/emails`, token)).find(({ primary }) => primary);
    return {
      id: String(person.id),
      email: email?.email ?? null,
      emailVerified: email?.verified === true,
      name: nameOf(person.name, person.login),
      picture: person.avatar_url ?? null,
    };
  };
  return { endpoints, find };
}
