/** Why a document can't be read, in a sentence for the person who uploaded it. */
export class Unreadable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Unreadable';
  }
}
