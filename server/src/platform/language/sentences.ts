import { isFunctionWord } from './function-words.ts';
import { keepRecent } from './recent.ts';
import { UNSPACED } from './words.ts';

const ABBREVIATED = /\b(?:Mr|Mrs|Ms|Dr|Prof|St|No|approx|e\.g|i\.e|vs|etc)\.$/i;
const QUESTION_START =
  /^(?:(?:and|so|but|ok|okay|well|hi|hello|hey|please)[,\s]+)*(?:who|whom|whose|what|which|when|where|why|how|do|does|did|is|are|was|were|can|could|would|will|should|shall|may|might|has|have|had|am(?= i\b)|what's|who's|where's|when's|how's)\b/i;
/** Question words of German, French, Spanish, Portuguese, Italian and Dutch. Without a question mark they also begin clauses, so a full stop decides. */
const ASKING_WORD =
  /^(?:¿|(?:wer|wen|wem|wessen|wann|wo|woher|wohin|warum|weshalb|wieso|wie(?! gesagt)|welche[rsnm]?|qui|que|quel(?:le)?s?|quoi|où|pourquoi|comment (?:s|t|ça|se|va|est|on|puis|dois)|combien|est-ce|qu['’]est-ce|quién(?:es)?|qué|cuál(?:es)?|cuándo|d[óo]nde|adónde|cómo|cuánt[oa]s?|quem|qua(?:l|is|le|li)|quando|onde|quant[oae]s?|quanti|chi|dove|perch[ée]|wat|waar|wanneer|waarom|hoe|welke?)(?=[\s-]))/iu;
const REQUEST_START =
  /^(?:please\s+|can you\s+|could you\s+|would you\s+|now\s+)*(?:write|draft|compose|explain|translate|summari[sz]e|suggest|recommend|plan|create|generate|design|calculate|compute|code|program|search|find|look up|list|describe|tell me|show me|give me|help me|make me|compare|rewrite|improve|draw|imagine|brainstorm|outline|teach me|quiz me)\b/i;

/** More that end no sentence: of other languages, and in lower case like “z. B.”. */
const SHORTENED =
  /(?:\b(?:[Bb]zw|Nr|ca|Hr|Frl|Mme|Mlle|Sra?|Srta|Uds?|Dña|Sig|ggf|evtl|vgl|inkl|Gen|Col|Capt|Lt|Rev|Hon|Mt|Fig|Vol|pp|cf|(?!m)\p{Ll})|(?<=\p{Ll}\. ?)\p{Lu}|^\d{1,9})\.$/u;
/** “R. F. Kuang”, “the U.S. Army”. */
const INITIALS = /(?<!\p{L})(?:\p{Lu}\.){1,3}$/u;
/** “Am 3. Mai”. */
const ORDINAL = /\b\d{1,2}\.$/;
const GERMAN_MONTH = /^(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b/;
/** A sentence ends with its closing quotation mark, bracket or emphasis. */
const END = /(?<=[.!?…]["'”’)\]*_`]{0,3})\s+|\n+|(?<=[。！？])/g;
/** Closes what ended before it. */
const CLOSES = /^[」』）】”’]/;
/** Where a line begins something of its own: an item, a heading, a quotation, a row, code, what has a label. */
const OWN_LINE = /^(?:[-*+•–] |#{1,6} |\d{1,9}[.)](?: |$)|```|~~~|[>|<{}[\]]|\p{L}[\p{L} ]{0,24}:(?: |$))/u;
/** A line after which nothing goes on. */
const CLOSED_LINE = /^(?:#{1,6} |```|~~~|\|)/;
/** Written with a capital letter only where a sentence begins; English words of this kind are in `FUNCTION_WORDS`. */
const OPENING = new Set(
  'ich mein meine wir unser je mon ma mes nous yo mi nosotros eu meu minha io mio mia ik mijn always never answer'.split(
    ' ',
  ),
);
/** A line that ends like this goes on, whatever comes. */
const NEEDS_MORE =
  /(?:[,;:–—(-]|\b(?:and|or|but|if|when|that|which|who|whom|where|because|since|as|than|so|while|what|how|why|the|a|an|of|to|with|for|in|on|at|by|from))$/i;
/** Has signs of scripts whose full stops `END` doesn't know. */
const OTHER_SCRIPT = /[\u0370-\u1fff\u2de0-\u2dff\u3040-\uffff]/;
const KNOWN_END = /[.!?…。！？]["'”’)\]*_`」』）】]{0,3}$/;
const sentenceSegmenter = new Intl.Segmenter('und', { granularity: 'sentence' });
const READ_MAX = 20_000;
const RECENT = 2_000;

interface Sentence {
  text: string;
  start: number;
  end: number;
  /** Its number as facts are stored with it: how many ends of sentences and lines precede it, whether or not they end a sentence. */
  place: number;
}

/** The sentences of a text. A line break is a blank in a paragraph; an empty line, a list item and a heading end one, “Dr.” doesn't. */
export const readSentences = keepRecent(RECENT, (whole): readonly Sentence[] => {
  const text = whole.slice(0, READ_MAX);
  const sentences: Sentence[] = [];
  let [start, place, gap, before] = [0, 0, '', ''];
  for (const match of [...text.matchAll(END), undefined]) {
    const end = match?.index ?? text.length;
    const part = text.slice(start, end).trim();
    const last = sentences.at(-1);
    if (part !== '') {
      const isTitled = ABBREVIATED.test(before);
      if (last !== undefined && (isTitled || goesOn(last.text, before, gap, part))) {
        last.text += gap === '' ? part : ` ${part}`;
        last.end = end;
      } else sentences.push({ text: part, start, end, place });
      if (!isTitled) place += 1;
      gap = '';
      before = part;
    }
    gap += match?.[0] ?? '';
    start = end + (match?.[0].length ?? 0);
  }
  return sentences.flatMap(splitByScript);
});

/** The same without their places. */
export const sentencesOf = (text: string): string[] => readSentences(text).map((sentence) => sentence.text);

function isShortened(sentence: string, before: string, part: string): boolean {
  // Of a long part the end says enough, and reading a whole sentence again at each of them would be slow.
  const tail = before.length > 4 ? before.slice(-12) : sentence.slice(-12);
  if (INITIALS.test(tail) && /^\p{Lu}/u.test(part)) return !opens(part, sentence);
  return SHORTENED.test(tail) || (ORDINAL.test(tail) && GERMAN_MONTH.test(part));
}

/** Whether a part is the rest of the sentence before it. */
function goesOn(sentence: string, before: string, gap: string, part: string): boolean {
  if (gap.includes('\n\n')) return false;
  if (gap === '') return CLOSES.test(part);
  if (isShortened(sentence, before, part)) return true;
  if (gap !== '\n' || KNOWN_END.test(before) || OWN_LINE.test(part) || CLOSED_LINE.test(before)) return false;
  return NEEDS_MORE.test(before) || !opens(part, sentence);
}

/** Whether a line begins as sentences do; who types in lower case begins them with themselves. */
function opens(line: string, sentence: string): boolean {
  const [first = ''] = /^\p{L}+/u.exec(line) ?? [];
  const word = first.toLowerCase();
  if (first === word) return /^\p{Ll}/u.test(sentence) && /^(?:im?|my|we|our)$/.test(word);
  return isFunctionWord(word, 'en') || OPENING.has(word);
}

/** Splits where a full stop of another script ends a sentence; in Greek a semicolon asks. */
function splitByScript(sentence: Sentence): Sentence[] {
  if (!OTHER_SCRIPT.test(sentence.text)) return [sentence];
  const marked = sentence.text.replaceAll(/(?<=\p{Script=Greek});/gu, '\u061f');
  const texts = [''];
  for (const { segment, index } of sentenceSegmenter.segment(marked)) {
    texts[texts.length - 1] += sentence.text.slice(index, index + segment.length);
    if (/[^\p{L}\p{N}\s]\s*$/u.test(segment) && !KNOWN_END.test(segment.trimEnd())) texts.push('');
  }
  return texts.flatMap((text) => (text.trim() === '' ? [] : [{ ...sentence, text: text.trim() }]));
}

/** A question by its mark, in any script; in Greek a semicolon asks. */
export const hasQuestionMark = (text: string): boolean =>
  /(?:[?？؟՞፧⁇⁈⁉]|(?<=\p{Script=Greek})[;\u037e]|[吗嗎]。?|[でま]すか。?)["'”’»)\]*_`」』）]{0,3}$/u.test(
    text.trimEnd(),
  );

const beginsToAsk = (text: string): boolean =>
  QUESTION_START.test(text) || (ASKING_WORD.test(text) && !/[.!。！]$/.test(text.trimEnd()));

/** Whether a text as a whole asks something. */
export function asks(text: string): boolean {
  const trimmed = text.trim();
  return hasQuestionMark(trimmed) || (trimmed.length < 200 && !/[.!]\s/.test(trimmed) && beginsToAsk(trimmed));
}

/** Whether a sentence is a question. */
export const isQuestion = (text: string): boolean => hasQuestionMark(text) || beginsToAsk(text);

/** Whether a sentence asks for a piece of work. */
export const isRequest = (text: string): boolean => REQUEST_START.test(text);

const wordSegmenter = new Intl.Segmenter('und', { granularity: 'word' });

function countWords(text: string): number {
  if (!UNSPACED.test(text)) return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  return [...wordSegmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;
}

/** Whether a sentence states something that could answer a question later. */
export const isStatement = (text: string): boolean => !isQuestion(text) && !isRequest(text) && countWords(text) >= 3;

/** The offline model's whole answer to a statement: its title, the quotation in one line, what becomes of it. */
const NOTED =
  /^(?:\*[^\n]{1,200}\*\s+)?Noted[^“\n]{0,40}: “[^\n]{0,1000}”(?:\s{1,4}(?:Ask me about it later|My memory is off)[^\n]{0,80})?$/;
const CANNOT =
  /\bI(?:(?: can(?:no|['’])t| can not|['’]m unable to|['’]m not able to| am unable to| am not able to) (?:do that|help (?:you )?with|access|browse|open|search|send|remember|recall|answer)| (?:do not|don['’]t) (?:know|remember|recall|have (?:any |enough |the |that |this )?(?:access|information|record|memory|knowledge|ability))| have no (?:access|information|record|memory|knowledge)| found nothing)\b/i;
/** Where an answer says so, it does at its beginning: after its title, and an apology. */
const BEGINNING = 3;

/** Whether an answer only quotes what the person said, or says that it can't do or doesn't know what they asked. English only. */
export const saysNothing = (answer: string): boolean =>
  NOTED.test(answer.trim()) ||
  sentencesOf(answer)
    .slice(0, BEGINNING)
    .some((sentence) => CANNOT.test(sentence) && !/\b(?:but|however)\b/i.test(sentence));
