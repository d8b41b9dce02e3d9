import type { SignInProvider } from '@atelier/contract/accounts';
import { encodeBasicCredentials } from '@better-auth/core/oauth2';
import type { Config } from '../../../config.ts';
import { isRecord, parsedJson } from '../../../platform/parsed-json.ts';
import { providersOf } from './providers.ts';

/** A code that nobody has: a provider refuses it by these names once it has found client and secret right. */
const CODE_REFUSED = new Set(['invalid_grant', 'bad_verification_code']);
const PROBE_MS = 5_000;

type Probed = ReturnType<typeof providersOf>[number];
interface Probe {
  provider: SignInProvider;
  name: string;
  probe: () => Promise<string>;
}

/** The configured sign-in providers, and how to try each: it throws the answer of one that doesn't know our client, or why there is none. */
export const signInProbes = (config: Config): Probe[] =>
  providersOf(config).map((provider) => ({
    provider: provider.id,
    name: provider.name,
    probe: () => probe(config, provider),
  }));

async function probe(config: Config, { id, clientId, clientSecret, endpoints }: Probed): Promise<string> {
  const { tokenUrl, authentication } = await endpoints();
  const headers = { accept: 'application/json', 'user-agent': 'atelier' };
  const isBasic = authentication === 'basic';
  const response = await fetch(tokenUrl, {
    method: 'POST',
    headers: isBasic
      ? { ...headers, authorization: `Basic ${encodeBasicCredentials(clientId, clientSecret)}` }
      : headers,
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: 'probe',
      code_verifier: 'probe'.repeat(9),
      ...(isBasic ? {} : { client_id: clientId, client_secret: clientSecret }),
      redirect_uri: `${config.PUBLIC_URL}/api/auth/callback/${id}`,
    }),
    redirect: 'error',
    signal: AbortSignal.timeout(PROBE_MS),
  });
  const body = parsedJson(await response.text());
  const error = isRecord(body) ? String(body.error) : 'no JSON';
  if (!CODE_REFUSED.has(error)) throw new Error(`answered ${response.status}: ${error}`);
  return 'knows the client';
}
