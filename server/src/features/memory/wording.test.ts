import { whySentence } from '@atelier/contract/search/why-found';
import { describe, expect, it } from 'vitest';
import { relatedWords } from '../../platform/language/related-words.ts';
import { explain, relatedTerms, spelledTerms, standingIn } from './wording.service.ts';

describe('related words', () => {
  it('are known in any form, and both ways', () => {
    expect(relatedWords('trains')).toContain('railway');
    expect(relatedWords('railways')).toContain('train');
    expect(relatedWords('physician')).toContain('doctor');
    expect(relatedWords('purchased')).toContain('buy');
    expect(relatedWords('bought')).toEqual(expect.arrayContaining(['buy', 'purchase']));
    expect(relatedWords('apartments')).toContain('flat');
    expect(relatedWords('grandmother')).toContain('grandma');
    expect(relatedWords('pets')).toContain('dog');
  });

  it('are not those that only stand in the same places', () => {
    for (const [word, other] of [
      ['dog', 'cat'],
      ['monday', 'tuesday'],
      ['hot', 'cold'],
      ['brother', 'sister'],
    ]) {
      expect(relatedWords(word ?? '')).not.toContain(other);
    }
  });

  it('of no word are none', () => {
    expect(['zzqx', 'constructor', '__proto__', 'Straße', '', '#'].map((word) => relatedWords(word).length)).toEqual([
      0, 0, 0, 0, 0, 0,
    ]);
  });
});

describe('terms', () => {
  it('are the words that mean something, each with its related ones; none where that adds nothing', () => {
    expect(relatedTerms(['which', 'trains', 'zzqx'])).toEqual([
      expect.arrayContaining(['trains', 'railway']),
      ['zzqx'],
    ]);
    expect(relatedTerms(['zzqx'])).toBeUndefined();
    expect(relatedTerms(['the', 'of'])).toBeUndefined();
  });

  it('hold nothing that could be an operator of a search', () => {
    const all = relatedTerms('pet job music name in-law hip travel'.split(' '))?.flat() ?? [];
    expect(all.filter((word) => !/^[\p{L}\p{N}-]+$/u.test(word))).toEqual([]);
  });

  it('with one letter changed are tried for words that nobody knows', () => {
    const [tarins = []] = spelledTerms(['tarins']) ?? [];
    expect(tarins).toContain('trains');
    expect(spelledTerms(['trains'])).toBeUndefined();
    expect(spelledTerms(['zzqx'])).toBeUndefined();
    expect(spelledTerms(['straße', 'x'.repeat(40)])).toBeUndefined();
  });
});

describe('the reason', () => {
  const reason = (search: string, text: string, terms = relatedTerms(search.split(' ')) ?? search.split(' ')) =>
    whySentence(explain(search.split(' '), terms, standingIn(text, terms)));

  it('names the words that stand there', () => {
    expect(reason('peanuts allergic', 'Allergic to a peanut', ['peanuts', 'allergic'])).toBe(
      'matches “allergic”, “peanut”',
    );
    expect(reason('trains', 'We take the railway to Basel')).toBe('matches “trains” by the related word “railway”');
    expect(reason('trains basel', 'We take the railway to Basel')).toBe(
      'matches “trains” by the related word “railway”',
    );
    expect(reason('tarins', 'Trains are late', spelledTerms(['tarins']))).toBe('matches “tarins”, spelled “trains”');
    expect(whySentence({ by: 'meaning', words: ['trains'], found: [] })).toBe('matches “trains” by meaning');
  });
});
