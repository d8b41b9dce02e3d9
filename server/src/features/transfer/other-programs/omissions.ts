import { PAST_LIMITS } from '@atelier/contract/transfer/past';

const number = (n: number) => n.toLocaleString('en');
const counted = (n: number, one: string, more = `${one}s`) => (n === 1 ? `1 ${one} is` : `${number(n)} ${more} are`);

/** What isn't imported of an export, and what the person is told. */
const SENTENCES = {
  empty: (n: number) => `${counted(n, 'conversation')} left out: nothing was said.`,
  tooLong: (n: number) =>
    `${counted(n, 'conversation')} left out: too long. One may have ${number(PAST_LIMITS.conversation)} messages.`,
  repeated: (n: number) => `${counted(n, 'conversation')} left out: already in this export.`,
  unknown: (n: number) => `${counted(n, 'entry', 'entries')} left out: not a conversation of this program.`,
  messages: (n: number) => `${counted(n, 'message')} left out: repeated, or following only each other.`,
  shortened: (n: number) => `${counted(n, 'message')} shortened: too long for one message here.`,
  attachments: (n: number) => `${counted(n, 'picture or file', 'pictures and files')} not imported: only words are.`,
};

/** Counts what is left out, by the reason. */
export class Omissions {
  readonly #counts = new Map<keyof typeof SENTENCES, number>();

  add(reason: keyof typeof SENTENCES, count = 1): void {
    if (count > 0) this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count);
  }

  has(reason: keyof typeof SENTENCES): boolean {
    return this.#counts.has(reason);
  }

  /** One sentence for each reason. */
  notes(): string[] {
    return [...this.#counts].map(([reason, count]) => SENTENCES[reason](count));
  }
}
