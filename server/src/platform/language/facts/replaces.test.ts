import { expect, it } from 'vitest';
import { replaces, saysSame } from './replaces.ts';
import { namesIn, readStatement } from './statement.ts';

const names = namesIn(['My sister Nora is allergic to peanuts']);
const read = (text: string) => readStatement(text, (relation) => names.get(relation));

it.each([
  ['I live in Lisbon', 'I moved to Porto'],
  ['We live on the fourth floor in Ghent', 'We moved to Antwerp last month'],
  ['We’re saving for a sailing boat', 'We gave up on the boat'],
  ['My sister lives in Lisbon', 'Nora moved to Porto'],
  ['I’m vegetarian', 'I’m vegan'],
  ['I’m vegetarian', 'I’m not vegetarian any more'],
  ['I’m vegetarian', 'I eat meat again'],
  ['My favourite colour is teal', 'My favourite colour is red'],
  ['Our deploy day is Thursday', 'Our deploy day moved to Tuesday'],
  ['The house rule is tabs', 'Our house rule is spaces'],
  ['I love coffee', 'I don’t like coffee any more'],
  ['My name is Ada', 'Call me Sam'],
  ['I drive a Golf', 'I sold the Golf'],
  ['I work as a nurse', 'I started as a baker'],
  ['I’m 34 years old', 'I’m 35 years old'],
  ['I prefer short answers', 'I prefer long answers'],
  ['My boss is called Wiebke', 'My new boss is Jorun'],
  ['Wiebke is my boss', 'My boss is Jorun now'],
  ['My sister Nora is allergic to peanuts', 'Nora is not allergic to peanuts any more'],
])('“%s” is replaced by “%s”', (earlier, later) => {
  expect(replaces(read(later), read(earlier))).toBe(true);
});

it.each([
  ['I love coffee', 'I love tea'],
  ['I have two cats', 'I have a dog'],
  ['My sister Nora is allergic to peanuts', 'My sister Nora lives in Lisbon'],
  ['I live in Lisbon', 'My sister Nora moved to Porto'],
  ['I live with my brother', 'I live in Porto'],
  ['I live with two cats', 'I live near the station'],
  ['My brother Tom lives in Leeds', 'Nora moved to Porto'],
  ['I’m allergic to nuts', 'I don’t eat pork'],
  ['My car is a Golf', 'My car is red'],
  ['I hate coriander', 'I hate olives'],
  ['My sister is called Nora', 'My sister is called Ana'],
  ['My boss is called Wiebke', 'My boss is ill a lot'],
  ['My flight to Oslo leaves on 3 June', 'My flight to Rome leaves on 9 June'],
  ['I have a deadline for my single-page website', 'I use Bootstrap for my single-page website'],
  ['I bought a single bed', 'I booked a single room'],
])('“%s” and “%s” are both true', (earlier, later) => {
  expect(replaces(read(later), read(earlier)) || saysSame(read(later), read(earlier))).toBe(false);
});

it.each([
  ['I live in Porto', 'I moved to Porto'],
  ['Nora is allergic to peanuts', 'My sister Nora is allergic to peanuts'],
  ['My sister is allergic to peanuts', 'My sister Nora is allergic to peanuts'],
  ['The house rule is tabs', 'Our house rule is tabs'],
])('“%s” and “%s” say the same', (one, other) => {
  expect(saysSame(read(one), read(other))).toBe(true);
});
