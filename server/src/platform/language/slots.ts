/** What a person has one of at a time. */
export type Slot = 'home' | 'work' | 'partner' | 'diet';

/** “live in”, “moved back to”, “live on the fourth floor in Ghent”; a pattern's source, for the flags `iu`. */
export const LIVES = String.raw`(?:(?:lives?|living|resides?|based|moved|relocated|settled)(?: now| back| down| away| here)? (?:in|to|at)\b|(?:moved|relocated) from .{2,40}? to\b|(?:lives?|living) (?:on|near|by|above|with) .{2,40}? in (?=(?-i:\p{Lu}))|(?:have|has) lived (?:in|at)\b)`;
/** “work as”, “got a job at”; the same. */
export const WORKS = String.raw`(?:works?|working|started(?: working| a (?:new )?job)?|(?:got|found|have) a job)(?: now)? (?:as|at|for)\b`;
