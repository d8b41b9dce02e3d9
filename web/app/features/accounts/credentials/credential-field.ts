/** One input of the form; all are required. */
export interface CredentialField {
  name: keyof Credentials;
  label: string;
  /** The error for an empty field. */
  missing: string;
  autoComplete: string;
  hint?: string;
  /** What the field holds at first. */
  value?: string;
}

/** Asks a signed-in person for their password. */
export const OWN_PASSWORD: CredentialField = {
  name: 'password',
  label: 'Your password',
  missing: 'Password is required.',
  autoComplete: 'current-password',
};

/** Asks for a code of the second factor, whichever kind. */
export const ANY_CODE: CredentialField = {
  name: 'code',
  label: 'Code',
  missing: 'The code is required.',
  autoComplete: 'one-time-code',
  hint: 'The six digits from your authenticator app, or one of your recovery codes.',
};

const NAMES = ['username', 'email', 'password', 'newPassword', 'code'] as const;
export type Credentials = Record<(typeof NAMES)[number], string>;

export const isPassword = (name: CredentialField['name']) => name === 'password' || name === 'newPassword';

export function readValues(form: HTMLFormElement): Credentials {
  const data = new FormData(form);
  return Object.fromEntries(NAMES.map((name) => [name, String(data.get(name) ?? '')])) as Credentials;
}
