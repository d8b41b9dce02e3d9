/** Words that say nothing about a text's subject, greetings among them, and tell its language. None is also a common name, such as “Ben”. */
const FUNCTION_WORDS = {
  en: `a about after again all also am an and any are as at be because been before being but by can could did do does doing done
    for from get go got had has have having he her hers him his how i if in into is it its just let me might more most my no nor not
    now of off ok okay on once only or other our ours out over own please shall she should so some such than thank thanks that the
    their theirs them then there these they this those to too under until up us very was we were what when where which while who
    whom why will with would you your yours yeah yes hello hey hi wow oh well really much many lot ever still ve ll re don didn
    doesn isn wasn won couldn wouldn shouldn im`,
  de: `aber als am an auch auf aus bei beim bin bis bist bitte da damit dann das dass dein deine dem den denn der des dich die dir
    doch du ein eine einem einen einer eines er es etwas euch euer eure für gegen gerne haben habe hast hatte hallo heißt heißen
    ich ihm ihn ihr ihre ihren im in ins ist ja kann kannst kein keine keinen mehr mein meine meinem meinen meiner mich mir mit
    muss nach nicht noch nur ob oder schon sehr sein seine seit sich sie sind soll über um und uns unser unsere vom von vor wann
    war warum was wegen weil welche welchen welcher welches wem wen wenn wer werden wie wieder wieso wir wird wo wohin woher zu
    zum zur zwischen`,
  fr: `à ai au aux avec avez avons bonjour ça ce ceci cela ces cet cette chez comme comment dans de des donc dont du elle elles en es est
    et été était être eu fait faut ici il ils je la le les leur leurs lui ma mais me merci mes moi mon ne nos notre nous on ont ou où par
    pas plus pour pourquoi qu quand que quel quelle quelles quels qui quoi sa sans se ses si sommes son sont suis sur ta te tes toi ton
    tous tout toute toutes très tu un une vos votre vous y`,
  es: `a al algo ante aquí así cómo como con contra cuál cuáles cuando cuándo cuánto cuántos de del desde dónde donde dos e el él
    ella ellas ellos en entre era eres es esa ese eso está están estas este esto estoy fue gusta gustan gracias ha hace hacia han
    hasta hay hola la las le les lo los más me mi mis mucho muy nada ni no nos nosotros nuestra nuestro o os para pero por
    porque qué que quién quien se sea ser si sí sin sobre somos son soy su sus también te ti tiene tienen tengo todo tu tus un una
    unas uno unos usted y ya yo`,
  pt: `a à ao aos as às até com como da das de dela dele depois do dos e é ela elas ele eles em entre era essa esse esta está estão
    este estou eu foi há isso isto já lhe mais mas me mesmo meu meus minha minhas muito na não nas nem no nos nós nossa nosso num
    numa o obrigado obrigada olá onde os ou para pela pelo pelos por porque qual quais quando quanto quantos que quem são se sem
    ser seu seus só somos sou sua suas também te tem tenho têm teu tua tudo um uma umas uns você vocês`,
  it: `a ai al alla alle anche che chi ci ciao come con cosa cui da dal dalla dei del della delle di dove e è ed era fa gli grazie ha hai
    hanno ho i il in io la le lei lo loro lui ma mi mie miei mio molto ne nei nel nella noi non nostra nostro o per perché più piace
    qual quale quali quando quanto quanti quella quello questa questo sei si sì sia siamo sono sta sto su sua suo sul sulla ti tu tua tuo
    tutti tutto un una uno voi`,
  nl: `aan alles als bij daar dat de der deze die dit doen door dus een en er ge geen geweest haar had heb hebben heeft
    hem het hier hij hoe hun iemand iets ik in is ja je jij jouw kan kon kunnen maar me meer men met mij mijn moet na naar niet
    niets nog nu of om onder ons onze ook op over reeds te tegen toch toen tot u uit uw van veel voor waar waarom wanneer want
    waren was wat we welk welke werd wie wil worden wordt wij zal ze zei zelf zich zij zijn zo zonder zou`,
};

export type Language = keyof typeof FUNCTION_WORDS;
export const LANGUAGES: readonly Language[] = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl'];

/** They mean something in English, so they tell no language. */
const AMBIGUOUS = new Set('come die door era hem men met per plus sans sea sei sin son tot van want war'.split(' '));

const BITS = new Map<string, number>();
for (const [at, language] of LANGUAGES.entries())
  for (const word of FUNCTION_WORDS[language].split(/\s+/)) BITS.set(word, (BITS.get(word) ?? 0) | (1 << at));

/** The languages that a lowercase word tells, one bit each in the order of `LANGUAGES`. */
export const tellsLanguages = (word: string): number => (AMBIGUOUS.has(word) ? 0 : (BITS.get(word) ?? 0));
/** Whether a lowercase word is one in a language. */
export const isFunctionWord = (word: string, language: Language): boolean =>
  ((BITS.get(word) ?? 0) & (1 << LANGUAGES.indexOf(language))) !== 0;
