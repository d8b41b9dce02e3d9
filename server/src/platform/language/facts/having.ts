const HAVE = /^(?:(?:also|still|now|only|both|currently) )?(?:have|has|had|own|keep)(?: got)? (?<object>.+)$/iu;
const NOT_HAD =
  /^(?:(?:a|an|some|any|no|my|the|another|one|two|few|many|several|such|quick|great|lovely|nice|good|bad|big|little|small|just|got|more|lots of|so much|too much) )*(?:to|been|questions?|problems?|issues?|ideas?|feelings?|looks?|minutes?|moments?|seconds?|hours?|time|chance|doubts?|headaches?|colds?|coffee|tea|lunch|dinner|breakfast|fun|clue|choice|trouble|day|night|morning|evening|weekend|week|walk|chat|think|thought|thoughts|plans|point|reason|words|seen|had|heard|read|tried|done|made|finished|forgotten|lost|found|decided|enough|work|things|stuff|something|nothing|everything|this|that|it|them|hunch|request|favou?r|nap|shower|rest|break|laugh|go|say|news|hope|hard|help|never|always|not|gone|come|taken|given|eaten|just|already|ever|written|learned|noticed|realised|realized|started|told|used|asked)\b/i;

/** What an agent is asked to help with. */
const TROUBLE = /\b(?:questions?|bugs?|errors?|problems?|issues?|ideas?)\b/i;

/** “Have also set up the server”: done, not had. */
const DONE =
  /^(?:(?:also|just|recently|already|now) )*(?:\p{L}+ed|set|made|begun|written|built|put|taken|chosen|spent)\b/iu;

/** What somebody has, of a predicate such as “have two cats”. */
export const objectHad = (predicate: string): string | undefined => HAVE.exec(predicate)?.groups?.object;

/** Whether it is theirs for long: no question, no minute, no trouble that they ask about. */
export const isHad = (object: string): boolean => !NOT_HAD.test(object) && !TROUBLE.test(object);
export const isDone = (object: string): boolean => DONE.test(object);
