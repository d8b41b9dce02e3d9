// expect: atelier(no-string-table), Look up strings in a Map
const WORDS: Readonly<Record<string, string>> = { yes: 'oui' };
const SIZES: Record<'small' | 'large', number> = { small: 1, large: 2 };

export const wordFor = (word: string): string | undefined => WORDS[word];
export const sizeOf = (size: keyof typeof SIZES): number => SIZES[size];
