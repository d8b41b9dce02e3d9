import { PROVIDER_NAMES, signInProvider } from '@atelier/contract/accounts';
import type { Way } from '@atelier/contract/accounts/ways';

/** What a way in is, with its name. */
export function wayWords({ kind, name }: Pick<Way, 'kind' | 'name'>): string {
  switch (kind) {
    case 'passkey':
      return `Passkey “${name}”`;
    case 'provider':
      return `Account at ${PROVIDER_NAMES[signInProvider.catch('google').parse(name)]}`;
    case 'two_factor':
      return 'Second factor';
    case 'api_key':
      return `API key “${name}”`;
    case 'tool_server':
      return `Access to the tool server “${name}”`;
    case 'link':
      return name === '' ? 'Shared link to an answer' : `Shared link to “${name}”`;
  }
}
