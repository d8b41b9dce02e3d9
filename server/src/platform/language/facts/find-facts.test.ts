import { describe, expect, it } from 'vitest';
import { findFacts, mayStateFacts } from './find-facts.ts';

const texts = (...parts: string[]) => findFacts(parts).map(({ text }) => text);

describe('what a person states', () => {
  it.each([
    ['My sister Nora is allergic to peanuts.', 'Nora', 'My sister Nora is allergic to peanuts'],
    ['Actually, I moved to Porto!', 'You', 'I moved to Porto'],
    ['I’m from Canada', 'You', 'I’m from Canada'],
    ['I am 34 years old.', 'You', 'I’m 34 years old'],
    ['You can call me Sam.', 'You', 'Call me Sam'],
    ['Please remember that our deploy day is Thursday.', 'Shared', 'Our deploy day is Thursday'],
    ['The house rule is tabs.', 'Shared', 'The house rule is tabs'],
    ['Our bin day is Monday, by the way.', 'Shared', 'Our bin day is Monday'],
    ['I always take the 8:15 train.', 'You', 'I always take the 8:15 train'],
    ['I don’t eat pork', 'You', 'I don’t eat pork'],
    ['Nora’s birthday is 3 May', 'Nora', 'Nora’s birthday is 3 May'],
    ['my brother tom lives in leeds', 'Tom', 'My brother tom lives in leeds'],
    ['My mother’s name is Ana', 'Your mother', 'My mother’s name is Ana'],
    ['I’ve lived here for ten years', 'You', 'I have lived here for ten years'],
    ['im allergic to shellfish', 'You', 'I’m allergic to shellfish'],
    ['On Fridays I volunteer at the library.', 'You', 'I volunteer at the library on Fridays'],
    ['Tom, my brother, is a pilot.', 'Tom', 'My brother Tom is a pilot'],
    [
      'The twins, Ida and Bruno, turn seven in October.',
      'Ida and Bruno',
      'The twins Ida and Bruno turn seven in October',
    ],
    ['Mum has her operation on the third of March.', 'Your mum', 'Mum has her operation on the third of March'],
    ['Our son Emil is nearly two.', 'Emil', 'Our son Emil is nearly two'],
    ['Shellfish makes me ill, badly.', 'You', 'Shellfish makes me ill, badly'],
    ['Peanuts give my son hives.', 'Your son', 'Peanuts give my son hives'],
    ['Both of us are nurses.', 'Shared', 'Both of us are nurses'],
    ['I’ve never learned to swim.', 'You', 'I have never learned to swim'],
    ['I’d rather you answered in lists.', 'You', 'I would rather you answered in lists'],
    ['For invoices I always use the blue template.', 'You', 'I always use the blue template for invoices'],
    ['We’re saving for a boat, eight thousand so far.', 'Shared', 'We’re saving for a boat, eight thousand so far'],
    ['My neighbour Mr. Costa feeds our cat.', 'Costa', 'My neighbour Mr. Costa feeds our cat'],
    ['Some facts about me: I am left-handed.', 'You', 'I’m left-handed'],
    ['I don’t eat coriander, so leave it out of recipes, please.', 'You', 'I don’t eat coriander'],
    ['We homeschool our kids.', 'Shared', 'We homeschool our kids'],
    ['I often mend old radios.', 'You', 'I often mend old radios'],
    ['I’ve always loved the sea.', 'You', 'I have always loved the sea'],
    ['I used to be a baker.', 'You', 'I used to be a baker'],
    ['I lost my hearing in 2019.', 'You', 'I lost my hearing in 2019'],
    ['We’re getting a second dog in spring.', 'Shared', 'We’re getting a second dog in spring'],
    ['My grandmother taught me Hungarian.', 'Your grandmother', 'My grandmother taught me Hungarian'],
    ['Loud restaurants are hard for me.', 'You', 'Loud restaurants are hard for me'],
    ['Exploring old mines is my hobby.', 'You', 'Exploring old mines is my hobby'],
    ['My tenant is a man who\nis named Casimir Dunbar.', 'You', 'My tenant is a man who is named Casimir Dunbar'],
    ['I need a coffee every morning.', 'You', 'I need a coffee every morning'],
  ])('%s', (said, about, text) => {
    expect(findFacts([said])).toEqual([expect.objectContaining({ about, text, part: 0, sentence: 0 })]);
    expect(mayStateFacts([said])).toBe(true);
  });

  it('is one fact for each statement of a sentence, and a pronoun becomes a name', () => {
    expect(texts('I live in Porto and my dog is called Biscuit.')).toEqual([
      'I live in Porto',
      'My dog is called Biscuit',
    ]);
    expect(texts('I’m vegetarian and my favourite colour is teal.')).toEqual([
      'I’m vegetarian',
      'My favourite colour is teal',
    ]);
    expect(texts('My brother Tom and I run a bakery.')).toEqual(['My brother Tom and I run a bakery']);
    expect(texts('My brother Tom lives in Leeds and works as a baker.')).toEqual([
      'My brother Tom lives in Leeds',
      'My brother Tom works as a baker',
    ]);
    expect(texts('My sister Nora, who lives in Lisbon, is allergic to peanuts.')).toEqual([
      'My sister Nora is allergic to peanuts',
      'My sister Nora lives in Lisbon',
    ]);
    expect(texts('Nora is my sister. She lives in Lisbon.')).toEqual(['Nora is my sister', 'Nora lives in Lisbon']);
  });

  it('is found in the part of a long message, and the sentence, where it stands', () => {
    const found = findFacts(['Hello there. How are you?', 'Well. I live in Porto.']);
    expect(found).toEqual([expect.objectContaining({ text: 'I live in Porto', part: 1, sentence: 1 })]);
  });

  it('may be about somebody whom an earlier message named', () => {
    expect(texts('Ana is a nurse.')).toEqual([]);
    expect(findFacts(['Ana is a nurse.'], ['Ana']).map(({ about }) => about)).toEqual(['Ana']);
  });
});

