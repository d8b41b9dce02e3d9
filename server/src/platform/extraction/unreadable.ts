/** Why a document can't be read, in a sentence for the person who uploaded it. */
export class Unreadable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Unreadable';
  }
}

/** What a person is told when a document could not be read. */
export const unreadableSentence = (error: unknown): string =>
  error instanceof Unreadable ? error.message : 'This file is damaged and can’t be read.';
