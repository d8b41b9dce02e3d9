import { stemsIn } from './word-reader.ts';

/** Words with which an answer takes note of something, and adds nothing to it. */
const ACKNOWLEDGING = stemsIn(
  'noted note keep kept mind remember understand understood said told say tell mention mentioned know great good sorry glad hear',
);
const NEGATED = /\b(?:not|no|never|none|cannot)\b|n['’]t\b/i;
const STEMS_MIN = 2;

/** What a person said, to tell which sentences of an answer only repeat it: they have no word of their own. */
export class PersonsWords {
  readonly #told: () => Told[];
  #read: Told[] | undefined;

  /** `told` is asked for once, when the first answer is compared. */
  constructor(told: () => readonly string[]) {
    this.#told = () => told().map(readTold);
  }

  /** Whether a sentence repeats one of the person's. */
  repeatedBy(answer: string): boolean {
    const { stems, isNegated } = readTold(answer);
    const own = [...stems].filter((stem) => !ACKNOWLEDGING.has(stem));
    if (own.length < STEMS_MIN) return false;
    this.#read ??= this.#told();
    return this.#read.some((told) => told.isNegated === isNegated && own.every((stem) => told.stems.has(stem)));
  }
}

interface Told {
  stems: ReadonlySet<number>;
  isNegated: boolean;
}

const readTold = (text: string): Told => ({ stems: stemsIn(text), isNegated: NEGATED.test(text) });

const CANNOT =
  /\bI(?:(?: can(?:no|['’])t| can not|['’]m unable to|['’]m not able to| am unable to| am not able to) (?:do that|help (?:you )?with|access|browse|open|search|send|remember|recall|answer)| (?:do not|don['’]t) (?:know|remember|recall|have (?:any |enough |the |that |this )?(?:access|information|record|memory|knowledge|ability))| have no (?:access|information|record|memory|knowledge)| found nothing)\b/i;
/** Where an answer says that it can't, it says so at the beginning: after its title, and an apology. */
const BEGINNING = 3;

/** Whether an answer says that it can't do or doesn't know what was asked. It has nothing that the person didn't say. */
export const isRefusal = (sentences: readonly string[]): boolean =>
  sentences.slice(0, BEGINNING).some((sentence) => CANNOT.test(sentence) && !/\b(?:but|however)\b/i.test(sentence));