describe('what is no fact', () => {
  it.each([
    'Good morning! How are you?',
    'I’m doing well, thanks.',
    'I had a great weekend.',
    'I’m a bit tired today.',
    'I watched a film last night.',
    'My coffee is getting cold.',
    'My question is simple.',
    'I love this weather.',
    'I have a question.',
    'I have to go now.',
    'Long day, I need a coffee.',
    'We really need a proper holiday.',
    'I’ve just eaten.',
    'I understand the question.',
    'I went to the cinema with friends.',
    'I swap the two fields and nothing happens.',
    'I’ve always wondered about that.',
    'Reading is fun.',
    'Chapter three is hard.',
    'I have a bug in my code.',
    'My code doesn’t work.',
    'My boss is in a bad mood.',
    'I’m on my way.',
    'I had pasta for lunch.',
    'I nearly dropped my phone.',
    'I always get confused about tides.',
    'I’ve never seen this before.',
    'I’d rather you wrote it shorter.',
    'The kids are asleep.',
    'The kids are at school.',
    'This makes me sick.',
    'Can you explain how my sister could bake bread?',
    'Write a story about my sister.',
    'If I lived in Rome I would eat pasta.',
    'I might move to Berlin.',
    'I think my brother lives in Paris.',
    'She said that I live in Rome.',
    'Imagine my sister is a pilot.',
    'The capital of France is Paris.',
    'Python is a language.',
    'Paris is lovely in spring.',
    'I like your style.',
    'You must always answer in French.',
    'My name is not important.',
    'My name isn’t important.',
    'My name is very long.',
  ])('%s', (said) => expect(texts(said)).toEqual([]));

  it('is a text of more facts than anybody states at once', () => {
    const many = Array.from({ length: 60 }, (_, i) => `My cousin Ana${'abcdefghij'[i % 10]}${i} lives in Porto.`);
    expect(texts(many.join(' '))).toEqual([]);
  });
});
