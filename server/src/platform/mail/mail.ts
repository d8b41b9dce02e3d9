/** A message, for the operator unless it names somebody else. */
export interface OutgoingMail {
  /** The same for each attempt, so that a mailbox can recognise a copy; without the angle brackets. */
  messageId: string;
  /** Whose address it goes to; only SMTP can send to others than the operator. */
  to?: string;
  subject: string;
  text: string;
  /** The same words as HTML. */
  html?: string;
  /** Who gets the reply. */
  replyTo: string | null;
}

/**
 * The result of an attempt. `sent`: accepted. `refused`: not accepted, until something changes on our side. `later`: not accepted now.
 * `unsure`: unknown, because no answer came after the message was sent.
 */
export interface MailOutcome {
  result: 'sent' | 'refused' | 'later' | 'unsure';
  /** The status of the mail service, HTTP or SMTP; null without one. */
  status: number | null;
  /** What a program calls the failure, such as ECONNREFUSED; for the log. */
  code?: string;
  /** For the operator: the service's answer, without secrets. */
  note: string;
  /** Seconds to wait, if the service said so. */
  retryAfterSeconds?: number;
}

/** How mail is sent; `off` when nothing is configured. */
export interface Mail {
  readonly kind: 'off' | 'smtp' | 'emailjs';
  /** For the start-up report. */
  readonly label: string;
  /** Tries once, within a minute; never throws. */
  send(mail: OutgoingMail): Promise<MailOutcome>;
  /** Tries to reach it, without a mail; throws what went wrong, without secrets. Returns what is certain then. */
  probe(): Promise<string>;
  close(): void;
}
