import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as english } from 'stemmer';
import { LANGUAGES, type Language } from './function-words.ts';

const STEMMERS: Record<Language, (word: string) => string> = {
  en: (word) => (/^[a-z]+$/.test(word) ? english(word) : word),
  de: german,
  fr: french,
  es: spanish,
  pt: portuguese,
  it: italian,
  nl: dutch,
};
const OTHER_SCRIPTS: readonly [RegExp, (word: string) => string][] = [
  [/^\p{Script=Arabic}+$/u, arabic],
  [/^\p{Script=Cyrillic}+$/u, russian],
  [/^\p{Script=Greek}+$/u, greek],
  [/^\p{Script=Hangul}+$/u, korean],
];

/** What is joined to Korean nouns, of which two syllables at least stay. */
const PARTICLE = /(?<=..)(?:에서|에게|한테|께서|으로|부터|까지|[은는이가을를의에와과도로만])$/u;

/** A Korean word without its particles. A noun that ends like one loses that too, and so does it with a particle: both have one stem. */
function korean(word: string): string {
  const stem = word.replace(PARTICLE, '');
  return stem === word ? word : korean(stem);
}

/** A lowercase word without its ending, so that “cooking” finds “cooked”. Words of scripts that no stemmer knows stay as they are. */
export function stemOf(word: string, language: Language = 'en'): string {
  const base = language === 'en' ? (BASE.get(word) ?? word) : word;
  if (/^\p{Script=Latin}/u.test(base)) return STEMMERS[language](base);
  return OTHER_SCRIPTS.find(([script]) => script.test(base))?.[1](base) ?? base;
}

/** The language that most function words of a text belong to; undefined when it has none, such as one of keywords alone. */
export function languageOf(words: Iterable<{ languages: number }>): Language | undefined {
  const counts = LANGUAGES.map(() => 0);
  for (const { languages } of words) {
    if (languages === 0) continue;
    for (let at = 0; at < counts.length; at += 1) if ((languages & (1 << at)) !== 0) counts[at] = (counts[at] ?? 0) + 1;
  }
  const most = Math.max(...counts);
  // English is the first: it wins where the counts are equal.
  return most === 0 ? undefined : LANGUAGES[counts.indexOf(most)];
}

/** English word forms that no rule of endings finds, by their base. */
const FORMS = `
arise arose arisen; awake awoke awoken; bear bore borne; beat beaten; become became; begin began begun; bend bent; bind bound;
bite bit bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring brought; build built; burn burnt; burst; buy bought;
catch caught; choose chose chosen; cling clung; come came; creep crept; deal dealt; dig dug; draw drew drawn; dream dreamt;
drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled;
fling flung; fly flew flown flies flying; forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen;
give gave given; grind ground; grow grew grown; hang hung; hear heard; hide hid hidden; hold held; keep kept;
kneel knelt; know knew known; lay laid; lead led; lean leant; leap leapt; learn learnt; leave left; lend lent; lie lay lain; light lit;
lose lost; make made; mean meant; meet met; pay paid; quit; ride rode ridden; ring rang rung; rise rose risen; run ran;
see saw seen; seek sought; sell sold; send sent; sew sewn; shake shook shaken; shine shone; shoot shot; show shown; shrink shrank shrunk;
sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid; speak spoke spoken; speed sped; spend spent; spill spilt; spin spun;
spread; spring sprang sprung; stand stood; steal stole stolen; stick stuck; sting stung; strike struck; swear swore sworn; sweep swept;
swell swollen; swim swam swum; swing swung; take took taken; teach taught; tear tore torn; tell told; think thought;
throw threw thrown; understand understood; wake woke woken; wear wore worn; weave wove woven; weep wept; win won; wind wound;
write wrote written; man men; woman women; child children; foot feet; tooth teeth; goose geese; mouse mice; wife wives;
knife knives; shelf shelves; loaf loaves; wolf wolves; half halves; person people; grandma grandmother; grandpa grandfather;
mom mother mum mommy mama mums moms; dad father daddy papa dads; photo photograph pic; bike bicycle; fridge refrigerator; phone telephone;
tv television; kid kids; fave favorite favourite; color colour; neighbor neighbour; theater theatre; center centre; gray grey;
jewelry jewellery; program programme; cozy cosy; pajamas pyjamas; donut doughnut; vacation holiday; apartment flat; movie film; store shop;
two 2; three 3; four 4; five 5; six 6; seven 7; eight 8; nine 9; ten 10; eleven 11; twelve 12`;

/** Each form's base. */
export const BASE: ReadonlyMap<string, string> = new Map(
  FORMS.split(';').flatMap((line) => {
    const [base = '', ...forms] = line.trim().split(/\s+/);
    return forms.map((form): [string, string] => [form, base]);
  }),
);
