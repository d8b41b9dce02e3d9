import type { SignInProvider } from '@atelier/contract/accounts';
import type { Config } from '../../../config.ts';
import { isRecord, parsedJson } from '../../../platform/parsed-json.ts';
import { githubAt, googleAt, signInProviders } from './providers.ts';

/** A code that nobody has: a provider refuses it by these names once it has found client and secret right. */
const CODE_REFUSED = new Set(['invalid_grant', 'bad_verification_code']);
const PROBE_MS = 5_000;

/** The configured sign-in providers, and how to try each: it throws the answer of one that doesn't know our client, or why there is none. */
export const signInProbes = (config: Config) =>
  signInProviders(config).map((provider) => ({ provider, probe: () => probe(config, provider) }));

async function probe(config: Config, provider: SignInProvider): Promise<string> {
  const isGoogle = provider === 'google';
  const { endpoints } = isGoogle ? googleAt(config.GOOGLE_BASE_URL) : githubAt(config.GITHUB_BASE_URL);
  const response = await fetch(endpoints.tokenUrl, {
    method: 'POST',
    headers: { accept: 'application/json', 'user-agent': 'atelier' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: 'probe',
      code_verifier: 'probe'.repeat(9),
      client_id: (isGoogle ? config.GOOGLE_CLIENT_ID : config.GITHUB_CLIENT_ID) ?? '',
      client_secret: (isGoogle ? config.GOOGLE_CLIENT_SECRET : config.GITHUB_CLIENT_SECRET) ?? '',
      redirect_uri: `${config.PUBLIC_URL}/api/auth/callback/${provider}`,
    }),
    redirect: 'error',
    signal: AbortSignal.timeout(PROBE_MS),
  });
  const body = parsedJson(await response.text());
  const error = isRecord(body) ? String(body.error) : 'no JSON';
  if (!CODE_REFUSED.has(error)) throw new Error(`answered ${response.status}: ${error}`);
  return 'knows the client';
}
