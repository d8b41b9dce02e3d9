import { expect, it } from 'vitest';
import { SaidBefore } from './said-before.ts';

const said = new SaidBefore(['I **live** in Porto, close to the river. Yes.', '我的妹妹对花生过敏。她住在里斯本。']);

it.each([
  ['i live in porto', true],
  ['“I live in Porto, close to the river”', true],
  ['I live in Porto since May', false],
  ['live in Port', false],
  ['Yes.', false],
  ['我的妹妹对花生过敏', true],
  ['我的弟弟对花生过敏', false],
])('knows whether %j was said: %s', (sentence, expected) => expect(said.holds(sentence)).toBe(expected));

it('knows a whole text, however short', () => {
  said.add('In Leeds!');
  expect([said.isText('in leeds'), said.isText('Leeds')]).toEqual([true, false]);
});
