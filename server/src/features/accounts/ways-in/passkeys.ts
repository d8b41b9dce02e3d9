import { PRODUCT_NAME } from '@atelier/contract/product';
import { passkey } from '@better-auth/passkey';
import { APIError } from 'better-auth/api';

const unverified = () =>
  new APIError('FORBIDDEN', {
    code: 'USER_NOT_VERIFIED',
    message: 'The passkey did not check that it is you. Use one with a PIN, a fingerprint or your face.',
  });

/**
 * better-auth's plugin for passkeys. Each use must check the person, by PIN or body: a passkey is then something they have and something
 * they know or are, so no second factor is asked for.
 */
export const passkeysPlugin = () =>
  passkey({
    rpName: PRODUCT_NAME,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      afterVerification: async ({ verification }) => {
        if (verification.registrationInfo?.userVerified !== true) throw unverified();
      },
    },
    authentication: {
      afterVerification: async ({ verification }) => {
        if (!verification.authenticationInfo.userVerified) throw unverified();
      },
    },
  });
