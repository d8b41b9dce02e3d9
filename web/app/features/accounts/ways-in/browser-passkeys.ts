import {
  startAuthentication as authenticate,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startRegistration as register,
} from '@simplewebauthn/browser';

// The server's answer is WebAuthn's own shape, of which the browser checks every part.

/** Has the browser make a passkey. */
export const startRegistration = (options: object) =>
  register({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON });

/** Has the browser use one, after it has checked that it is its owner. */
export const startAuthentication = (options: object) =>
  authenticate({
    optionsJSON: { ...(options as PublicKeyCredentialRequestOptionsJSON), userVerification: 'required' },
  });
