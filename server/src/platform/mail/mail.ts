/** A message for the operator. */
export interface OutgoingMail {
  /** The same at each attempt, so that a mailbox can tell a repetition; without the angle brackets. */
  messageId: string;
  subject: string;
  text: string;
  /** Whom an answer goes to. */
  replyTo: string | null;
}

/**
 * What became of an attempt. `sent`: accepted. `refused`: not accepted, and not before something changes at our side. `later`: not
 * accepted now. `unsure`: nobody knows, for no answer came after the message had been handed over.
 */
export interface MailOutcome {
  result: 'sent' | 'refused' | 'later' | 'unsure';
  /** The status of the mail service, HTTP or SMTP; null where it gave none. */
  status: number | null;
  /** For the operator: what the service said, without secrets. */
  note: string;
  /** Seconds to wait where the service said so. */
  retryAfterSeconds?: number;
}

/** The way out for mail; `off` where none is configured. */
export interface Mail {
  readonly kind: 'off' | 'smtp' | 'emailjs';
  /** For the start-up report. */
  readonly label: string;
  /** Tries once, within a minute; never throws. */
  send(mail: OutgoingMail): Promise<MailOutcome>;
  close(): void;
}
