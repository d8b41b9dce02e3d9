import { expect, it } from 'vitest';
import { standIn } from '../../../../../bench/questions/questions.ts';

/** What a person tells, and a question about it in other forms of its words. */
const TALKS: Record<string, [told: string, question: string][]> = {
  German: [
    [
      'Meine Schwestern Nora und Ida sind allergisch gegen Erdnüsse.',
      'Welche Schwester ist gegen eine Erdnuss allergisch?',
    ],
    ['Unser Hund Bruno schläft im Keller.', 'Wo schlafen unsere Hunde?'],
  ],
  French: [
    ['Mon frère Luc travaille dans un hôpital à Lyon.', 'Où travaillent mes frères ?'],
    ['J’ai deux chevaux dans le pré de mon oncle.', 'Combien de chevaux avons-nous dans le pré ?'],
  ],
  Spanish: [
    ['Mi abuela cocina lentejas los domingos.', '¿Quién cocinaba las lentejas?'],
    ['Vivo en Sevilla con mi perro Bruno.', '¿Dónde vive mi perro?'],
  ],
  Portuguese: [
    ['A minha irmã mora em Coimbra e trabalha numa livraria.', 'Onde moram as minhas irmãs?'],
    ['O meu voo para Madrid parte na sexta-feira.', 'Quando partem os voos para Madrid?'],
  ],
  Japanese: [
    ['父は来月大阪に引っ越します。', '父はどこに引っ越しますか？'],
    ['私は毎朝コーヒーを飲みます。', '毎朝何を飲みますか？'],
    ['大学では建築を勉強していて、来年の春に卒業する予定です。', 'いつ大学を卒業するんだっけ？'],
  ],
  Chinese: [
    ['我妹妹小雨对花生过敏。', '我妹妹对什么过敏？'],
    ['我们的猫叫咪咪，今年三岁。', '猫叫什么？'],
    ['我弟弟在深圳一家游戏公司做程序员，天天加班到很晚。', '我弟弟是做什么工作的？'],
  ],
  Arabic: [
    ['أختي تعمل في مدرسة في القاهرة.', 'أين المدرسة التي تعمل فيها أختي؟'],
    ['كتاب الطبخ الأزرق على الرف.', 'أين الكتاب الأزرق؟'],
    ['أحب القراءة قبل النوم، وحاليًا أقرأ رواية عزازيل للمرة الثانية.', 'ما اسم الرواية التي أقرأها هذه الأيام؟'],
  ],
};
const AGENT = { name: 'Notes', prompt: 'You take notes.', sessions: [], questions: [] };

it.each(Object.entries(TALKS))('remembers what is told in %s, and finds it by its own words', async (_, talks) => {
  const { tell } = standIn();
  for (const [told] of talks) await tell(AGENT, 'First', told);
  for (const [told, question] of talks) expect(await tell(AGENT, 'Second', question)).toContain(`: “${told}”`);
});

it('finds by a keyword alone, which tells no language', async () => {
  const { tell } = standIn();
  await tell(AGENT, 'First', 'Meine Lieblingsblumen sind Sonnenblumen und Tulpen.');
  await tell(AGENT, 'First', 'Wir essen am Sonntag bei meiner Tante.');
  expect(await tell(AGENT, 'Second', 'Sonnenblume?')).toContain('Sonnenblumen');
});

const MOVE = 'Ich habe das Klavier an meine Kollegin Britta verliehen, bis wir umgezogen sind.';
it.each([
  [MOVE, 'Wem gehört momentan eigentlich mein Klavier?'],
  ['Mon vélo est chez le réparateur de la rue Voltaire.', 'Dans quelle boutique se trouve mon vélo ?'],
])('finds %j, though most words of %j are others', async (told, question) => {
  const { tell } = standIn();
  await tell(AGENT, 'First', told);
  await tell(AGENT, 'First', 'Wir essen am Sonntag bei meiner Tante.');
  expect(await tell(AGENT, 'Second', question)).toContain(`: “${told}”`);
});

it('finds nothing where only little of a question was told', async () => {
  const { tell } = standIn();
  await tell(AGENT, 'First', MOVE);
  expect(await tell(AGENT, 'Second', 'Welche Schule besucht eigentlich der kleine Nachbarsjunge?')).toContain(
    'found nothing',
  );
});
