/** Whom or what a clause is about, and what it says of it. */
export interface Claim {
  /** As it was written: “My sister Nora”. */
  subject: string;
  predicate: string;
  kind: 'self' | 'person' | 'thing';
  /** For a list of facts: “You”, a name, “Your sister”, “Shared”. */
  about: string;
}

export const ABOUT_SELF = 'You';
export const ABOUT_SHARED = 'Shared';
