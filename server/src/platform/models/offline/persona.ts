import { sentencesOf } from '../../language/sentences.ts';

/** What an agent's prompt asks of an answer's form, as far as a model without language can follow it. */
export interface Persona {
  /** “I help you plan trips.” */
  frame: string;
  brief: boolean;
  bullets: boolean;
  signature?: string;
  opening?: string;
  closing?: string;
  /** How the person wants to be called. */
  address?: string;
  greeting: string;
  /** A requested language that this model can't write. */
  language?: string;
}

const FRAME_MAX = 140;
// With single spaces, as the prompt is read.
const QUOTED = `["“'‘]?([^"”'’.;]{1,60})`;
const ANSWERS = '(?:(?:all|every|each|your|the) )?(?:answers?|messages?|repl(?:y|ies))';
const SIGN = new RegExp(`\\bsign(?: off)?(?: ${ANSWERS})? (?:as|with) ${QUOTED}`, 'i');
const OPEN = new RegExp(`\\b(?:start|begin|open) ${ANSWERS} with ${QUOTED}`, 'i');
const CLOSE = new RegExp(`\\b(?:end|finish|close) ${ANSWERS} with ${QUOTED}`, 'i');
const ADDRESS =
  /\b(?:[Cc]all|[Aa]ddress) (?:me|the (?:user|person)) (?:as )?["“']?(\p{Lu}[\p{L} ]{1,30}?)["”']?(?=[.,;!\n]|$| and\b)/u;
const LANGUAGE =
  /\b(?:answer|reply|respond|speak|write|talk)\b[^.\n]{0,30}\bin (german|french|spanish|italian|portuguese|dutch|polish|turkish|russian|chinese|japanese|korean|arabic|hindi|swahili|latin|zulu|afrikaans)\b/i;

/** Reads an agent's prompt for its role, tone and form. */
export function readPersona(prompt: string): Persona {
  const lines = prompt.split('\n').map((line) => line.replaceAll(/\s+/g, ' '));
  const first = (pattern: RegExp) => {
    for (const line of lines) {
      const value = pattern.exec(line)?.[1]?.trim();
      if (value) return value;
    }
    return undefined;
  };
  return {
    frame: frameOf(prompt),
    brief:
      /\b(?:brief(?:ly)?|concise(?:ly)?|terse(?:ly)?|short (?:answers?|sentences?|repl)|keep (?:it|answers?|your answers?) short)\b/i.test(
        prompt,
      ),
    bullets: /\bbullet(?:s|ed)?\b|\bas a list\b/i.test(prompt),
    signature: first(SIGN),
    opening: first(OPEN),
    closing: first(CLOSE),
    address: first(ADDRESS),
    greeting: greetingOf(prompt),
    language: first(LANGUAGE),
  };
}

function greetingOf(prompt: string): string {
  if (/\bpirate\b/i.test(prompt)) return 'Ahoy';
  if (/\b(?:formal|polite|butler|courteous)(?:ly)?\b/i.test(prompt)) return 'Good day';
  if (/\bcowboy\b/i.test(prompt)) return 'Howdy';
  return 'Hello';
}

/** The first sentence of the prompt from the agent's view: “You help me plan trips” becomes “I help you plan trips”. */
function frameOf(prompt: string): string {
  const sentence = (sentencesOf(prompt)[0] ?? '').replace(/\s+/g, ' ');
  if (sentence === '') return '';
  const points = Array.from(sentence);
  const short = points.length > FRAME_MAX ? `${points.slice(0, FRAME_MAX - 1).join('')}…` : sentence;
  return /^you(?:'re|’re)?\s/i.test(short) ? turnRound(short) : `My instructions begin: “${short}”`;
}

const TURNED = new Map(
  'you I,your my,yours mine,yourself myself,me you,my your,us you,our your,i you,we you'
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
);

/** What comes before a “you” that is addressed and doesn't act. */
const TOWARDS = /\b(?:to|for|with|without|from|at|about|of|by|on|upon|against|towards?) $/i;
const CLAUSE_END = /^(?:[.,;:!?…]|$)/;

function turnRound(sentence: string): string {
  return sentence.replace(
    /\byou(?: are|'re|’re)\b|\b(?:you|your|yours|yourself|me|my|us|our|i|we)\b/gi,
    (word: string, at: number) => {
      if (/^you\W/i.test(word)) return 'I am';
      const acts = !TOWARDS.test(sentence.slice(0, at)) && !CLAUSE_END.test(sentence.slice(at + word.length));
      return word.toLowerCase() === 'you' && !acts ? 'me' : (TURNED.get(word.toLowerCase()) ?? word);
    },
  );
}
