import { expect, it } from 'vitest';
import { findFacts } from './find-facts.ts';
import { replaces } from './replaces.ts';
import { namesIn, readStatement } from './statement.ts';

/** Whether the fact of the second message replaces that of the first. Both must state one. */
function isEnded(earlier: string, later: string): boolean {
  const texts = [earlier, later].map((message) => findFacts([message])[0]?.text);
  const [then, now] = texts;
  if (then === undefined || now === undefined) throw new Error(`no facts: ${texts.join(', ')}`);
  const names = namesIn([then, now]);
  const read = (text: string) => readStatement(text, (relation) => names.get(relation));
  return replaces(read(now), read(then));
}

it.each([
  ['My car is a Golf', 'I sold my Golf'],
  ['My car is a Golf', 'I sold the Golf'],
  ['My car is a red Golf', 'I sold my Golf'],
  ['My car is a Golf', 'I sold my car'],
  ['My car is a Golf', 'We sold the car last week'],
  ['I have a Golf', 'I sold my Golf'],
  ['I own a boat called Wanda', 'I sold my boat'],
  ['I have a piano', 'I gave away my piano'],
  ['I have a piano', 'I gave my piano away'],
  ['I have a piano', 'I got rid of the piano'],
  ['I have a gym membership', 'I cancelled my gym membership'],
  ['I have a Netflix subscription', 'I cancelled Netflix'],
  ['I have a Netflix subscription', 'I cancelled my Netflix subscription'],
  ['I work at Siemens', 'I quit my job at Siemens'],
  ['I work at Siemens', 'I quit Siemens'],
  ['I work at Siemens', 'I quit my job'],
  ['I work as a nurse', 'I quit my job as a nurse'],
  ['I have a cat', 'I no longer have a cat'],
  ['I have two cats', 'I don’t have cats anymore'],
  ['I have a dog', 'I don’t have a dog any more'],
  ['I play the cello', 'I stopped playing the cello'],
  ['I play the cello', 'I gave up the cello'],
  ['I own a flat in Lisbon', 'I sold my flat in Lisbon'],
  ['I own a flat in Lisbon', 'I sold the flat'],
  ['My flight to Oslo leaves on 3 June', 'I cancelled my flight to Oslo'],
  ['My appointment with Dr. Ray is on Monday', 'I cancelled my appointment with Dr. Ray'],
  ['I love my Golf', 'I sold my Golf'],
  ['My bike is a Brompton', 'I sold my Brompton in March'],
  ['I have a motorbike', 'We sold the motorbike two years ago'],
  ['Our boat is called Wanda', 'We sold our boat on Friday'],
  ['I have a summer house in Sintra', 'I sold my summer house in Sintra to my cousin'],
  ['I have a summer house in Sintra', 'I sold my house'],
  ['My camera is a Leica M6', 'I gave away my Leica M6'],
  ['My cat is called Miso', 'I gave my cat away'],
  ['My cat is called Miso', 'I no longer have a cat'],
  ['I have a subscription to the New Yorker', 'I cancelled my subscription to the New Yorker'],
  ['I work as a nurse', 'I lost my job last month'],
  ['I work as a nurse', 'I left my job because of the shifts'],
  ['My house is in Porto', 'I sold my house'],
  ['My wedding is on 9 June', 'I cancelled my wedding'],
  ['My trip to Rome starts on 3 May', 'I cancelled my trip to Rome'],
  ['I have three horses', 'I sold my horses'],
  ['I drive a van', 'I sold my van for parts'],
  ['My van needs a new clutch every year', 'I sold my van'],
  ['My insurance is with Allianz', 'I cancelled my insurance'],
  ['Our deploy day is Thursday', 'We moved our deploy day to Tuesday'],
  ['I own shares in Siemens', 'I sold my Siemens shares'],
])('“%s” is ended by “%s”', (earlier, later) => {
  expect(isEnded(earlier, later)).toBe(true);
});

it.each([
  ['I drive a Golf', 'I sold my car'],
  ['My car is a Golf', 'I sold my bike'],
  ['I have a Golf and a Polo', 'I sold my Golf'],
  ['My brother drives a Golf', 'I sold my Golf'],
  ['My car is a Golf', 'My brother sold his Golf'],
  ['My car is a Golf', 'I sold my old Golf'],
  ['I own a flat in Lisbon', 'I sold my flat in Porto'],
  ['I live in Lisbon', 'I sold my flat in Lisbon'],
  ['My car insurance is with Allianz', 'I sold my car'],
  ['My car key is in the drawer', 'I sold my car'],
  ['I love golf', 'I sold my Golf'],
  ['I play golf every Sunday', 'I sold my Golf'],
  ['I like my job at Siemens', 'I quit smoking'],
  ['I work at Siemens', 'I sold my Siemens washing machine'],
  ['I work at Siemens', 'I sold my Siemens shares'],
  ['I have a dog', 'I lost my dog licence'],
  ['I have a Netflix subscription', 'I cancelled my Spotify subscription'],
  ['I work at Siemens', 'I quit my gym'],
  ['My flight to Oslo leaves on 3 June', 'I cancelled my flight to Rome'],
  ['My guitar teacher is Ana', 'I sold my guitar'],
  ['I am allergic to cats', 'I gave away my cats'],
  ['Our boat is called Wanda', 'We sold Wanda'],
  ['I have a dog walker', 'I no longer have a dog'],
  ['I love dogs', 'I no longer have a dog'],
  ['I am allergic to dogs', 'I no longer have a dog'],
  ['I have a dog', 'I no longer have a car'],
  ['My sister has a dog', 'I no longer have a dog'],
  ['My landlord is Mr Silva', 'I no longer have a landlord'],
  ['I have a subscription to the New Yorker', 'I cancelled my gym membership'],
  ['I work as a nurse', 'I quit my second job'],
  ['My sister Nora works as a nurse', 'I quit my job'],
  ['My job is stressful', 'I quit my job'],
  ['I live in Lisbon', 'I quit my job'],
  ['My car is a Golf', 'I sold my car seat'],
  ['I have a car', 'I sold my car seat'],
  ['I have a guitar and a piano', 'I sold my guitar'],
  ['I play the guitar', 'I sold my guitar'],
  ['My favourite guitar is a Telecaster', 'I sold my Telecaster'],
  ['My house rule is no shoes', 'I sold my house'],
  ['The house rule is tabs', 'I sold the house'],
  ['My house in Porto has a garden', 'I sold my house in Faro'],
  ['I grew up in a house in Porto', 'I sold my house in Porto'],
  ['Our wedding is in Rome', 'We cancelled our trip to Rome'],
  ['My kids love our dog', 'We gave our dog away'],
  ['I have three horses', 'I sold my horse'],
  ['I have health insurance with AOK', 'I cancelled my car insurance'],
  ['My laptop is a ThinkPad', 'I donated my old laptop'],
  ['My Golf is red', 'I sold my Golf clubs'],
])('“%s” stands beside “%s”', (earlier, later) => {
  expect(isEnded(earlier, later)).toBe(false);
});

it.each([
  'I almost sold my Golf',
  'I want to sell my Golf',
  'I sold out',
  'I left it at home',
  'I cancelled my order',
  'I cancelled it',
  'I no longer have time',
  'I no longer have any questions',
  'I don’t have the file any more',
  'I gave my seat away on the bus',
])('“%s” is no fact', (message) => {
  expect(findFacts([message])).toEqual([]);
});
