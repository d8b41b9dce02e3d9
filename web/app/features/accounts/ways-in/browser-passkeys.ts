import type { PasskeyResponse } from '@atelier/contract/accounts/bodies';
import {
  startAuthentication as authenticate,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startRegistration as register,
} from '@simplewebauthn/browser';

// The server's answer is WebAuthn's own shape, of which the browser checks every part.

/** Has the browser make a passkey. */
export const startRegistration = async (options: object) =>
  (await register({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })) as object as PasskeyResponse;

/** Has the browser use one, after it has checked that it is its owner. */
export const startAuthentication = async (options: object) =>
  (await authenticate({
    optionsJSON: { ...(options as PublicKeyCredentialRequestOptionsJSON), userVerification: 'required' },
  })) as object as PasskeyResponse;
