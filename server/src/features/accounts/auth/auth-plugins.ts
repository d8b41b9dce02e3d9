import { SENTENCES } from '@atelier/contract/errors';
import { PRODUCT_NAME } from '@atelier/contract/product';
import { admin } from 'better-auth/plugins/admin';
import { twoFactor as secondFactor } from 'better-auth/plugins/two-factor';
import type { Deps } from '../../../platform/deps.ts';
import { providersPlugin } from '../ways-in/providers.ts';

/** The identity provider’s plugins: disabling accounts, the second factor, and other providers. */
export const pluginsOf = (deps: Deps) => [
  admin({ bannedUserMessage: SENTENCES.accountDisabled }),
  withProviders(secondFactor({ issuer: PRODUCT_NAME, allowPasswordless: true })),
  providersPlugin(deps.config, (error) => deps.log.error('identity.provider', error)),
];

/** better-auth asks for the second factor only after a password; this asks for it after a provider's sign-in too. */
function withProviders<T extends ReturnType<typeof secondFactor>>(plugin: T): T {
  const after = plugin.hooks.after.map((hook) => ({
    ...hook,
    matcher: (context: Parameters<typeof hook.matcher>[0]) => context.path === '/callback/:id' || hook.matcher(context),
  }));
  return { ...plugin, hooks: { ...plugin.hooks, after } };
}
