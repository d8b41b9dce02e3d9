import { expect, it } from 'vitest';
import { asks, isQuestion, isStatement, readSentences, sentencesOf } from './sentences.ts';

it.each([
  ['Where is it?', true],
  ['where do you live', true],
  ['I wonder: why?', true],
  ['I live in Leeds', false],
  ['Is it good. I think so.', false],
  ['Island life suits me', false],
  ['', false],
])('knows whether %j asks: %s', (text, expected) => expect(asks(text)).toBe(expected));

it.each([
  ['a man who\nis named Casimir Dunbar and pays.', ['a man who is named Casimir Dunbar and pays.']],
  ['He is named\r\n  Casimir Dunbar.\nHe pays.', ['He is named Casimir Dunbar.', 'He pays.']],
  ['One\n\ntwo', ['One', 'two']],
  ['One\n \ntwo', ['One', 'two']],
  ['# Mills\nThe tenant pays\non Mondays', ['# Mills', 'The tenant pays on Mondays']],
  ['Tenants:\n- Casimir,\n  who pays\n- Ada', ['Tenants:', '- Casimir, who pays', '- Ada']],
  ['I live in Porto\nMy dog is called Biscuit', ['I live in Porto', 'My dog is called Biscuit']],
  ['i live in porto\nmy dog is called biscuit', ['i live in porto', 'my dog is called biscuit']],
  ['Yesterday when\nI came', ['Yesterday when I came']],
  ['Name: Ada\nCity: Porto', ['Name: Ada', 'City: Porto']],
  ['Dr. Wu came, e.g. at six. 1. Go. Then stop.', ['Dr. Wu came, e.g. at six.', '1. Go.', 'Then stop.']],
  ['Wir kommen z. B. am 3. Mai. Gut.', ['Wir kommen z. B. am 3. Mai.', 'Gut.']],
  ['是。「はい。」と言った。', ['是。', '「はい。」と言った。']],
  ['أختي ليلى؟ نعم.', ['أختي ليلى؟', 'نعم.']],
  ['Τι κάνεις; Καλά.', ['Τι κάνεις;', 'Καλά.']],
  ['मैं पोर्टो में रहता हूँ। ठीक।', ['मैं पोर्टो में रहता हूँ।', 'ठीक।']],
])('splits %j', (text, expected) => expect(sentencesOf(text)).toEqual(expected));

it('numbers sentences by every end of a sentence or line, as stored facts do', () => {
  expect(readSentences('A man who\nis here. B।\nC\n\nD').map(({ text, place }) => [text, place])).toEqual([
    ['A man who is here.', 0],
    ['B।', 2],
    ['C', 2],
    ['D', 4],
  ]);
});

it.each([
  '我妹妹对什么过敏？',
  '妹は何が好きですか',
  'مم لدى أختي حساسية؟',
  'Τι κάνεις;',
  'Wo wohne ich',
  '¿Dónde vivo?',
  'dónde vivo',
  'Am I late',
])('knows that %j is a question', (text) =>
  expect([asks(text), isQuestion(text), isStatement(text)]).toEqual([true, true, false]),
);
it.each([
  '妹の美咲はピーナッツにアレルギーがあります。',
  '我妹妹小雨对花生过敏。',
  'น้องสาวของฉันแพ้ถั่วลิสง',
  'Am Montag fahre ich nach Bonn.',
  'Quand j’étais petit, je vivais à Lyon.',
])('knows that %j is a statement', (text) =>
  expect([asks(text), isQuestion(text), isStatement(text)]).toEqual([false, false, true]),
);
it.each(['你好', '谢谢你'])('knows that %j states nothing', (text) => expect(isStatement(text)).toBe(false));
