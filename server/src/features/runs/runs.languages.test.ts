import { expect, it } from 'vitest';
import COUNTED from '../../testing/counted-texts.json' with { type: 'json' };
import { effort } from '../../testing/effort.ts';
import { eventually } from '../../testing/eventually.ts';
import { providedApp } from '../../testing/provided-app.ts';

const WINDOW = 2_000;
const own = await providedApp({ MODEL_CONTEXT_TOKENS: String(WINDOW) });

const PORTUGUESE =
  'A minha prima Nora mudou-se para o Porto na primavera passada e abriu uma pequena oficina de bicicletas perto do rio. Repara quadros antigos e, aos sábados, ensina as crianças a remendar um pneu. Gostava de a visitar em maio e levar a minha própria bicicleta.';

/** What is told first, what is asked when that is long forgotten, and a word to search for. */
const TALKS: [language: string, told: string, question: string, word: string][] = [
  ['German', 'Meine Schwester Greta ist allergisch gegen Erdnüsse.', 'Wogegen ist Greta allergisch?', 'erdnüsse'],
  ['Chinese', '我妹妹小雨对花生过敏。', '我妹妹小雨对什么过敏？', '花生'],
  ['Japanese', '妹の美咲はピーナッツにアレルギーがあります。', '妹の美咲は何にアレルギーがありますか？', 'ピーナッツ'],
  ['Korean', '제 여동생 수진은 땅콩 알레르기가 있습니다.', '제 여동생 수진은 무슨 알레르기가 있습니까?', '땅콩'],
  ['Thai', 'น้องสาวของฉันชื่อมะลิแพ้ถั่วลิสง', 'น้องสาวของฉันชื่อมะลิแพ้อะไร', 'ถั่วลิสง'],
  ['Arabic', 'أختي ليلى لديها حساسية من الفول السوداني.', 'مم لدى أختي ليلى حساسية؟', 'السوداني'],
  ['Hebrew', 'אחותי נועה אלרגית לבוטנים.', 'למה אחותי נועה אלרגית?', 'לבוטנים'],
  ['Hindi', 'मेरी बहन प्रिया को मूंगफली से एलर्जी है।', 'मेरी बहन प्रिया को किससे एलर्जी है?', 'मूंगफली'],
  ['Russian', 'У моей сестры Вари аллергия на арахис.', 'На что у моей сестры Вари аллергия?', 'арахис'],
  ['Portuguese', 'A minha irmã Inês é alérgica a amendoins.', 'A que é alérgica a minha irmã Inês?', 'amendoins'],
];

// By day one of each kind: with cases, without blanks, with marks on letters, from right to left.
const BY_DAY = ['German', 'Chinese', 'Thai', 'Hindi', 'Arabic'];
const talks = effort(
  TALKS.filter(([language]) => BY_DAY.includes(language)),
  TALKS,
);

it.each(talks)('%s: a session beyond its window is answered, named, found, cited and exported', async (...talk) => {
  const [language, told, question, word] = talk;
  const { app, provider, ada } = own;
  const text = COUNTED.texts.find(({ kind }) => kind === language)?.text ?? PORTUGUESE;
  provider.behave({ text: text.slice(0, 60) });
  await own.createAgent();
  const say = await own.openSession();
  /** Whether the model was still given the first message as one of the conversation when it was asked this. */
  const isGiven = (asked: string) => {
    const bodies = provider.requests.map(({ body }) => body.messages?.map(({ content }) => String(content)) ?? []);
    const [, ...conversation] = bodies.find((messages) => messages.length > 1 && messages.at(-1) === asked) ?? [];
    expect(conversation).toContain(asked);
    return conversation.includes(told);
  };
  const { id, sessionId } = await say(told);
  const sent = [told];
  const tell = async () => {
    const next = `${sent.length}. ${text} ${text}`;
    sent.push(next);
    await say(next);
    return isGiven(next);
  };
  while (sent.length < 30 && (await tell()));
  // The question is shorter, and leaves room for one more.
  await tell();
  const { memoryUsed } = await say(question);
  sent.push(question);
  expect(isGiven(question), 'the window is full').toBe(false);
  expect(memoryUsed).toContainEqual(expect.objectContaining({ taskId: id }));

  const get = async (path: string) => (await app.request('GET', path, { as: ada })).body;
  await eventually(async () => {
    const { session } = await get(`/api/sessions/${sessionId}`);
    expect(text).toContain(session.name.replace('…', '').trim());
  });
  const found = await get(`/api/search?q=${encodeURIComponent(word)}`);
  expect(found.tasks).toContainEqual(expect.objectContaining({ id }));
  const hits = found.tasks[0].passage.filter(({ hit }: { hit: boolean }) => hit);
  expect(hits[0]?.text.toLowerCase()).toBe(word);
  expect(found.memories).toContainEqual(expect.objectContaining({ taskId: id }));
  const { memories } = await get(`/api/memories?q=${encodeURIComponent(word)}`);
  expect(memories).toContainEqual(expect.objectContaining({ taskId: id }));
  for (const format of ['md', 'json']) {
    const exported = await get(`/api/sessions/${sessionId}/export?format=${format}`);
    const written = typeof exported === 'string' ? exported : JSON.stringify(exported);
    for (const message of sent) expect(written).toContain(message);
  }
});
