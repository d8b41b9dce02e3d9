/** A mail to a person, without its links: those are made when it is sent. */
export type AccountMail =
  /** The address may have no account; then nothing is sent. */
  | { kind: 'reset' }
  | { kind: 'verify' }
  /** To the new address. */
  | { kind: 'change_email' }
  /** To the old address. */
  | { kind: 'email_changed'; to: string }
  /** `suspended` is how many ways in were, or other ways in. */
  | { kind: 'email_confirmed'; suspended: number }
  | { kind: 'password_changed'; by: 'person' | 'reset'; suspended?: number }
  | { kind: 'recovery_codes' }
  /** The operator lets a new account in. */
  | { kind: 'approved' }
  /** The operator's reply to a message of the contact page, which anybody may have written. */
  | { kind: 'reply'; text: string; message: string; at: string }
  /** `reason` is the operator's, where they removed it. */
  | { kind: 'two_factor'; on: boolean; reason?: string }
  | { kind: 'new_device'; device: string; address: string; at: string }
  /** A provider's account, a passkey or a password was added to the ways in, or taken away; `reason` as above. */
  | { kind: 'way_in'; way: string; isAdded: boolean; reason?: string }
  /** `hint` is the end of the secret; `agents` how many the key reaches, null for all. */
  | { kind: 'api_key'; hint: string; scopes: string[]; agents: number | null; at: string }
  /** The operator has made a public agent private. */
  | { kind: 'agent_unpublished'; name: string; reason: string }
  | { kind: 'receipt'; reference: string; amount: string; paidAt: string; isRehearsal: boolean };

/** What the words of a mail need to know. */
export interface MailContext {
  email: string;
  /** OPERATORS names the email: with its proof the account is an operator's. */
  makesOperator?: boolean;
  /** Nobody can sign in to the account before its email is confirmed. */
  isNeeded?: boolean;
  /** The link with its token, where the mail has one. */
  link: string;
  /** The pages to reset a password (null where nobody has one), of the account, and to write to the operator. */
  pages: { forgot: string | null; account: string; contact: string };
}

/** A mail's parts in their order; text and HTML are made from the same. */
export interface Parts {
  subject: string;
  lead: string;
  facts?: [label: string, value: string][];
  action?: { label: string; url: string };
  /** What else to know. */
  notes: string[];
}
